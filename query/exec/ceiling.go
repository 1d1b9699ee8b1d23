package exec

import (
	"fmt"
	"math"
	"slices"

	"parlance/algo/option"
	"parlance/query/ast"
	"parlance/query/fault"
	"parlance/query/optarg"
	"parlance/query/plan"
	"parlance/storage"
)

// ceiling is what the sessions of a role may set at most, 0 for no bound.
type ceiling struct {
	role             storage.Role
	statementTimeout int
	maxResultRows    int
	workMemory       int
	statementMemory  int
	idleTimeout      int
}

// declareCeilings declares the settings of the database that bound those of sessions by role.
func (s *system) declareCeilings() {
	s.ceilings = make([]ceiling, len(storage.Roles()))
	for i, role := range storage.Roles() {
		c := &s.ceilings[i]
		c.role = role
		name := func(setting string) string { return string(role) + "." + setting }
		doc := func(setting string) string {
			return "highest " + setting + " of sessions of the role " + string(role) + ", 0 for any"
		}
		s.set.Int(&c.statementTimeout, name("statement_timeout"), 0, 0, math.MaxInt32, doc("statement_timeout")).Per("ms")
		s.set.Int(&c.maxResultRows, name("max_result_rows"), 0, 0, math.MaxInt, doc("max_result_rows"))
		s.set.Int(&c.workMemory, name("work_memory"), 0, 0, 1<<20, doc("work_memory")).Per("MB")
		s.set.Int(&c.statementMemory, name("statement_memory"), 0, 0, 1<<20,
			"statement_memory of sessions of the role "+string(role)+", where it is less than that of the database, 0 for that").Per("MB")
		s.set.Int(&c.idleTimeout, name("idle_in_transaction_session_timeout"), 0, 0, math.MaxInt32,
			doc("idle_in_transaction_session_timeout")).Per("ms")
	}
}

// bound is a setting with its ceiling.
type bound struct {
	name    string
	value   *int
	most    int
	endless bool // 0 stands for no limit
}

func (s *Settings) bounds() []bound {
	c := s.ceiling
	return []bound{
		{"statement_timeout", &s.StatementTimeout, c.statementTimeout, true},
		{"max_result_rows", &s.MaxResultRows, c.maxResultRows, true},
		{"work_memory", &s.WorkMemory, c.workMemory, false},
		{"idle_in_transaction_session_timeout", &s.IdleTimeout, c.idleTimeout, true},
	}
}

// beyond reports whether a value exceeds the ceiling.
func (b bound) beyond(v int) bool { return b.most > 0 && (v > b.most || b.endless && v == 0) }

// lower keeps the settings below the ceilings of the role, and notes those that were higher.
func (s *Settings) lower() {
	s.lowered = s.lowered[:0]
	if s.ceiling == nil {
		return
	}
	for _, b := range s.bounds() {
		if b.beyond(*b.value) {
			*b.value = b.most
			s.lowered = append(s.lowered, b.name)
		}
	}
}

// allow sets the arguments, which set the named settings; one beyond its ceiling is an error, and all stays as it was.
func (s *Settings) allow(pos ast.Pos, args []option.Arg, names ...string) error {
	before := s.args
	if err := s.apply(args); err != nil {
		return fault.At(pos, optarg.Placed(err, nil))
	}
	for _, name := range names {
		if slices.Contains(s.lowered, name) {
			d := s.Set.Lookup(name)
			err := plan.Errorf(pos, "42501", fmt.Sprintf("an admin can ALTER SYSTEM SET %s.%s", s.ceiling.role, name),
				"%s of the role %s is at most %s", name, s.ceiling.role, d.Shown())
			_ = s.apply(before) // what was taken once is taken again
			return err
		}
	}
	return nil
}
