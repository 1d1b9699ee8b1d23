package engine

import (
	"context"

	"parlance/algo/option"
	"parlance/query/ast"
	"parlance/query/fault"
	"parlance/query/models"
	"parlance/query/operator"
	"parlance/query/optarg"
	"parlance/query/setting"
)

// applySystem puts the stored settings into effect.
func (e *Engine) applySystem() error {
	s, err := setting.LoadDatabase(e.Store.Settings())
	if err != nil {
		return err
	}
	e.SystemSettings.Store(s)
	e.Pool.Limit(int64(s.MemoryLimit) << 20)
	e.Jobs.Queue.Resize(s.MaxTrainings)
	e.Store.Cache().SetLimit(int64(s.CacheSize) << 20)
	e.ResultCache.Limit(int64(s.CacheSize) << 20)
	return nil
}

// Limits returns the present limits of a server on its clients.
func (e *Engine) Limits() setting.Limits { return e.SystemSettings.Load().Limits }

// alterSystem stores a setting of the database, or the default of a setting of sessions.
func (r *execution) alterSystem(ctx context.Context, s *ast.AlterSystem) (*operator.Result, error) {
	if model, ok := models.PinnedModel(s.Name); ok {
		return operator.Tag(s.Tag()), r.SetPin(s.NamePos, model, s.Value)
	}
	own := r.databaseSettings()
	set := &own.Set
	if set.Lookup(s.Name) == nil {
		set = &setting.New().Set
	}
	if set.Lookup(s.Name) == nil {
		return nil, setting.Unknown(s.NamePos, s.Name, &own.Set, set)
	}
	var args []option.Arg
	d := set.Lookup(s.Name)
	if s.Value != nil {
		a, err := optarg.Arg(s.Value, r.Env)
		if err != nil {
			return nil, err
		}
		a.Name = s.Name
		if err := r.checkUsing(s.Name, a, placesOf(s.Value)...); err != nil {
			return nil, err
		}
		args = append(args, a)
	} else if err := set.Restore([][2]string{{d.Name, d.Default}}); err != nil {
		return nil, err
	}
	if err := set.Apply(args); err != nil {
		return nil, fault.At(s.NamePos, optarg.AtOption(err, nil))
	}
	if err := r.Models.CheckPinned(own.ModelBytes()); err != nil {
		return nil, fault.At(s.NamePos, err)
	}
	if s.Value == nil {
		return r.keepSetting(ctx, s, nil)
	}
	v := d.Value()
	return r.keepSetting(ctx, s, &v)
}

// keepSetting stores a setting of the database, or deletes it if v is nil, and puts it into effect.
func (r *execution) keepSetting(ctx context.Context, s *ast.AlterSystem, v *string) (*operator.Result, error) {
	var err error
	if v == nil {
		err = r.Store.DropSetting(s.Name)
	} else {
		err = r.Store.SetSetting(s.Name, *v)
	}
	if err != nil {
		return nil, err
	}
	if err := r.engine.applySystem(); err != nil {
		return nil, err
	}
	r.engine.Models.Shrink()
	return operator.Tag(s.Tag()), r.Store.Cache().Shrink(ctx)
}

// databaseSettings returns a copy of the stored settings of the database, to be changed.
func (r *execution) databaseSettings() *setting.Database {
	return setting.StoredDatabase(r.Store.Settings())
}
