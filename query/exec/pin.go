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

// pinPrefix begins the names of the settings that keep models in memory. What is pinned is the version
// that the bare name of the model means.
const pinPrefix = "pin."

func pinName(setting string) (string, bool) { return strings.CutPrefix(setting, pinPrefix) }

// pinned reports whether a version is never unloaded.
func (e *Database) pinned(k modelKey) bool {
	if on, _ := e.Store.Setting(pinPrefix + k.name); on != "true" {
		return false
	}
	v, err := e.version(e.Store, ast.ModelRef{Name: k.name})
	return err == nil && v.Version == k.version
}

// pins lists the pinned models.
func (e *Database) pins() []string {
	var out []string
	for name, v := range e.Store.Settings() {
		model, ok := pinName(name)
		if _, found := e.Store.Object(model); ok && found && v == "true" {
			out = append(out, model)
		}
	}
	slices.Sort(out)
	return out
}

// pinModel loads a model and keeps it in memory, or lets go of it; v is nil for RESET.
func (r *run) pinModel(pos ast.Pos, model string, v ast.OptionValue) error {
	on := false
	if v != nil {
		a, err := optarg.Arg(v, r.env)
		if err != nil {
			return err
		}
		var set option.Set
		set.Bool(&on, pinPrefix+model, false, "whether the model stays in memory")
		a.Name = pinPrefix + model
		if err := set.Apply([]option.Arg{a}); err != nil {
			return fault.At(pos, optarg.Placed(err, nil))
		}
	}
	o, ok := r.snap.Object(model)
	if on && (!ok || o.Kind != storage.ModelObject) {
		return plan.Errorf(pos, plan.CodeUndefinedObject, r.suggestModel(model), "there is no model %s", model)
	}
	if !on {
		return r.unpin(model)
	}
	version, err := r.resolve(ast.ModelRef{Pos: pos, Name: model})
	if err != nil {
		return err
	}
	l, err := r.fetch(model, version.Version)
	if err != nil {
		return fault.At(pos, err)
	}
	r.models.pinning.Lock()
	defer r.models.pinning.Unlock()
	r.models.mu.Lock()
	err = r.admit(modelKey{model, version.Version}, l.bytes)
	r.models.mu.Unlock()
	if err != nil {
		return fault.At(pos, err)
	}
	return r.Store.SetSetting(pinPrefix+model, "true")
}

func (e *Database) unpin(model string) error {
	if _, ok := e.Store.Setting(pinPrefix + model); !ok {
		return nil
	}
	if err := e.Store.DropSetting(pinPrefix + model); err != nil {
		return err
	}
	e.shrink()
	return nil
}

// shrink unloads what no longer fits.
func (e *Database) shrink() {
	e.models.mu.Lock()
	defer e.models.mu.Unlock()
	e.trim(nil)
}

// pinsFit checks that the pinned models fit into so many bytes.
func (e *Database) pinsFit(most int64) error {
	e.models.mu.Lock()
	defer e.models.mu.Unlock()
	sum := int64(0)
	for _, s := range e.models.m {
		if e.pinned(s.key) {
			sum += s.bytes
		}
	}
	if sum <= most {
		return nil
	}
	return &ast.Error{Code: codeMemory, Msg: "the pinned models take " + megabytes(sum), Hint: "SHOW LOADED_MODELS tells which; RESET pin.MODEL lets go of one"}
}

func compareKeys(a, b modelKey) int {
	return cmp.Or(cmp.Compare(a.name, b.name), cmp.Compare(a.version, b.version))
}
