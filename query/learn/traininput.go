package learn

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"parlance/algo/kind"
	"parlance/algo/option"
	"parlance/query/ast"
	"parlance/query/fault"
	"parlance/query/input"
	"parlance/query/optarg"
	"parlance/query/plan"
	"parlance/query/relation"
	"parlance/storage/catalog"
)

// checkResources finds the objects that options name, and pins the models among them.
func (t *training) checkResources() error {
	pins := t.pins
	t.pins = nil
	for _, res := range t.schema.Resources {
		ref, err := t.r.Refer(res, pins)
		if err != nil {
			return fault.At(t.place(res), err)
		}
		if o := ref.Object; o != nil && o.Temporary != 0 {
			return plan.Errorf(t.place(res), plan.CodeFeature, fmt.Sprintf("models read it for as long as they are there: "+
				"CREATE %s name AS SELECT * FROM %s makes one that stays", strings.ToUpper(string(o.Kind)),
				ast.QuoteName(o.Name)), "%s is temporary, so no model can read it", o.Name)
		}
		if ref.Object == nil {
			t.pins = append(t.pins, t.r.ResourcePin(ref))
		}
	}
	return nil
}

// place is the position of the option that names a resource.
func (t *training) place(res kind.Resource) ast.Pos {
	for _, o := range t.stmt.With {
		a, err := optarg.Arg(o.Value, t.r.Env)
		if err == nil &&
			(a.Text() == res.Name || slices.ContainsFunc(a.List, func(x option.Arg) bool { return x.Text() == res.Name })) {
			return o.Pos
		}
	}
	return t.optionPlace("features") // the templates name it
}

// bindInputs plans ON, VALIDATE and the model of FROM, whose weights the training starts with.
func (t *training) bindInputs() error {
	s, predicted := t.stmt, t.engine.inputs == "predicted"
	if len(s.Validate) > 0 && len(t.schema.Writes)+len(t.schema.Scores) == 0 {
		return plan.Errorf(s.Validate[0].Pos, plan.CodeWrongKind, "leave VALIDATE out",
			"%s writes no layer that could be scored", t.kind.Name)
	}
	roles := input.StatementRoles{Verb: "TRAIN", Of: t.kind.Name, Takes: func(r *kind.Role) bool { return r.Train }}
	byRole, err := roles.Split(s.On[0].Pos, s.On, &t.schema)
	if err != nil {
		return err
	}
	open := func(list []ast.Input, tables []kind.TableUse, gold []kind.LayerUse) (*input.Input, error) {
		if len(tables) > 0 {
			return input.TableInputs(t.r, list, tables, t.kind.Name)
		}
		for _, in := range list {
			if err := t.checkGold(in, t.kind.Name, gold); err != nil {
				return nil, err
			}
		}
		return input.Inputs(t.r, list, s.Using, nil, input.UseOf(&t.schema, gold, predicted))
	}
	if t.on, err = open(byRole[""], t.schema.Tables, t.schema.Learns); err != nil {
		return err
	}
	for i := range t.schema.Roles {
		role := &t.schema.Roles[i]
		list := byRole[role.Name]
		if list == nil {
			continue
		}
		if t.roles[role.Name], err = input.OpenRole(t.r, list, s.Using, nil, &t.schema, role, predicted,
			t.kind.Name); err != nil {
			return err
		}
	}
	if len(s.Validate) > 0 {
		if t.valid, err = open(s.Validate, t.schema.Scores, input.ScoredGold(&t.schema)); err != nil {
			return err
		}
	}
	return t.bindInit()
}

// checkUsing refuses models of USING that supply none of the layers that are read.
func (t *training) checkUsing() error {
	for _, ref := range t.stmt.Using {
		m, err := t.r.Model(ref)
		if err != nil {
			return err
		}
		used := false
		for _, in := range t.allInputs() {
			used = used || slices.ContainsFunc(in.Models(), func(u plan.ModelUse) bool { return u.String() == m.String() })
		}
		if !used {
			return plan.Errorf(ref.Pos, plan.CodeWrongKind,
				fmt.Sprintf("it writes %s; %s reads %s", cmp.Or(relation.LayerUses(m.Schema.Writes), "nothing"), t.kind.Name,
					cmp.Or(relation.LayerUses(t.schema.Reads), "no layer")), "%s supplies nothing that %s reads", m, t.kind.Name)
		}
	}
	return nil
}

func (t *training) bindInit() error {
	if t.engine.init == "" {
		return nil
	}
	name, version, _ := strings.Cut(t.engine.init, "@")
	pos := t.optionPlace("init")
	v, err := t.r.Resolve(ast.ModelRef{Pos: pos, Name: name, Version: version})
	if err != nil {
		return err
	}
	if t.init, err = t.r.Fetch(v.Name, v.Version); err != nil {
		return err
	}
	if t.init.Kind.Name != t.kind.Name {
		return plan.Errorf(pos, plan.CodeWrongKind, "", "init: model %s is a %s, not a %s", t.engine.init,
			t.init.Kind.Name, t.kind.Name)
	}
	return nil
}

// checkGold checks that a corpus stores the gold layers that are learned or scored against.
func (t *training) checkGold(in ast.Input, learner string, gold []kind.LayerUse) error {
	o, ok := t.r.Snapshot.Object(in.Name)
	if !ok || o.Kind != catalog.CorpusObject {
		return nil // planning the input reports the error
	}
	if t.r.Snapshot.Count(o) == 0 {
		what := "train on"
		if t.validates(in) {
			what = "score in VALIDATE"
		}
		return plan.Errorf(in.Pos, "02000", "LOAD documents into it", "nothing to %s: corpus %s is empty", what, in.Name)
	}
	what := input.MissingGold(t.r, o, gold)
	switch {
	case what == "":
		return nil
	case t.validates(in):
		return plan.Errorf(in.Pos, plan.CodeState, "it stores "+input.StoredNames(t.r, o),
			"corpus %s stores no gold %s to score %s against", in.Name, what, learner)
	}
	return plan.Errorf(in.Pos, plan.CodeState, "it stores "+input.StoredNames(t.r, o),
		"%s learns %s, which corpus %s does not store", learner, what, in.Name)
}

// validates reports whether an input belongs to VALIDATE.
func (t *training) validates(in ast.Input) bool {
	return slices.ContainsFunc(t.stmt.Validate, func(v ast.Input) bool { return v.Pos == in.Pos })
}
