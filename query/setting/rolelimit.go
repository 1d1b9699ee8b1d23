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
	"parlance/storage/accounts"
)

// RoleLimit are the highest values that sessions of a role may set, 0 for no limit.
type RoleLimit struct {
	role             accounts.Role
	statementTimeout int
	maxResultRows    int
	workMemory       int
	StatementMemory  int
	IdleTimeout      int
}

// declareRoleLimits declares the settings of the database that limit those of sessions, such as reader.work_memory.
func (s *Database) declareRoleLimits() {
	s.RoleLimits = make([]RoleLimit, len(accounts.Roles()))
	for i, role := range accounts.Roles() {
		c := &s.RoleLimits[i]
		c.role = role
		name := func(setting string) string { return string(role) + "." + setting }
		doc := func(setting string) string {
			return "highest " + setting + " of sessions of the role " + string(role) + ", 0 for any"
		}
		s.Set.Int(&c.statementTimeout, name("statement_timeout"), 0, 0, math.MaxInt32, doc("statement_timeout")).Per("ms")
		s.Set.Int(&c.maxResultRows, name("max_result_rows"), 0, 0, math.MaxInt, doc("max_result_rows"))
		s.Set.Int(&c.workMemory, name("work_memory"), 0, 0, 1<<20, doc("work_memory")).Per("MB")
		s.Set.Int(&c.StatementMemory, name("statement_memory"), 0, 0, 1<<20,
			"statement_memory of sessions of the role "+string(role)+
				", where it is less than that of the database, 0 for that").Per("MB")
		s.Set.Int(&c.IdleTimeout, name("idle_in_transaction_session_timeout"), 0, 0, math.MaxInt32,
			doc("idle_in_transaction_session_timeout")).Per("ms")
	}
}

// LimitedSetting is a setting with its limit.
type LimitedSetting struct {
	name            string
	value           *int
	Limit           int
	ZeroIsUnlimited bool // the value 0 means no limit, and exceeds any
}

func (s *Settings) limitedSettings() []LimitedSetting {
	c := s.RoleLimit
	return []LimitedSetting{
		{"statement_timeout", &s.StatementTimeout, c.statementTimeout, true},
		{"max_result_rows", &s.MaxResultRows, c.maxResultRows, true},
		{"work_memory", &s.WorkMemory, c.workMemory, false},
		{"idle_in_transaction_session_timeout", &s.IdleTimeout, c.IdleTimeout, true},
	}
}

// Exceeds reports whether a value exceeds the limit.
func (b LimitedSetting) Exceeds(v int) bool {
	return b.Limit > 0 && (v > b.Limit || b.ZeroIsUnlimited && v == 0)
}

// applyRoleLimit lowers the settings that exceed the limits of the role, and records them in lowered.
func (s *Settings) applyRoleLimit() {
	s.lowered = s.lowered[:0]
	if s.RoleLimit == nil {
		return
	}
	for _, b := range s.limitedSettings() {
		if b.Exceeds(*b.value) {
			*b.value = b.Limit
			s.lowered = append(s.lowered, b.name)
		}
	}
}

// ApplyWithinLimit sets the arguments, which set the named settings. A value above the limit of the role is an error,
// and no setting changes.
func (s *Settings) ApplyWithinLimit(pos ast.Pos, args []option.Arg, names ...string) error {
	before := s.args
	if err := s.Apply(args); err != nil {
		return fault.At(pos, optarg.AtOption(err, nil))
	}
	for _, name := range names {
		if slices.Contains(s.lowered, name) {
			d := s.Set.Lookup(name)
			err := plan.Errorf(pos, "42501", fmt.Sprintf("an admin can ALTER SYSTEM SET %s.%s", s.RoleLimit.role, name),
				"%s of the role %s is at most %s", name, s.RoleLimit.role, d.Shown())
			_ = s.Apply(before) // what was taken once is taken again
			return err
		}
	}
	return nil
}
