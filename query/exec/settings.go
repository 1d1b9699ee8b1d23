package exec

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"parlance/algo/option"
	"parlance/query/plan"
	"parlance/storage"
)

// Settings are the settings of a session, declared as options.
type Settings struct {
	Cache        string
	DefaultModel string
	Workers      int
	WorkMemory   int
	RulesOff     []string
	Set          option.Set
	args         []option.Arg // set by SET
	defaults     []option.Arg // what RESET goes back to
}

// NewSettings returns the settings with their defaults.
func NewSettings() *Settings {
	s := &Settings{}
	s.Set.Choice(&s.Cache, "cache", "on", []string{"on", "off"}, "whether predictions are looked up and kept in the cache")
	s.Set.Text(&s.DefaultModel, "default_model", "", "model to take where several write a layer and USING names none")
	s.Set.Int(&s.Workers, "workers", 0, 0, 1024, "goroutines that annotate and train, 0 for one a core; answers do not depend on it")
	s.Set.Int(&s.WorkMemory, "work_memory", 256, 1, 1<<20, "what a sort, a grouping, a join or a window may hold in memory before it uses temporary files (in the folder TMPDIR)").Per("MB")
	s.Set.List(&s.RulesOff, "rules_off", nil, "optimiser rules to leave out, to see what they are worth: "+strings.Join(plan.RuleNames(), ", "))
	s.Set.Check("rules_off", func() error {
		for _, r := range s.RulesOff {
			if names := plan.RuleNames(); !slices.Contains(names, r) {
				return fmt.Errorf("there is no rule %s%s; rules are %s", r, option.DidYouMean(r, names), strings.Join(names, ", "))
			}
		}
		return nil
	})
	return s
}

// given returns what SET has set, but for the named one.
func (s *Settings) given(but string) []option.Arg {
	var out []option.Arg
	for _, a := range s.args {
		if a.Name != but {
			out = append(out, a)
		}
	}
	return out
}

// apply sets the arguments over the defaults; if one is wrong, all stays as it was.
func (s *Settings) apply(args []option.Arg) error {
	var defaults [][2]string
	for _, d := range s.Set.Decls() {
		defaults = append(defaults, [2]string{d.Name, d.Default})
	}
	if err := s.Set.Restore(defaults); err != nil {
		return err
	}
	if err := s.Set.Apply(args); err != nil {
		return errors.Join(err, s.Set.Restore(defaults), s.Set.Apply(s.args))
	}
	s.args = args
	return nil
}

// system are the settings of the database, which ALTER SYSTEM sets.
type system struct {
	cacheSize int
	set       option.Set
}

func systemSettings() *system {
	s := &system{}
	s.set.Int(&s.cacheSize, "cache_size", 256, 0, 1<<20, "bound of the prediction cache").Per("MB")
	return s
}

// applySystem puts the kept settings into effect.
func (e *Engine) applySystem() error {
	s := systemSettings()
	var args [][2]string
	for name, v := range e.Store.Settings() {
		args = append(args, [2]string{name, v})
	}
	if err := s.set.Restore(args); err != nil {
		return err
	}
	e.Store.Cache().SetLimit(int64(s.cacheSize) << 20)
	return nil
}

// settingRows lists session and database settings: name, value, default, scope, doc.
func (r *run) settingRows() [][5]string {
	var out [][5]string
	for _, d := range r.ses.Settings.Set.Decls() {
		out = append(out, [5]string{d.Name, d.Value(), d.Default, "session", d.Doc + unit(d)})
	}
	sys := systemSettings()
	for _, d := range sys.set.Decls() {
		v := d.Default
		if x, ok := r.Store.Setting(d.Name); ok {
			v = x
		}
		out = append(out, [5]string{d.Name, v, d.Default, "database", d.Doc + unit(d)})
	}
	return out
}

func unit(d *option.Decl) string {
	if d.Unit == "" {
		return ""
	}
	return ", in " + d.Unit
}

// NamedOptions are the options of a statement.
type NamedOptions struct {
	Name string
	Set  *option.Set
}

// CommonOptions returns the options that statements have whatever they name.
func CommonOptions() []NamedOptions {
	_, checkSet := newCheckOptions()
	return []NamedOptions{
		{"CREATE CORPUS", objectOptions(storage.CorpusObject)},
		{"CREATE GAZETTEER", objectOptions(storage.GazetteerObject)},
		{"CREATE LEXICON", objectOptions(storage.LexiconObject)},
		{"CREATE FULLTEXT INDEX", indexOptions(&fulltextOptions{})},
		{"LOAD, besides those of the format", &newLoadOptions().set},
		{"TRAIN, besides those of the kind", &newTrainOptions().set},
		{"EVALUATE", &newEvaluateOptions().set},
		{"CHECK CORPUS and check(corpus)", checkSet},
		{"DIFF MODEL", &newDiffOptions().set},
		{"features(TEXT …)", &newFeatureOptions().set},
		{"SET, for the session", &NewSettings().Set},
		{"ALTER SYSTEM SET, for the database", &systemSettings().set},
	}
}
