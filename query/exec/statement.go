package exec

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
		return r.query(s)
	case *ast.Explain:
		return r.explain(ctx, s)
	case *ast.ExplainPrediction:
		return r.explainPrediction(ctx, s)
	case *ast.Evaluate:
		return r.evaluate(s)
	case *ast.DiffModels:
		return r.diffModels(ctx, s)
	case *ast.Replay:
		return r.replay(ctx, s)
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
		return r.create(ctx, s)
	case *ast.CreateFeatures:
		return r.createFeatures(ctx, s)
	case *ast.CreateIndex:
		return r.createIndex(ctx, s)
	case *ast.DropIndex:
		return r.dropIndex(ctx, s)
	case *ast.Drop:
		if s.Object == ast.ObjectUser {
			return r.dropUser(s)
		}
		return r.drop(ctx, s)
	case *ast.CreateUser:
		return r.createUser(s)
	case *ast.AlterUser:
		return r.alterUser(s)
	case *ast.AlterRename:
		return r.rename(ctx, s)
	case *ast.AlterAddColumn:
		return r.addColumn(ctx, s)
	case *ast.AlterDropColumn:
		return r.dropColumn(ctx, s)
	case *ast.AlterRenameColumn:
		return r.renameColumn(ctx, s)
	case *ast.Load:
		return r.load(ctx, s)
	case *ast.Insert:
		return r.insert(ctx, s)
	case *ast.Delete:
		return r.delete(ctx, s)
	case *ast.Update:
		return r.update(ctx, s)
	case *ast.CopyTo:
		return r.copyTo(ctx, s)
	case *ast.CopyFrom:
		return r.copyFrom(ctx, s)
	case *ast.CopyModel:
		return r.copyModel(ctx, s)
	case *ast.LoadModel:
		return r.loadModel(ctx, s)
	case *ast.Train:
		return r.train(ctx, s)
	case *ast.Tune:
		return r.tune(ctx, s, 0)
	case *ast.Annotate:
		return r.annotate(ctx, s)
	case *ast.Promote:
		return r.promote(ctx, s)
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
		res, err = r.cancelJob(ctx, s)
	case *ast.ResumeJob:
		res, err = r.resumeJob(ctx, s)
	case *ast.AlterSystem:
		res, err = r.alterSystem(ctx, s)
	default:
		return nil, false, nil
	}
	return res, true, err
}
