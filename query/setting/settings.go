package setting

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"parlance/algo/option"
	"parlance/query/optimise"
)

// Settings are the settings of a session, declared as options.
type Settings struct {
	Cache        string
	DefaultModel string
	Using        []string
	Workers      int
	WorkMemory   int
	RulesOff     []string
	// StatementTimeout in milliseconds, MaxResultRows and MaxRecursionRows are limits, 0 for none.
	StatementTimeout int
	MaxResultRows    int
	MaxRecursionRows int
	Seed             float64
	ClientSettings
	Set          option.Set
	Report       func(name, value string) // is called with changes of reported settings; may be nil
	lastReported []string                 // their values at its last call
	block        *BlockSettings           // nil outside a transaction block
	args         []option.Arg             // given by SET
	resetTo      []option.Arg             // restored by RESET
	RoleLimit    *RoleLimit               // of the role, nil for none
	lowered      []string                 // names of settings that it has lowered
	database     *Database                // whose defaults are in effect
}

// New returns the settings with their defaults.
func New() *Settings {
	s := &Settings{}
	s.Set.Choice(&s.Cache, "cache", "on", []string{"on", "off"}, "whether predictions are looked up and kept in the cache")
	s.Set.Text(&s.DefaultModel, "default_model", "", "model to take where several write a layer and USING names none")
	s.Set.List(&s.Using, "using", nil,
		"models, name or name@version, that annotate text and corpora where a statement names none: "+
			"each gives the layers that it writes, and what the others read. Of corpora what is stored comes first, "+
			"and none cuts "+
			"their text anew")
	s.Set.Int(&s.Workers, "workers", 0, 0, 1024,
		"goroutines that annotate and train, 0 for one a core; answers do not depend on it")
	s.Set.Int(&s.WorkMemory, "work_memory", 256, 1, 1<<20, "what a sort, a grouping, a join or a window may hold in "+
		"memory before it uses temporary files (in the folder TMPDIR)").Per("MB")
	s.Set.List(&s.RulesOff, "rules_off", nil, "optimiser rules to leave out, to see what they are worth: "+
		strings.Join(optimise.RuleNames(), ", "))
	s.Set.Int(&s.StatementTimeout, "statement_timeout", 0, 0, math.MaxInt32, "what a statement may take from its "+
		"arrival to the end of its rows, 0 for no limit; TRAIN, RESUME JOB and REPLAY are exempt").Per("ms")
	s.Set.Int(&s.MaxResultRows, "max_result_rows", 0, 0, math.MaxInt, "rows that a statement may return, 0 for no limit")
	s.Set.Int(&s.MaxRecursionRows, "max_recursion_rows", 10_000_000, 0, math.MaxInt,
		"rows that a select of WITH RECURSIVE may give, 0 for no limit")
	s.Set.Float(&s.Seed, "seed", 0, -1, 1, "what the numbers of random() depend on: since it was set, the first "+
		"statement that calls random() gets the same ones again, and so on")
	s.declareClient()
	s.Set.Check("rules_off", func() error {
		for _, r := range s.RulesOff {
			if names := optimise.RuleNames(); !slices.Contains(names, r) {
				return fmt.Errorf("there is no rule %s%s; rules are %s", r, option.DidYouMean(r, names), strings.Join(names, ", "))
			}
		}
		return nil
	})
	return s
}

// Models is a key of the settings that choose the models that annotate.
func (s *Settings) Models() string {
	return s.DefaultModel + "\x00" + strings.Join(s.Using, "\x00")
}

// ArgsExcept returns the arguments that SET gave, without those of one setting.
func (s *Settings) ArgsExcept(but string) []option.Arg {
	var out []option.Arg
	for _, a := range s.args {
		if a.Name != but {
			out = append(out, a)
		}
	}
	return out
}

// Apply sets the arguments over the defaults. If one is wrong, no setting changes.
func (s *Settings) Apply(args []option.Arg) error {
	if err := s.defaults(); err != nil {
		return err
	}
	if err := s.Set.Apply(args); err != nil {
		err = errors.Join(err, s.defaults(), s.Set.Apply(s.args))
		s.applyRoleLimit()
		return err
	}
	s.args = args
	s.applyRoleLimit()
	s.report()
	return nil
}

// defaults restores the defaults: those of the database, else those of the program.
func (s *Settings) defaults() error {
	var list [][2]string
	for _, d := range s.Set.Decls() {
		list = append(list, [2]string{d.Name, s.DefaultValue(d)})
	}
	return s.Set.Restore(list)
}

// DefaultValue is the value of a setting that SET has not set.
func (s *Settings) DefaultValue(d *option.Decl) string {
	if s.database != nil {
		if v, ok := s.database.sessions[d.Name]; ok {
			return v
		}
	}
	return d.Default
}

// FollowDatabase applies the defaults of the database and the limits of the role, if they have changed.
func (s *Settings) FollowDatabase(base *Database, most *RoleLimit) {
	if s.database == base && s.RoleLimit == most {
		return
	}
	changed := s.RoleLimit != most || base.sessions != nil || s.database != nil && s.database.sessions != nil
	if s.database, s.RoleLimit = base, most; changed {
		_ = s.Apply(s.args) // the arguments were accepted when they were given
	}
}

func Unit(d *option.Decl) string {
	if d.Unit == "" {
		return ""
	}
	return ", in " + d.Unit
}
