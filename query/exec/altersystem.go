package exec

import (
	"context"

	"parlance/algo/option"
	"parlance/query/ast"
	"parlance/query/fault"
	"parlance/query/operator"
	"parlance/query/optarg"
)

// applySystem puts the kept settings into effect.
func (e *Engine) applySystem() error {
	s, err := loadSystem(e.Store.Settings())
	if err != nil {
		return err
	}
	e.system.Store(s)
	e.pool.Limit(int64(s.memoryLimit) << 20)
	e.trainings.resize(s.maxTrainings)
	e.Store.Cache().SetLimit(int64(s.cacheSize) << 20)
	e.recall.limit(int64(s.cacheSize) << 20)
	return nil
}

// Limits returns the bounds that a server keeps, as they are set now.
func (e *Engine) Limits() Limits { return e.system.Load().limits }

// alterSystem keeps a setting of the database, or the default of a setting of sessions.
func (r *run) alterSystem(ctx context.Context, s *ast.AlterSystem) (*operator.Result, error) {
	if model, ok := pinName(s.Name); ok {
		return operator.Tag("ALTER SYSTEM"), r.pinModel(s.Pos, model, s.Value)
	}
	own := r.databaseSettings()
	set := &own.set
	if set.Lookup(s.Name) == nil {
		set = &NewSettings().Set
	}
	if set.Lookup(s.Name) == nil {
		return nil, unknownSetting(s.Pos, s.Name, &own.set, set)
	}
	var args []option.Arg
	d := set.Lookup(s.Name)
	if s.Value != nil {
		a, err := optarg.Arg(s.Value, r.env)
		if err != nil {
			return nil, err
		}
		a.Name = s.Name
		if err := r.checkUsing(s.Pos, s.Name, a); err != nil {
			return nil, err
		}
		args = append(args, a)
	} else if err := set.Restore([][2]string{{d.Name, d.Default}}); err != nil {
		return nil, err
	}
	if err := set.Apply(args); err != nil {
		return nil, fault.At(s.Pos, optarg.Placed(err, nil))
	}
	if err := r.pinsFit(own.modelBytes()); err != nil {
		return nil, fault.At(s.Pos, err)
	}
	if s.Value == nil {
		return r.keepSetting(ctx, s.Name, nil)
	}
	v := d.Value()
	return r.keepSetting(ctx, s.Name, &v)
}

// keepSetting keeps a setting of the database, nil for its default, and puts it into effect.
func (r *run) keepSetting(ctx context.Context, name string, v *string) (*operator.Result, error) {
	var err error
	if v == nil {
		err = r.Store.DropSetting(name)
	} else {
		err = r.Store.SetSetting(name, *v)
	}
	if err != nil {
		return nil, err
	}
	if err := r.Engine.applySystem(); err != nil {
		return nil, err
	}
	r.Engine.shrink()
	return operator.Tag("ALTER SYSTEM"), r.Store.Cache().Shrink(ctx)
}

// databaseSettings are the settings of the database as they are kept, to be changed.
func (r *run) databaseSettings() *system {
	return keptSystem(r.Store.Settings())
}
