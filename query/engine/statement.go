package engine

import (
	"context"

	"parlance/query/ast"
	"parlance/query/change"
	"parlance/query/learn"
	"parlance/query/operator"
	"parlance/query/plan"
	"parlance/query/score"
)

// statement calls the function that runs a statement.
func (r *execution) statement(ctx context.Context, stmt ast.Statement) (*operator.Result, error) {
	switch s := stmt.(type) {
	case *ast.Select:
		return r.Query(s)
	case *ast.Explain:
		return r.explain(ctx, s)
	case *ast.ExplainPrediction:
		return score.ExplainPrediction(r.Execution, ctx, s)
	case *ast.Evaluate:
		return score.Evaluate(r.Execution, s)
	case *ast.DiffModels:
		return score.DiffModels(r.Execution, ctx, s)
	case *ast.Replay:
		return learn.Replay(r.Execution, ctx, s)
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
		if res, ok, err := r.sessionStatement(ctx, stmt); ok {
			return res, err
		}
	}
	return r.changeStatement(ctx, stmt)
}

// changeStatement runs the statements that write.
func (r *execution) changeStatement(ctx context.Context, stmt ast.Statement) (*operator.Result, error) {
	switch s := stmt.(type) {
	case *ast.Create:
		return change.Create(r.Execution, ctx, s)
	case *ast.CreateFeatures:
		return change.CreateFeatures(r.Execution, ctx, s)
	case *ast.CreateIndex:
		return change.CreateIndex(r.Execution, ctx, s)
	case *ast.DropIndex:
		return change.DropIndex(r.Execution, ctx, s)
	case *ast.Drop:
		if s.Object == ast.ObjectUser {
			return r.dropUser(s)
		}
		return change.Drop(r.Execution, ctx, s)
	case *ast.CreateUser:
		return r.createUser(s)
	case *ast.AlterUser:
		return r.alterUser(s)
	case *ast.AlterRename:
		return change.Rename(r.Execution, ctx, s)
	case *ast.AlterAddColumn:
		return change.AddColumn(r.Execution, ctx, s)
	case *ast.AlterDropColumn:
		return change.DropColumn(r.Execution, ctx, s)
	case *ast.AlterRenameColumn:
		return change.RenameColumn(r.Execution, ctx, s)
	case *ast.Load:
		return change.Load(r.Execution, ctx, s)
	case *ast.Insert:
		return change.Insert(r.Execution, ctx, s)
	case *ast.Delete:
		return change.Delete(r.Execution, ctx, s)
	case *ast.Update:
		return change.Update(r.Execution, ctx, s)
	case *ast.CopyTo:
		return change.CopyTo(r.Execution, ctx, s)
	case *ast.CopyFrom:
		return change.CopyFrom(r.Execution, ctx, s)
	case *ast.CopyModel:
		return change.CopyModel(r.Execution, ctx, s)
	case *ast.LoadModel:
		return change.LoadModel(r.Execution, ctx, s)
	case *ast.Train:
		return learn.Train(r.Execution, ctx, s)
	case *ast.Tune:
		return learn.Tune(r.Execution, ctx, s, 0)
	case *ast.Annotate:
		return change.Annotate(r.Execution, ctx, s)
	case *ast.AnnotateFiles:
		return change.AnnotateFiles(r.Execution, ctx, s)
	case *ast.Promote:
		return score.Promote(r.Execution, ctx, s)
	}
	if res, ok, err := r.maintenanceStatement(ctx, stmt); ok {
		return res, err
	}
	if res, ok, err := r.sessionStatement(ctx, stmt); ok {
		return res, err
	}
	return nil, plan.Errorf(stmt.Position(), plan.CodeFeature, "", "this statement is not supported")
}

// maintenanceStatement runs the statements that maintain the database; ok is false for other statements.
func (r *execution) maintenanceStatement(ctx context.Context, stmt ast.Statement) (*operator.Result, bool, error) {
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
		res, err = learn.CancelJob(r.Execution, ctx, s)
	case *ast.ResumeJob:
		res, err = learn.ResumeJob(r.Execution, ctx, s)
	case *ast.Reload:
		res, err = r.reload(ctx, s)
	case *ast.AlterSystem:
		res, err = r.alterSystem(ctx, s)
	default:
		return nil, false, nil
	}
	return res, true, err
}
