package exec

import (
	"cmp"
	"slices"
	"strings"

	"parlance/algo/option"
	"parlance/query/ast"
	"parlance/query/fault"
	"parlance/query/optarg"
	"parlance/query/plan"
	"parlance/storage"
)

// PinPrefix begins the names of the settings that keep models in memory. What is pinned is the version
// that the bare name of the model means.
const PinPrefix = "pin."

func PinName(setting string) (string, bool) { return strings.CutPrefix(setting, PinPrefix) }

// pinned reports whether a version is never unloaded.
func (e *Database) pinned(k ModelKey) bool {
	if k.options != "" {
		return false
	}
	if on, _ := e.Store.Setting(PinPrefix + k.Name); on != "true" {
		return false
	}
	v, err := e.Version(e.Store, ast.ModelRef{Name: k.Name})
	return err == nil && v.Version == k.Version
}

// Pins lists the pinned models.
func (e *Database) Pins() []string {
	var out []string
	for name, v := range e.Store.Settings() {
		model, ok := PinName(name)
		if _, found := e.Store.Object(model); ok && found && v == "true" {
			out = append(out, model)
		}
	}
	slices.Sort(out)
	return out
}

// PinModel loads a model and keeps it in memory, or lets go of it; v is nil for RESET.
func (r *Execution) PinModel(pos ast.Pos, model string, v ast.OptionValue) error {
	on := false
	if v != nil {
		a, err := optarg.Arg(v, r.Env)
		if err != nil {
			return err
		}
		var set option.Set
		set.Bool(&on, PinPrefix+model, false, "whether the model stays in memory")
		a.Name = PinPrefix + model
		if err := set.Apply([]option.Arg{a}); err != nil {
			return fault.At(pos, optarg.AtOption(err, nil))
		}
	}
	o, ok := r.Snapshot.Object(model)
	if on && (!ok || o.Kind != storage.ModelObject) {
		return plan.Errorf(pos, plan.CodeUndefinedObject, r.SuggestModel(model), "there is no model %s", model)
	}
	if !on {
		return r.Unpin(model)
	}
	version, err := r.Resolve(ast.ModelRef{Pos: pos, Name: model})
	if err != nil {
		return err
	}
	l, err := r.Fetch(model, version.Version)
	if err != nil {
		return fault.At(pos, err)
	}
	r.Models.pinning.Lock()
	defer r.Models.pinning.Unlock()
	r.Models.Mu.Lock()
	err = r.admit(ModelKey{Name: model, Version: version.Version}, l.bytes)
	r.Models.Mu.Unlock()
	if err != nil {
		return fault.At(pos, err)
	}
	return r.Store.SetSetting(PinPrefix+model, "true")
}

func (e *Database) Unpin(model string) error {
	if _, ok := e.Store.Setting(PinPrefix + model); !ok {
		return nil
	}
	if err := e.Store.DropSetting(PinPrefix + model); err != nil {
		return err
	}
	e.Shrink()
	return nil
}

// Shrink unloads what no longer fits.
func (e *Database) Shrink() {
	e.Models.Mu.Lock()
	defer e.Models.Mu.Unlock()
	e.trim(nil)
}

// PinsFit checks that the pinned models fit into so many bytes.
func (e *Database) PinsFit(most int64) error {
	e.Models.Mu.Lock()
	defer e.Models.Mu.Unlock()
	sum := int64(0)
	for _, s := range e.Models.M {
		if e.pinned(s.key) {
			sum += s.Bytes
		}
	}
	if sum <= most {
		return nil
	}
	return &ast.Error{Code: codeMemory, Msg: "the pinned models take " + megabytes(sum), Hint: "SHOW LOADED_MODELS tells which; RESET pin.MODEL lets go of one"}
}

func compareKeys(a, b ModelKey) int {
	return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Version, b.Version), cmp.Compare(a.options, b.options))
}
