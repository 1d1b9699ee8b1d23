package input

import (
	"cmp"
	"slices"
	"strings"

	"parlance/algo/kind"
	"parlance/query/ast"
	"parlance/query/exec"
	"parlance/query/plan"
	"parlance/storage/catalog"
)

// StatementRoles are the roles of inputs that a statement accepts.
type StatementRoles struct {
	Verb  string // TRAIN or EVALUATE
	Of    string // the kind
	Takes func(*kind.Role) bool
}

// Split groups the inputs of a statement by role, "" for those without one. A role that the statement does not accept
// is an error, and so is a missing input.
func (x StatementRoles) Split(at ast.Pos, list []ast.Input, s *kind.Schema) (map[string][]ast.Input, error) {
	var names []string
	for i := range s.Roles {
		if x.Takes(&s.Roles[i]) {
			names = append(names, s.Roles[i].Name)
		}
	}
	out := map[string][]ast.Input{}
	for _, in := range list {
		if in.Role != "" && !slices.Contains(names, in.Role) {
			return nil, plan.Errorf(in.Pos, plan.CodeInvalid, "roles: "+cmp.Or(strings.Join(names, ", "), "none"),
				"%s takes no input as %s", x.Of, in.Role)
		}
		out[in.Role] = append(out[in.Role], in)
	}
	if len(out[""]) == 0 {
		return nil, plan.Errorf(at, plan.CodeInvalid, x.Verb+" … ON name, …",
			"one input has no role: the one that %s is mainly about", x.Of)
	}
	for _, name := range names {
		if role := s.Role(name); x.Verb == "TRAIN" && !role.Optional && out[name] == nil {
			return nil, plan.Errorf(at, plan.CodeInvalid, x.Verb+" … ON "+out[""][0].Name+", name AS "+name+"; it holds "+
				role.Doc, "%s of %s wants an input AS %s", x.Verb, x.Of, name)
		}
	}
	return out, nil
}

// OpenRole plans the inputs of a role: tables, or documents in the units of the schema.
func OpenRole(r *exec.Execution, list []ast.Input, using []ast.ModelRef, self *plan.ModelUse, s *kind.Schema,
	role *kind.Role, predicted bool, reader string) (*Input, error) {
	if len(role.Tables) > 0 {
		return TableInputs(r, list, role.Tables, reader)
	}
	for _, in := range list {
		o, ok := r.Snapshot.Object(in.Name)
		if !ok || o.Kind != catalog.CorpusObject {
			continue // planning the input says so
		}
		if what := MissingGold(r, o, role.Learns); what != "" {
			return nil, plan.Errorf(in.Pos, plan.CodeState, "it stores "+StoredNames(r, o),
				"%s learns %s of the input AS %s, which corpus %s does not store", reader, what, role.Name, in.Name)
		}
	}
	use := UseOf(s, role.Learns, predicted)
	use.reads = role.Reads
	return Inputs(r, list, using, self, use)
}
