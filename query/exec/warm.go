package exec

import (
	"context"
	"strings"

	"parlance/query/ast"
	"parlance/query/expr"
	"parlance/storage"
)

// Warm loads the named models, or of every model the version that its bare name stands for,
// and what they read.
func (e *Engine) Warm(ctx context.Context, ses *Session, names []string) (err error) {
	defer recovered(&err, "loading of models")
	if len(names) == 0 {
		for _, o := range e.Store.Objects(storage.ModelObject) {
			if len(e.Store.ModelVersions(o.Name)) > 0 {
				names = append(names, o.Name)
			}
		}
	}
	r := &run{Engine: e, ses: ses, env: &expr.Env{Ctx: ctx}, withs: &withs{}}
	for _, name := range names {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := r.warm(name); err != nil {
			return err
		}
	}
	return nil
}

// warm loads one model with its gazetteers and lexicons.
func (r *run) warm(ref string) error {
	name, version, _ := strings.Cut(ref, "@")
	v, err := r.resolve(ast.ModelRef{Name: name, Version: version})
	if err != nil {
		return err
	}
	l, err := r.fetch(v.Name, v.Version)
	if err != nil {
		return err
	}
	for _, res := range l.model.Schema().Resources {
		switch storage.ObjectKind(res.Kind) {
		case storage.GazetteerObject:
			_, err = r.resources().Gazetteer(res.Name)
		case storage.LexiconObject:
			_, err = r.resources().Lexicon(res.Name)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
