package exec

import (
	"context"
	"errors"
	"slices"

	"parlance/query/expr"
	"parlance/query/setting"
	"parlance/storage/catalog"
	"parlance/storage/guard"
)

// Warm loads the named models with what they read. Without names it loads the pinned models, then of every model the
// version that its bare name stands for, as long as model_memory lasts. A model that fails does not keep others from
// being loaded.
func (e *Database) Warm(ctx context.Context, names []string) (err error) {
	defer guard.Recover(&err, "loading of models")
	named := len(names) > 0
	if !named {
		names = e.Models.Pinned()
		for _, o := range e.Store.Objects(catalog.ModelObject) {
			if len(e.Store.Model(o.Name).Versions) > 0 && !slices.Contains(names, o.Name) {
				names = append(names, o.Name)
			}
		}
	}
	ses := &Session{Settings: setting.New()}
	r := &Execution{Database: e, Session: ses, Withs: &WithResults{}}
	r.Set, r.Declared, r.Env = &e.Models, &e.Builtin, &expr.Env{Ctx: ctx, Runner: r}
	var errs []error
	for _, name := range names {
		if err := ctx.Err(); err != nil {
			return err
		}
		r.Snapshot = e.Store.Snapshot()
		errs = append(errs, r.Resolver.Warm(name, named, r))
		r.Snapshot.Close()
	}
	return errors.Join(errs...)
}
