package engine

import (
	"parlance/query/ast"
	"parlance/query/operator"
	"parlance/query/plan"
)

// forget has the protocol forget a prepared statement, or all for an empty name, and tells whether there was one.
func (s *Session) forget(name string) bool { return s.Forget != nil && s.Forget(name) }

func (r *execution) deallocate(s *ast.Deallocate) (*operator.Result, error) {
	found := r.ses.forget(s.Name)
	switch {
	case s.Name == "":
		return operator.Tag("DEALLOCATE ALL"), nil
	case !found:
		return nil, plan.Errorf(s.Pos, "26000", "", "there is no prepared statement %.100q", s.Name)
	}
	return operator.Tag("DEALLOCATE"), nil
}
