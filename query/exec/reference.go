package exec

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"parlance/algo/gazetteer"
	"parlance/algo/kind"
	"parlance/algo/option"
	"parlance/query/ast"
	"parlance/query/fault"
	"parlance/query/plan"
	"parlance/storage"
	"parlance/storage/value"
)

// resourceRole is the role of pins to models that a model looks into.
const resourceRole = "resource"

// reference is a resource that was found: an object with rows of its own, or a version of a model.
type reference struct {
	res      kind.Resource
	object   *storage.Object // nil for a model
	version  storage.ModelVersion
	relation string // of the model that stands for a table, "" for the model itself
}

// refer finds a resource. A model is taken in the version of its pin, if there is one, else as
// it stands now.
func (r *Execution) refer(res kind.Resource, pins []storage.Pin) (reference, error) {
	ref := reference{res: res}
	if res.Kind == string(storage.CorpusObject) {
		if _, err := r.Resources().Corpus(res.Name); err != nil {
			return ref, err
		}
		ref.object, _, _ = r.corpusNamed(res.Name)
		return ref, nil
	}
	if o, ok := r.Snapshot.Object(res.Name); ok && string(o.Kind) == res.Kind && o.Kind != storage.ModelObject {
		ref.object = o
		return ref, nil
	}
	name, relation, _ := strings.Cut(res.Name, ".")
	name, version, _ := strings.Cut(name, "@")
	if o, ok := r.Snapshot.Object(name); !ok || o.Kind != storage.ModelObject {
		hint := strings.TrimPrefix(option.DidYouMean(name, r.fitting(res.Kind)), "; ")
		switch {
		case ok:
			hint = fmt.Sprintf("%s is a %s", name, o.Kind)
		case hint == "" && res.From != "":
			hint = fmt.Sprintf("TRAIN %s AS %s ON … makes one", res.From, name)
		case hint == "" && res.Kind != string(storage.ModelObject):
			hint = "CREATE " + strings.ToUpper(res.Kind) + " makes one"
		}
		return ref, &ast.Error{Code: plan.CodeUndefinedObject, Hint: hint, Msg: fmt.Sprintf("the model reads %s %s, which does not exist", res.Kind, res.Name)}
	}
	if res.Kind == string(storage.KBObject) {
		return ref, plan.Errorf(ast.Pos{}, plan.CodeWrongKind, "CREATE KB makes one", "%s is a model where a kb is wanted", name)
	}
	var err error
	if ref.version, err = r.pinnedVersion(res.Name, ast.ModelRef{Name: name, Version: version}, pins); err != nil {
		return ref, err
	}
	if res.Kind == string(storage.ModelObject) {
		if relation != "" {
			return ref, &ast.Error{Code: plan.CodeWrongKind, Hint: "write " + strings.TrimSuffix(res.Name, "."+relation), Msg: fmt.Sprintf("%s is a relation where a model is wanted", res.Name)}
		}
		return ref, nil
	}
	ref.relation, err = r.tableOf(ref.version, relation, res)
	return ref, err
}

// fitting names what can stand for a resource of a kind: models stand for all but knowledge bases.
func (r *Execution) fitting(want string) []string {
	var names []string
	for _, o := range r.Snapshot.Objects("") {
		if string(o.Kind) == want || o.Kind == storage.ModelObject && want != string(storage.KBObject) {
			names = append(names, o.Name)
		}
	}
	slices.Sort(names)
	return names
}

// pinnedVersion is the version that a pin keeps for a name, else the current one.
func (r *Execution) pinnedVersion(name string, ref ast.ModelRef, pins []storage.Pin) (storage.ModelVersion, error) {
	for _, p := range pins {
		if p.Role != resourceRole || p.Ref != name {
			continue
		}
		v, ok := r.Store.ModelVersion(p.Name, p.Version)
		if !ok {
			return v, fault.New(plan.CodeUndefinedObject, "%s, which the model looks into, is gone", recordedPin(p))
		}
		return v, nil
	}
	return r.Resolve(ref)
}

// tableOf is the relation of a model that stands for a gazetteer or lexicon: the one that is
// named, else the first one that can.
func (r *Execution) tableOf(v storage.ModelVersion, relation string, res kind.Resource) (string, error) {
	u, err := r.schema(v.Name, v.Version)
	if err != nil {
		return "", err
	}
	for _, rel := range u.Schema.Relations {
		if relation != "" && rel.Name != relation {
			continue
		}
		if fitsTable(rel) {
			return rel.Name, nil
		}
		if relation != "" {
			return "", &ast.Error{Code: plan.CodeType, Hint: "a relation without arguments whose first of several columns is text can", Msg: fmt.Sprintf("%s cannot stand for a %s", res.Name, res.Kind)}
		}
	}
	if relation != "" {
		return "", &ast.Error{Code: plan.CodeUndefinedTable, Hint: "DESCRIBE " + v.Name + " lists its relations", Msg: fmt.Sprintf("model %s has no relation %s", v.Name, relation)}
	}
	return "", &ast.Error{Code: plan.CodeWrongKind, Hint: "DESCRIBE " + v.Name + " lists its relations", Msg: fmt.Sprintf("model %s has no relation that can stand for a %s", v.Name, res.Kind)}
}

// fitsTable reports whether a relation has words and something about them.
func fitsTable(rel kind.Relation) bool {
	for _, a := range rel.Args {
		if !a.Optional {
			return false
		}
	}
	return len(rel.Columns) > 1 && rel.Columns[0].Type == value.Text
}

// resourcePin pins the model of a reference.
func (r *Execution) resourcePin(ref reference) storage.Pin {
	p := r.pin(ref.version.Name, ref.version.Version)
	p.Role, p.Ref = resourceRole, ref.res.Name
	return p
}

// hashResources hashes what an answer depends on besides the model itself; models upstream are
// hashed with what they look into.
func (r *Execution) hashResources(h io.Writer, list []kind.Resource, pins []storage.Pin) error {
	for _, res := range list {
		ref, err := r.refer(res, pins)
		if err != nil {
			return err
		}
		if ref.object != nil {
			fmt.Fprintf(h, "%s\x00%s\x00", res.Name, r.LiveHash(ref.object))
			continue
		}
		v := ref.version
		fmt.Fprintf(h, "%s\x00%s\x00%d\x00%s\x00%s\x00", v.Kind, ref.relation, r.kindRevision(v.Kind), v.WeightsHash, v.Tokenizer)
		for _, o := range v.Options {
			fmt.Fprintf(h, "%s=%s\x00", o[0], o[1])
		}
		u, err := r.schema(v.Name, v.Version)
		if err != nil {
			return err
		}
		if err := r.hashResources(h, u.Schema.Resources, v.Upstream); err != nil {
			return err
		}
	}
	return nil
}

// LiveObject is the object of a name among the live resources of a model.
func (r *Execution) LiveObject(name, of string) (*storage.Object, bool) {
	if of == string(storage.CorpusObject) {
		o, _, ok := r.corpusNamed(name)
		return o, ok
	}
	return r.Snapshot.Object(name)
}

// LiveHash is the content of a live resource in hexadecimal: the rows of a table; the documents of a corpus and how
// they are indexed for search.
func (r *Execution) LiveHash(o *storage.Object) string {
	if o.Kind != storage.CorpusObject {
		return fmt.Sprintf("%x", r.Snapshot.TableHash(o))
	}
	h := sha256.New()
	fmt.Fprintf(h, "%x\x00%s\x00", r.Snapshot.ContentHash(o), TokenizerOf(o))
	for _, x := range r.Snapshot.Fulltext(o) {
		fmt.Fprintf(h, "%s\x00%s\x00%s\x00", x.Layer, x.Column, x.Case)
	}
	return hex.EncodeToString(h.Sum(nil))
}

func (r *Execution) kindRevision(name string) int {
	if k := r.Kind(name); k != nil {
		return k.Revision
	}
	return 0
}

// Model returns a trained model that looks into the versions of its own lineage.
func (s *resources) Model(name string) (kind.Trained, error) {
	if m, ok := s.instead[name]; ok {
		return m, nil
	}
	ref, err := s.r.refer(kind.Resource{Kind: string(storage.ModelObject), Name: name}, s.pins)
	if err != nil {
		return kind.Trained{}, err
	}
	l, err := s.r.fetch(ref.version.Name, ref.version.Version)
	if err != nil {
		return kind.Trained{}, err
	}
	return kind.Trained{Model: l.model, Resources: s.r.Resources(l.meta.Upstream...), Label: l.use().String()}, nil
}

// relation finds the relation of a model that stands for a table; nil where there is an object.
func (s *resources) relation(res kind.Resource) (*plan.ModelUse, string, error) {
	ref, err := s.r.refer(res, s.pins)
	if err != nil || ref.object != nil {
		return nil, "", err
	}
	u, err := s.r.schema(ref.version.Name, ref.version.Version)
	return u, ref.relation, err
}

// phrases is the matcher of a relation that stands for a gazetteer, nil where there is an object.
func (s *resources) phrases(res kind.Resource) (kind.Gazetteer, error) {
	m, rel, err := s.relation(res)
	if m == nil || err != nil {
		return nil, err
	}
	return s.r.phrases(&plan.Phrases{Model: m, Rel: rel, Name: res.Name}, "")
}

// words is the table of a relation that stands for a lexicon, nil where there is an object.
func (s *resources) words(res kind.Resource) (kind.Lexicon, error) {
	m, rel, err := s.relation(res)
	if m == nil || err != nil {
		return nil, err
	}
	if l, err := s.itself(m, rel); l != nil || err != nil {
		return l, err
	}
	key, hash := fmt.Sprintf("words\x00%s\x00%s", m, rel), s.r.modelHash(m)
	set := &s.r.compiled
	if v, ok := set.find(key, hash); ok {
		return v.(kind.Lexicon), nil
	}
	lex, err := s.lexiconOf(m, rel) // without the lock: the relation may look into tables
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", res.Name, err)
	}
	return set.keep(key, hash, lex).(kind.Lexicon), nil
}

// itself is a model that answers for its first fitting relation, nil for others.
func (s *resources) itself(m *plan.ModelUse, rel string) (kind.Lexicon, error) {
	for _, x := range m.Schema.Relations {
		if !fitsTable(x) {
			continue
		}
		if x.Name != rel {
			return nil, nil
		}
		l, err := s.r.fetch(m.Name, m.Version)
		if err != nil {
			return nil, err
		}
		lex, _ := l.model.(kind.Lexicon)
		return lex, nil
	}
	return nil, nil
}

// modelHash is the content of a version; its number is given again when all of a model is dropped.
func (r *Execution) modelHash(m *plan.ModelUse) (hash [32]byte) {
	v, _ := r.Store.ModelVersion(m.Name, m.Version)
	_, _ = hex.Decode(hash[:], []byte(v.WeightsHash[:min(len(v.WeightsHash), 64)]))
	return hash
}

// find returns what is kept under a key, if it was made of the content.
func (set *resourceSet) find(key string, hash [32]byte) (any, bool) {
	set.mu.Lock()
	defer set.mu.Unlock()
	c, ok := set.m[key]
	return c.value, ok && c.hash == hash
}

// keep keeps a value, unless another one was faster, and returns what is kept.
func (set *resourceSet) keep(key string, hash [32]byte, v any) any {
	set.mu.Lock()
	defer set.mu.Unlock()
	if c, ok := set.m[key]; ok && c.hash == hash {
		return c.value
	}
	if set.m == nil {
		set.m = map[string]compiled{}
	}
	set.m[key] = compiled{hash: hash, value: v}
	return v
}

// lexiconOf reads a relation: its first column is the word.
func (s *resources) lexiconOf(m *plan.ModelUse, rel string) (*gazetteer.Lexicon, error) {
	var names []string
	for _, x := range s.r.Relations(m) {
		if x.Name == rel {
			for _, c := range x.Columns {
				names = append(names, c.Name)
			}
		}
	}
	if len(names) == 0 {
		return nil, errors.New("it has no columns")
	}
	lex := gazetteer.NewLexicon(names, "exact")
	return lex, s.r.relationPhrases(&plan.Phrases{Model: m, Rel: rel, Name: m.String() + "." + rel}, func(row []value.Value) {
		lex.Add(texts(row))
	})
}

// texts are values as texts, "" for NULL.
func texts(row []value.Value) []string {
	out := make([]string, len(row))
	for i, v := range row {
		if !v.IsNull() {
			out[i] = v.String()
		}
	}
	return out
}
