package exec

import (
	"context"
	"errors"
	"slices"
	"strings"

	"parlance/query/ast"
	"parlance/query/expr"
	"parlance/query/setting"
	"parlance/storage"
	"parlance/storage/guard"
)

// Warm loads the named models with what they read. Without names it loads the pinned models,
// then of every model the version that its bare name stands for, as long as model_memory lasts.
// A model that fails does not keep others from being loaded.
func (e *Database) Warm(ctx context.Context, names []string) (err error) {
	defer guard.Recover(&err, "loading of models")
	named := len(names) > 0
	if !named {
		names = e.Pins()
		for _, o := range e.Store.Objects(storage.ModelObject) {
			if len(e.Store.ModelVersions(o.Name)) > 0 && !slices.Contains(names, o.Name) {
				names = append(names, o.Name)
			}
		}
	}
	ses := &Session{Settings: setting.New()}
	r := &Execution{Database: e, Session: ses, Env: &expr.Env{Ctx: ctx}, withs: &withs{}}
	var errs []error
	for _, name := range names {
		if err := ctx.Err(); err != nil {
			return err
		}
		r.Snapshot = e.Store.Snapshot()
		errs = append(errs, r.warm(name, named))
		r.Snapshot.Close()
	}
	return errors.Join(errs...)
}

// room reports whether a version can be loaded without unloading another.
func (e *Database) room(v storage.ModelVersion) bool {
	e.Models.Mu.Lock()
	defer e.Models.Mu.Unlock()
	return e.Models.Bytes+weightsFactor*v.WeightsBytes <= e.SystemSettings.Load().ModelBytes()
}

// warm loads one model with what it looks into; unless it must be, only where there is room.
func (r *Execution) warm(ref string, must bool) error {
	name, version, _ := strings.Cut(ref, "@")
	v, err := r.Resolve(ast.ModelRef{Name: name, Version: version})
	if err != nil {
		return err
	}
	if !must && !r.pinned(modelKey{name: v.Name, version: v.Version}) && !r.room(v) {
		return nil
	}
	l, err := r.fetch(v.Name, v.Version)
	if err != nil {
		return err
	}
	found := r.Resources(l.meta.Upstream...)
	for _, res := range l.schema.Resources {
		switch storage.ObjectKind(res.Kind) {
		case storage.GazetteerObject:
			_, err = found.Gazetteer(res.Name)
		case storage.LexiconObject:
			_, err = found.Lexicon(res.Name)
		case storage.KBObject:
			_, err = found.KB(res.Name)
		case storage.CorpusObject:
			_, err = found.Corpus(res.Name)
		case storage.ModelObject:
			_, err = found.Model(res.Name)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
