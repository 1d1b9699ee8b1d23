package models

import (
	"slices"
	"strings"

	"parlance/algo/option"
	"parlance/query/ast"
	"parlance/query/fault"
	"parlance/query/optarg"
	"parlance/query/plan"
	"parlance/storage/catalog"
)

// PinPrefix begins the names of the settings that keep models in memory: pin.MODEL. The version that stays is the one
// that the bare name of the model means.
const PinPrefix = "pin."

// PinnedModel returns the model that a setting pins; ok is false for other settings.
func PinnedModel(setting string) (model string, ok bool) {
	return strings.CutPrefix(setting, PinPrefix)
}

// pinned reports whether a version is never unloaded.
func (set *Set) pinned(k Key) bool {
	if k.options != "" {
		return false
	}
	if on, _ := set.Store.Setting(PinPrefix + k.Name); on != "true" {
		return false
	}
	v, err := set.Version(set.Store, ast.ModelRef{Name: k.Name})
	return err == nil && v.Version == k.Version
}

// Pinned lists the pinned models by name.
func (set *Set) Pinned() []string {
	var out []string
	for name, v := range set.Store.Settings() {
		model, ok := PinnedModel(name)
		if _, found := set.Store.Object(model); ok && found && v == "true" {
			out = append(out, model)
		}
	}
	slices.Sort(out)
	return out
}

// SetPin executes SET pin.MODEL: it loads the model and keeps it in memory, or lets it be unloaded again. v is nil for
// RESET.
func (r *Resolver) SetPin(pos ast.Pos, model string, v ast.OptionValue) error {
	on, err := r.pinValue(pos, model, v)
	if err != nil {
		return err
	}
	o, ok := r.Snapshot.Object(model)
	if on && (!ok || o.Kind != catalog.ModelObject) {
		return plan.Errorf(pos, plan.CodeUndefinedObject, r.Set.SuggestModel(model), "there is no model %s", model)
	}
	if !on {
		return r.Set.Unpin(model)
	}
	version, err := r.Resolve(ast.ModelRef{Pos: pos, Name: model})
	if err != nil {
		return err
	}
	l, err := r.Fetch(model, version.Version)
	if err != nil {
		return fault.At(pos, err)
	}
	set := r.Set
	set.pinning.Lock()
	defer set.pinning.Unlock()
	set.mu.Lock()
	err = set.admit(Key{Name: model, Version: version.Version}, l.bytes)
	set.mu.Unlock()
	if err != nil {
		return fault.At(pos, err)
	}
	return set.Store.SetSetting(PinPrefix+model, "true")
}

// pinValue evaluates the value of the setting of a model; nil is off.
func (r *Resolver) pinValue(pos ast.Pos, model string, v ast.OptionValue) (on bool, err error) {
	if v == nil {
		return false, nil
	}
	a, err := optarg.Arg(v, r.Env)
	if err != nil {
		return false, err
	}
	var options option.Set
	options.Bool(&on, PinPrefix+model, false, "whether the model stays in memory")
	a.Name = PinPrefix + model
	if err := options.Apply([]option.Arg{a}); err != nil {
		return false, fault.At(pos, optarg.AtOption(err, nil))
	}
	return on, nil
}

// Unpin lets a model be unloaded again.
func (set *Set) Unpin(model string) error {
	if _, ok := set.Store.Setting(PinPrefix + model); !ok {
		return nil
	}
	if err := set.Store.DropSetting(PinPrefix + model); err != nil {
		return err
	}
	set.Shrink()
	return nil
}

// Shrink unloads models until the others fit into model_memory.
func (set *Set) Shrink() {
	set.mu.Lock()
	defer set.mu.Unlock()
	set.trim(nil)
}

// CheckPinned reports an error if the pinned models take more than n bytes.
func (set *Set) CheckPinned(limit int64) error {
	set.mu.Lock()
	defer set.mu.Unlock()
	sum := int64(0)
	for _, s := range set.slots {
		if set.pinned(s.key) {
			sum += s.bytes
		}
	}
	if sum <= limit {
		return nil
	}
	return &ast.Error{Code: codeMemory, Msg: "the pinned models take " + megabytes(sum),
		Hint: "SHOW LOADED_MODELS tells which; RESET pin.MODEL lets go of one"}
}
