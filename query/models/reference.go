package models

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"slices"
	"strings"

	"parlance/algo/kind"
	"parlance/algo/option"
	"parlance/query/ast"
	"parlance/query/document"
	"parlance/query/fault"
	"parlance/query/plan"
	"parlance/storage/catalog"
	"parlance/storage/registry"
	"parlance/storage/value"
)

// Reference is a resource that was found: an object with rows of its own, or a version of a model.
type Reference struct {
	Object   *catalog.Object // nil for a model
	Version  registry.Version
	resource kind.Resource
	relation string // of the model that stands for a gazetteer or lexicon, "" for the model itself
}

// Refer finds a resource. A model is taken in the version of its pin, if there is one, else as it stands now.
func (r *Resolver) Refer(res kind.Resource, pins []registry.Pin) (Reference, error) {
	ref := Reference{resource: res}
	if res.Kind == string(catalog.CorpusObject) {
		c, err := r.corpus(res.Name)
		if err == nil {
			ref.Object = c.object
		}
		return ref, err
	}
	if o, ok := r.Snapshot.Object(res.Name); ok && string(o.Kind) == res.Kind && o.Kind != catalog.ModelObject {
		ref.Object = o
		return ref, nil
	}
	name, relation, _ := strings.Cut(res.Name, ".")
	name, version, _ := strings.Cut(name, "@")
	if o, ok := r.Snapshot.Object(name); !ok || o.Kind != catalog.ModelObject {
		return ref, r.noResource(res, name, o)
	}
	if res.Kind == string(catalog.KBObject) {
		return ref, plan.Errorf(ast.Pos{}, plan.CodeWrongKind, "CREATE KB makes one",
			"%s is a model where a kb is wanted", name)
	}
	var err error
	if ref.Version, err = r.pinnedVersion(res.Name, ast.ModelRef{Name: name, Version: version}, pins); err != nil {
		return ref, err
	}
	if res.Kind == string(catalog.ModelObject) {
		if relation != "" {
			return ref, plan.Errorf(ast.Pos{}, plan.CodeWrongKind, "write "+strings.TrimSuffix(res.Name, "."+relation),
				"%s is a relation where a model is wanted", res.Name)
		}
		return ref, nil
	}
	ref.relation, err = r.tableRelation(ref.Version, relation, res)
	return ref, err
}

// noResource is the error for a resource that there is not; o is what the name means else, or nil.
func (r *Resolver) noResource(res kind.Resource, name string, o *catalog.Object) error {
	hint := strings.TrimPrefix(option.DidYouMean(name, r.candidates(res.Kind)), "; ")
	switch {
	case o != nil:
		hint = fmt.Sprintf("%s is a %s", name, o.Kind)
	case hint == "" && res.From != "":
		hint = fmt.Sprintf("TRAIN %s AS %s ON … makes one", res.From, name)
	case hint == "" && res.Kind != string(catalog.ModelObject):
		hint = "CREATE " + strings.ToUpper(res.Kind) + " makes one"
	}
	return &ast.Error{Code: plan.CodeUndefinedObject, Hint: hint,
		Msg: fmt.Sprintf("the model reads %s %s, which does not exist", res.Kind, res.Name)}
}

// candidates names what can stand for a resource of a kind: models stand for all but knowledge bases.
func (r *Resolver) candidates(want string) []string {
	var names []string
	for _, o := range r.Snapshot.Objects("") {
		if string(o.Kind) == want || o.Kind == catalog.ModelObject && want != string(catalog.KBObject) {
			names = append(names, o.Name)
		}
	}
	slices.Sort(names)
	return names
}

// pinnedVersion is the version that a pin keeps for a name, else the current one.
func (r *Resolver) pinnedVersion(name string, ref ast.ModelRef, pins []registry.Pin) (registry.Version, error) {
	for _, p := range pins {
		if p.Role != ResourceRole || p.Ref != name {
			continue
		}
		v, ok := r.Set.Store.ModelVersion(p.Name, p.Version)
		if !ok {
			return v, fault.New(plan.CodeUndefinedObject, "%s, which the model looks into, is gone", RecordedPin(p))
		}
		return v, nil
	}
	return r.Resolve(ref)
}

// tableRelation is the relation of a model that stands for a gazetteer or lexicon: the one that is named, else the
// first one that can.
func (r *Resolver) tableRelation(v registry.Version, relation string, res kind.Resource) (string, error) {
	u, err := r.Schema(v.Name, v.Version)
	if err != nil {
		return "", err
	}
	for _, rel := range u.Schema.Relations {
		if relation != "" && rel.Name != relation {
			continue
		}
		if isTable(rel) {
			return rel.Name, nil
		}
		if relation != "" {
			return "", &ast.Error{Code: plan.CodeType, Msg: fmt.Sprintf("%s cannot stand for a %s", res.Name, res.Kind),
				Hint: "a relation without arguments whose first of several columns is text can"}
		}
	}
	hint := "DESCRIBE " + v.Name + " lists its relations"
	if relation != "" {
		return "", plan.Errorf(ast.Pos{}, plan.CodeUndefinedTable, hint,
			"model %s has no relation %s", v.Name, relation)
	}
	return "", plan.Errorf(ast.Pos{}, plan.CodeWrongKind, hint,
		"model %s has no relation that can stand for a %s", v.Name, res.Kind)
}

// isTable reports whether a relation has words and something about them, and needs no arguments.
func isTable(rel kind.Relation) bool {
	for _, a := range rel.Args {
		if !a.Optional {
			return false
		}
	}
	return len(rel.Columns) > 1 && rel.Columns[0].Type == value.Text
}

// ResourcePin is a version for the lineage of a model that reads it.
func (r *Resolver) ResourcePin(ref Reference) registry.Pin {
	p := r.Pin(ref.Version.Name, ref.Version.Version)
	p.Role, p.Ref = ResourceRole, ref.resource.Name
	return p
}

// HashResources hashes what an answer depends on besides the model itself; models upstream are hashed with what they
// read.
func (r *Resolver) HashResources(h io.Writer, list []kind.Resource, pins []registry.Pin) error {
	for _, res := range list {
		ref, err := r.Refer(res, pins)
		if err != nil {
			return err
		}
		if ref.Object != nil {
			order, err := r.liveOrder(ref.Object)
			if err != nil {
				return err
			}
			fmt.Fprintf(h, "%s\x00%s\x00%s\x00", res.Name, r.liveHash(ref.Object), order)
			continue
		}
		v := ref.Version
		fmt.Fprintf(h, "%s\x00%s\x00%d\x00%s\x00%s\x00",
			v.Kind, ref.relation, r.Set.revision(v.Kind), v.WeightsHash, v.Tokenizer)
		for _, o := range v.Options {
			fmt.Fprintf(h, "%s=%s\x00", o[0], o[1])
		}
		u, err := r.Schema(v.Name, v.Version)
		if err != nil {
			return err
		}
		if err := r.HashResources(h, u.Schema.Resources, v.Upstream); err != nil {
			return err
		}
	}
	return nil
}

// LiveObject is the object of a name among the resources that a model reads as they stand now: all but models.
func (r *Resolver) LiveObject(name, of string) (*catalog.Object, bool) {
	if of == string(catalog.CorpusObject) {
		o, _, ok := r.corpusNamed(name)
		return o, ok
	}
	return r.Snapshot.Object(name)
}

// LivePin is the content of a live resource, as a lineage records it.
func (r *Resolver) LivePin(o *catalog.Object, res kind.Resource) (registry.Pin, error) {
	order, err := r.liveOrder(o)
	return registry.Pin{Name: res.Name, Hash: r.liveHash(o), Order: order, Role: res.Kind}, err
}

// Change says how a live resource differs from what a lineage recorded.
type Change int

const (
	Unchanged Change = iota
	OtherContent
	OtherOrder // of the same rows or documents
)

// ChangedSince compares a live resource with what a pin recorded. Pins of earlier programs record no order.
func (r *Resolver) ChangedSince(o *catalog.Object, p registry.Pin) (Change, error) {
	if r.liveHash(o) != p.Hash {
		return OtherContent, nil
	}
	if p.Order == "" {
		return Unchanged, nil
	}
	order, err := r.liveOrder(o)
	if err != nil || order == p.Order {
		return Unchanged, err
	}
	return OtherOrder, nil
}

// liveOrder tells the order of rows or documents in hexadecimal. It counts: a lexicon answers with the first row of a
// word, and what is equally good stands as it was stored.
func (r *Resolver) liveOrder(o *catalog.Object) (string, error) {
	order, err := r.Snapshot.OrderHash(r.Context(), o)
	if err != nil {
		return "", fmt.Errorf("read %s %s: %w", o.Kind, o.Name, err)
	}
	return hex.EncodeToString(order[:]), nil
}

// liveHash is the content of a live resource in hexadecimal, but for its order: the rows of a table; the documents of a
// corpus and how they are indexed for search.
func (r *Resolver) liveHash(o *catalog.Object) string {
	if o.Kind != catalog.CorpusObject {
		return fmt.Sprintf("%x", r.Snapshot.TableHash(o))
	}
	h := sha256.New()
	fmt.Fprintf(h, "%x\x00%s\x00", r.Snapshot.ContentHash(o), document.TokenizerOf(o))
	for _, x := range r.Snapshot.Fulltext(o) {
		fmt.Fprintf(h, "%s\x00%s\x00%s\x00", x.Layer, x.Column, x.Case+x.Stem)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// revision is that of a kind, 0 if the program does not have it.
func (set *Set) revision(name string) int {
	if k := set.Kind(name); k != nil {
		return k.Revision
	}
	return 0
}
