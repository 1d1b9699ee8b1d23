package engine

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"parlance/query/ast"
	"parlance/query/fault"
	"parlance/query/models"
	"parlance/query/operator"
	"parlance/query/optarg"
	"parlance/query/plan"
	"parlance/query/setting"
)

// sessionStatement runs the statements that concern only the session; ok is false for other statements.
func (r *execution) sessionStatement(ctx context.Context, stmt ast.Statement) (*operator.Result, bool, error) {
	switch s := stmt.(type) {
	case *ast.Set:
		return operator.Tag("SET"), true, r.set(s)
	case *ast.SetTransaction:
		return operator.Tag("SET"), true, r.setTransaction(s)
	case *ast.Reset:
		if s.Default {
			return operator.Tag("SET"), true, r.reset(s)
		}
		return operator.Tag("RESET"), true, r.reset(s)
	case *ast.Discard:
		switch s.What {
		case "":
			return operator.Tag("DISCARD ALL"), true, r.discard(ctx)
		case ast.DiscardTemporary:
			return operator.Tag("DISCARD TEMP"), true, r.discardTemporary(ctx)
		} // PLANS, SEQUENCES: plans are shared by sessions, and there are no sequences
		return operator.Tag("DISCARD " + s.What), true, nil
	case *ast.Unlisten: // there is no LISTEN
		return operator.Tag("UNLISTEN"), true, nil
	case *ast.Declare:
		return operator.Tag("DECLARE CURSOR"), true, r.declare(ctx, s)
	case *ast.Fetch:
		res, err := r.fetchRows(ctx, s)
		return res, true, err
	case *ast.Close:
		res, err := r.closeCursor(s)
		return res, true, err
	case *ast.Deallocate:
		res, err := r.deallocate(s)
		return res, true, err
	case *ast.Begin:
		return operator.Tag("BEGIN"), true, r.begin(s)
	case *ast.Commit:
		res, err := r.end(ctx, s.Pos, "COMMIT", s.Chain)
		return res, true, err
	case *ast.Rollback:
		res, err := r.end(ctx, s.Pos, "ROLLBACK", s.Chain)
		return res, true, err
	case *ast.Savepoint:
		return operator.Tag("SAVEPOINT"), true, r.savepoint(s)
	case *ast.Release:
		return operator.Tag("RELEASE"), true, r.release(s)
	case *ast.RollbackTo:
		return operator.Tag("ROLLBACK"), true, r.rollbackTo(s)
	}
	return nil, false, nil
}

func (r *execution) discard(ctx context.Context) error {
	r.ses.dropPrepared("")
	return errors.Join(r.ses.closeCursors(func(*cursor) bool { return true }), r.discardTemporary(ctx),
		r.ses.Settings.Reset())
}

func (r *execution) set(s *ast.Set) error {
	if model, ok := models.PinnedModel(s.Name); ok {
		if s.Local {
			return plan.Errorf(s.Pos, "55P02", "SET "+s.Name+" = … does", "%s holds for the database, SET LOCAL cannot set it",
				s.Name)
		}
		return r.SetPin(s.Pos, model, s.Value)
	}
	a, err := optarg.Arg(s.Value, r.Env)
	if err != nil {
		return err
	}
	if d := r.ses.Settings.Set.Lookup(s.Name); d != nil {
		if err := r.checkUsing(d.Name, setting.Canonicalise(d, a), placesOf(s.Value)...); err != nil {
			return err
		}
	}
	return r.setTo(s.NamePos, s.Name, a, s.Local)
}

func (r *execution) reset(s *ast.Reset) error {
	if s.Name == "" {
		return r.ses.Settings.Reset()
	}
	if model, ok := models.PinnedModel(s.Name); ok {
		return r.SetPin(s.Pos, model, nil)
	}
	name := r.ses.Settings.Canonical(s.Name)
	if setting.IsBlockMode(name) {
		return plan.Errorf(s.Pos, "55P02", "SET TRANSACTION sets modes of the block, RESET default_"+name+
			" those of blocks to come", "%s cannot be reset", name)
	}
	if r.ses.Settings.Set.Lookup(name) == nil {
		if name == "session_authorization" {
			return nil
		}
		if _, fixed := r.fixedSetting(name); fixed {
			return plan.Errorf(s.Pos, "55P02", "", "%s cannot be set", name)
		}
		if r.engine.SystemSettings.Load().Set.Lookup(name) != nil {
			return databaseSettingError(s.Pos, "ALTER SYSTEM RESET "+name, name)
		}
		return setting.Unknown(s.NamePos, s.Name, &r.ses.Settings.Set)
	}
	return r.ses.Settings.Apply(append(r.ses.Settings.ArgsExcept(name), r.ses.Settings.DefaultOf(name)...))
}

func (r *execution) backup(ctx context.Context, s *ast.Backup) (*operator.Result, error) {
	path, err := r.TextOf(s.Path)
	if err != nil {
		return nil, err
	}
	err = fault.Denied(r.Store.Backup(ctx, r.Backups(), path))
	if errors.Is(err, fs.ErrExist) || errors.Is(err, fs.ErrNotExist) {
		return nil, fault.File(s.Path.Position(), err)
	}
	return operator.Tag("BACKUP"), fault.At(s.Path.Position(), err)
}

func (r *execution) compact(ctx context.Context) (*operator.Result, error) {
	r.Snapshot.Close()
	err := r.Store.Compact(ctx)
	r.Snapshot = r.Store.Snapshot().ForSession(r.ses.Temporary)
	return operator.Tag("COMPACT"), err
}

func (r *execution) clearCache(ctx context.Context, s *ast.ClearCache) (*operator.Result, error) {
	label := ""
	if s.Model != nil {
		m, err := r.Resolve(*s.Model)
		if err != nil {
			return nil, err
		}
		label = fmt.Sprintf("%s@%d", m.Name, m.Version)
	}
	n, err := r.Store.Cache().Clear(ctx, label)
	r.ResultCache.Clear()
	return operator.Tag(fmt.Sprintf("CLEAR CACHE %d", n)), err
}
