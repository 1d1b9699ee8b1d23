package setting

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

// Ceiling is what the sessions of a role may set at most, 0 for no bound.
type Ceiling struct {
	role             storage.Role
	statementTimeout int
	maxResultRows    int
	workMemory       int
	StatementMemory  int
	IdleTimeout      int
}

// declareCeilings declares the settings of the database that bound those of sessions by role.
func (s *Database) declareCeilings() {
	s.Ceilings = make([]Ceiling, len(storage.Roles()))
	for i, role := range storage.Roles() {
		c := &s.Ceilings[i]
		c.role = role
		name := func(setting string) string { return string(role) + "." + setting }
		doc := func(setting string) string {
			return "highest " + setting + " of sessions of the role " + string(role) + ", 0 for any"
		}
		s.Set.Int(&c.statementTimeout, name("statement_timeout"), 0, 0, math.MaxInt32, doc("statement_timeout")).Per("ms")
		s.Set.Int(&c.maxResultRows, name("max_result_rows"), 0, 0, math.MaxInt, doc("max_result_rows"))
		s.Set.Int(&c.workMemory, name("work_memory"), 0, 0, 1<<20, doc("work_memory")).Per("MB")
		s.Set.Int(&c.StatementMemory, name("statement_memory"), 0, 0, 1<<20,
			"statement_memory of sessions of the role "+string(role)+", where it is less than that of the database, 0 for that").Per("MB")
		s.Set.Int(&c.IdleTimeout, name("idle_in_transaction_session_timeout"), 0, 0, math.MaxInt32,
			doc("idle_in_transaction_session_timeout")).Per("ms")
	}
}

// Bound is a setting with its ceiling.
type Bound struct {
	name    string
	value   *int
	Most    int
	Endless bool // 0 stands for no limit
}

func (s *Settings) bounds() []Bound {
	c := s.Ceiling
	return []Bound{
		{"statement_timeout", &s.StatementTimeout, c.statementTimeout, true},
		{"max_result_rows", &s.MaxResultRows, c.maxResultRows, true},
		{"work_memory", &s.WorkMemory, c.workMemory, false},
		{"idle_in_transaction_session_timeout", &s.IdleTimeout, c.IdleTimeout, true},
	}
}

// Beyond reports whether a value exceeds the ceiling.
func (b Bound) Beyond(v int) bool { return b.Most > 0 && (v > b.Most || b.Endless && v == 0) }

// lower keeps the settings below the ceilings of the role, and notes those that were higher.
func (s *Settings) lower() {
	s.lowered = s.lowered[:0]
	if s.Ceiling == nil {
		return
	}
	for _, b := range s.bounds() {
		if b.Beyond(*b.value) {
			*b.value = b.Most
			s.lowered = append(s.lowered, b.name)
		}
	}
}

// Allow sets the arguments, which set the named settings; one beyond its ceiling is an error, and all stays as it was.
func (s *Settings) Allow(pos ast.Pos, args []option.Arg, names ...string) error {
	before := s.args
	if err := s.Apply(args); err != nil {
		return fault.At(pos, optarg.Placed(err, nil))
	}
	for _, name := range names {
		if slices.Contains(s.lowered, name) {
			d := s.Set.Lookup(name)
			err := plan.Errorf(pos, "42501", fmt.Sprintf("an admin can ALTER SYSTEM SET %s.%s", s.Ceiling.role, name),
				"%s of the role %s is at most %s", name, s.Ceiling.role, d.Shown())
			_ = s.Apply(before) // what was taken once is taken again
			return err
		}
	}
	return nil
}
