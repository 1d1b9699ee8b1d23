package engine

import (
	"context"

	"parlance/query/ast"
	"parlance/query/operator"
	"parlance/query/plan"
)

// statement runs one statement of any sort.
func (r *execution) statement(ctx context.Context, stmt ast.Statement) (*operator.Result, error) {
	switch s := stmt.(type) {
	case *ast.Select:
		return r.Query(s)
	case *ast.Explain:
		return r.explain(ctx, s)
	case *ast.ExplainPrediction:
		return r.ExplainPrediction(ctx, s)
	case *ast.Evaluate:
		return r.Evaluate(s)
	case *ast.DiffModels:
		return r.DiffModels(ctx, s)
	case *ast.Replay:
		return r.Replay(ctx, s)
	case *ast.Show:
		return r.show(ctx, s)
	case *ast.Describe:
		return r.describe(s)
	}
	if r.Store.ReadOnly() {
		switch s := stmt.(type) {
		case *ast.CancelStatement:
			return r.cancelStatement(s)
		case *ast.CancelSession:
			return r.cancelSession(s)
		}
		if res, ok, err := r.session(ctx, stmt); ok {
			return res, err
		}
	}
	return r.change(ctx, stmt)
}

// change runs the statements that write.
func (r *execution) change(ctx context.Context, stmt ast.Statement) (*operator.Result, error) {
	switch s := stmt.(type) {
	case *ast.Create:
		return r.Create(ctx, s)
	case *ast.CreateFeatures:
		return r.CreateFeatures(ctx, s)
	case *ast.CreateIndex:
		return r.CreateIndex(ctx, s)
	case *ast.DropIndex:
		return r.DropIndex(ctx, s)
	case *ast.Drop:
		if s.Object == ast.ObjectUser {
			return r.dropUser(s)
		}
		return r.Drop(ctx, s)
	case *ast.CreateUser:
		return r.createUser(s)
	case *ast.AlterUser:
		return r.alterUser(s)
	case *ast.AlterRename:
		return r.Rename(ctx, s)
	case *ast.AlterAddColumn:
		return r.AddColumn(ctx, s)
	case *ast.AlterDropColumn:
		return r.DropColumn(ctx, s)
	case *ast.AlterRenameColumn:
		return r.RenameColumn(ctx, s)
	case *ast.Load:
		return r.Load(ctx, s)
	case *ast.Insert:
		return r.Insert(ctx, s)
	case *ast.Delete:
		return r.Delete(ctx, s)
	case *ast.Update:
		return r.Update(ctx, s)
	case *ast.CopyTo:
		return r.CopyTo(ctx, s)
	case *ast.CopyFrom:
		return r.CopyFrom(ctx, s)
	case *ast.CopyModel:
		return r.CopyModel(ctx, s)
	case *ast.LoadModel:
		return r.LoadModel(ctx, s)
	case *ast.Train:
		return r.Train(ctx, s)
	case *ast.Tune:
		return r.Tune(ctx, s, 0)
	case *ast.Annotate:
		return r.Annotate(ctx, s)
	case *ast.Promote:
		return r.Promote(ctx, s)
	}
	if res, ok, err := r.maintain(ctx, stmt); ok {
		return res, err
	}
	if res, ok, err := r.session(ctx, stmt); ok {
		return res, err
	}
	return nil, plan.Errorf(stmt.Position(), plan.CodeFeature, "", "this statement is not supported")
}

// maintain runs the statements that look after the database.
func (r *execution) maintain(ctx context.Context, stmt ast.Statement) (*operator.Result, bool, error) {
	var res *operator.Result
	var err error
	switch s := stmt.(type) {
	case *ast.Check:
		res, err = r.check(ctx, s)
	case *ast.Backup:
		res, err = r.backup(ctx, s)
	case *ast.Compact:
		res, err = r.compact(ctx)
	case *ast.ClearCache:
		res, err = r.clearCache(ctx, s)
	case *ast.CancelStatement:
		res, err = r.cancelStatement(s)
	case *ast.CancelSession:
		res, err = r.cancelSession(s)
	case *ast.CancelJob:
		res, err = r.CancelJob(ctx, s)
	case *ast.ResumeJob:
		res, err = r.ResumeJob(ctx, s)
	case *ast.AlterSystem:
		res, err = r.alterSystem(ctx, s)
	default:
		return nil, false, nil
	}
	return res, true, err
}
