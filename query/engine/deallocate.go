package engine

import (
	"parlance/query/ast"
	"parlance/query/operator"
	"parlance/query/plan"
)

// dropPrepared drops the protocol's prepared statement of a name, or all for an empty name, and reports whether there
// was one.
func (s *Session) dropPrepared(name string) bool {
	return s.OnDeallocate != nil && s.OnDeallocate(name)
}

func (r *execution) deallocate(s *ast.Deallocate) (*operator.Result, error) {
	found := r.ses.dropPrepared(s.Name)
	switch {
	case s.Name == "":
		return operator.Tag("DEALLOCATE ALL"), nil
	case !found:
		return nil, plan.Errorf(s.Pos, "26000", "", "there is no prepared statement %.100q", s.Name)
	}
	return operator.Tag("DEALLOCATE"), nil
}
