package exec

import (
	"slices"
	"strings"

	"parlance/algo/kind"
	"parlance/query/ast"
	"parlance/query/plan"
	"parlance/storage"
)

// statementRoles says which roles of a schema a statement takes.
type statementRoles struct {
	verb  string // TRAIN or EVALUATE
	of    string // the kind
	takes func(*kind.Role) bool
}

// split sorts the inputs of a statement by role, "" for those without one. Roles that the statement does not take are
// refused, and so is a statement that lacks an input.
func (x statementRoles) split(at ast.Pos, list []ast.Input, s *kind.Schema) (map[string][]ast.Input, error) {
	var names []string
	for i := range s.Roles {
		if x.takes(&s.Roles[i]) {
			names = append(names, s.Roles[i].Name)
		}
	}
	out := map[string][]ast.Input{}
	for _, in := range list {
		if in.Role != "" && !slices.Contains(names, in.Role) {
			return nil, plan.Errorf(in.Pos, plan.CodeInvalid, "roles: "+OrText(strings.Join(names, ", "), "none"), "%s takes no input as %s", x.of, in.Role)
		}
		out[in.Role] = append(out[in.Role], in)
	}
	if len(out[""]) == 0 {
		return nil, plan.Errorf(at, plan.CodeInvalid, x.verb+" … ON name, …", "one input has no role: the one that %s is mainly about", x.of)
	}
	for _, name := range names {
		if role := s.Role(name); x.verb == "TRAIN" && !role.Optional && out[name] == nil {
			return nil, plan.Errorf(at, plan.CodeInvalid, x.verb+" … ON "+out[""][0].Name+", name AS "+name+"; it holds "+role.Doc, "%s of %s wants an input AS %s", x.verb, x.of, name)
		}
	}
	return out, nil
}

// openRole plans the inputs of a role: tables, or documents in the units of the schema.
func (r *Execution) openRole(list []ast.Input, using []ast.ModelRef, self *plan.ModelUse, s *kind.Schema, role *kind.Role, predicted bool, reader string) (*input, error) {
	if len(role.Tables) > 0 {
		return r.tableInputs(list, role.Tables, reader)
	}
	for _, in := range list {
		o, ok := r.Snapshot.Object(in.Name)
		if !ok || o.Kind != storage.CorpusObject {
			continue // planning the input says so
		}
		if what := r.missingGold(o, role.Learns); what != "" {
			return nil, plan.Errorf(in.Pos, plan.CodeState, "it stores "+r.storedNames(o), "%s learns %s of the input AS %s, which corpus %s does not store", reader, what, role.Name, in.Name)
		}
	}
	use := useOf(s, role.Learns, predicted)
	use.reads = role.Reads
	return r.inputs(list, using, self, use)
}
