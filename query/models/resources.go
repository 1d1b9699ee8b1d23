package models

import (
	"fmt"
	"strings"
	"sync"

	"parlance/algo/gazetteer"
	"parlance/algo/kind"
	"parlance/algo/segment"
	"parlance/query/document"
	"parlance/query/fault"
	"parlance/query/plan"
	"parlance/storage/catalog"
	"parlance/storage/registry"
	"parlance/storage/value"
)

// Resources finds what a model reads beside documents, by name: gazetteers, lexicons, knowledge bases, corpora and
// other models. It implements kind.Resources for one statement; what it builds of rows stays in memory, in the set of
// models.
type Resources struct {
	Resolver  *Resolver
	Relations RelationReader
	Pins      []registry.Pin          // versions that the lineage of a model names come before those of now
	Instead   map[string]kind.Trained // models that are not stored, by name; they come before all others
}

var _ kind.Resources = (*Resources)(nil)

// compiledResources keeps what was built of the rows of resources, by name and content.
type compiledResources struct {
	mu     sync.Mutex
	byName map[string]compiled
}

type compiled struct {
	content content
	value   any
}

// content is what a resource was built of: a hash of rows or weights, one of the order of rows, and the names of
// columns, for an added column leaves the hash of rows as it is.
type content struct {
	hash    [32]byte
	order   [32]byte
	columns string
}

// get returns what is kept under a name if it was built of the content, else what build makes. The lock is held while
// it builds, so that no two statements build the same.
func (c *compiledResources) get(name string, of content, build func() (any, error)) (any, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if x, ok := c.byName[name]; ok && x.content == of {
		return x.value, nil
	}
	v, err := build()
	if err != nil {
		return nil, err
	}
	c.set(name, of, v)
	return v, nil
}

// getUnlocked is get without the lock while it builds: the relation of a model may read other resources. Two statements
// may build the same; what the first one made is kept.
func (c *compiledResources) getUnlocked(name string, of content, build func() (any, error)) (any, error) {
	c.mu.Lock()
	x, ok := c.byName[name]
	c.mu.Unlock()
	if ok && x.content == of {
		return x.value, nil
	}
	v, err := build()
	if err != nil {
		return nil, err
	}
	return c.get(name, of, func() (any, error) { return v, nil })
}

func (c *compiledResources) set(name string, of content, v any) {
	if c.byName == nil {
		c.byName = map[string]compiled{}
	}
	c.byName[name] = compiled{of, v}
}

// ofObject returns what build makes of the rows of an object, built anew when they have changed.
func (s *Resources) ofObject(
	want catalog.ObjectKind, name string, build func(*catalog.Object) (any, error),
) (any, error) {
	o, ok := s.Resolver.Snapshot.Object(name)
	if !ok || o.Kind != want {
		return nil, fault.New(plan.CodeUndefinedObject, "there is no %s %s", want, name)
	}
	of, err := s.contentOf(o)
	if err != nil {
		return nil, err
	}
	return s.Resolver.Set.compiled.get(name, of, func() (any, error) {
		v, err := build(o)
		if err != nil {
			err = fmt.Errorf("read %s %s: %w", want, name, err)
		}
		return v, err
	})
}

func (s *Resources) contentOf(o *catalog.Object) (of content, err error) {
	names := make([]string, len(o.Columns))
	for i, c := range o.Columns {
		names[i] = c.Name
	}
	of.hash, of.columns = s.Resolver.Snapshot.TableHash(o), strings.Join(names, ", ")
	if of.order, err = s.Resolver.Snapshot.OrderHash(s.Resolver.Context(), o); err != nil {
		err = fmt.Errorf("read %s %s: %w", o.Kind, o.Name, err)
	}
	return of, err
}

// Gazetteer returns the matcher of a gazetteer, or of a relation that stands for one: the first column is the phrase,
// the second its label. Phrases are cut into tokens by the tokeniser of the gazetteer.
func (s *Resources) Gazetteer(name string) (kind.Gazetteer, error) {
	if p, err := s.gazetteerOfModel(name); p != nil || err != nil {
		return p, err
	}
	v, err := s.ofObject(catalog.GazetteerObject, name, func(o *catalog.Object) (any, error) {
		tk, err := segment.New(document.TokenizerOf(o))
		if err != nil {
			return nil, err
		}
		var entries []gazetteer.Entry
		err = s.Rows(o, func(row []value.Value) {
			e := gazetteer.Entry{Tokens: phraseTokens(tk, row[0].S)}
			if len(row) > 1 && !row[1].IsNull() {
				e.Labels = []string{row[1].S}
			}
			if len(e.Tokens) > 0 {
				entries = append(entries, e)
			}
		})
		if err != nil {
			return nil, err
		}
		return gazetteer.New(gazetteer.Options{Case: CaseOf(o)}, entries), nil
	})
	if err != nil {
		return nil, err
	}
	return v.(kind.Gazetteer), nil
}

// CaseOf is how the words of a gazetteer or lexicon are compared: exact or lower.
func CaseOf(o *catalog.Object) string {
	if c := o.Options["case"]; c != "" {
		return strings.ToLower(c)
	}
	return "exact"
}

// Lexicon returns the table of a lexicon, or of a relation that stands for one: the first column is the word.
func (s *Resources) Lexicon(name string) (kind.Lexicon, error) {
	if l, err := s.lexiconOfModel(name); l != nil || err != nil {
		return l, err
	}
	v, err := s.ofObject(catalog.LexiconObject, name, func(o *catalog.Object) (any, error) {
		names := make([]string, len(o.Columns))
		for i, c := range o.Columns {
			names[i] = c.Name
		}
		lex := gazetteer.NewLexicon(names, CaseOf(o))
		err := s.Rows(o, func(row []value.Value) { lex.Add(texts(row)) })
		return lex, err
	})
	if err != nil {
		return nil, err
	}
	return v.(kind.Lexicon), nil
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

// KB returns the view of a knowledge base.
func (s *Resources) KB(name string) (kind.KB, error) {
	v, err := s.ofObject(catalog.KBObject, name, func(o *catalog.Object) (any, error) { return s.View(o) })
	if err != nil {
		return nil, err
	}
	return v.(kind.KB), nil
}

// Model returns a trained model that reads the versions of its own lineage.
func (s *Resources) Model(name string) (kind.Trained, error) {
	if m, ok := s.Instead[name]; ok {
		return m, nil
	}
	ref, err := s.Resolver.Refer(kind.Resource{Kind: string(catalog.ModelObject), Name: name}, s.Pins)
	if err != nil {
		return kind.Trained{}, err
	}
	l, err := s.Resolver.Fetch(ref.Version.Name, ref.Version.Version)
	if err != nil {
		return kind.Trained{}, err
	}
	resources := &Resources{Resolver: s.Resolver, Relations: s.Relations, Pins: l.Meta.Upstream}
	return kind.Trained{Model: l.Model, Resources: resources, Label: l.Use().String()}, nil
}

// Load finds a resource of any kind, and so brings it into memory.
func (s *Resources) Load(res kind.Resource) (err error) {
	switch catalog.ObjectKind(res.Kind) {
	case catalog.GazetteerObject:
		_, err = s.Gazetteer(res.Name)
	case catalog.LexiconObject:
		_, err = s.Lexicon(res.Name)
	case catalog.KBObject:
		_, err = s.KB(res.Name)
	case catalog.CorpusObject:
		_, err = s.Corpus(res.Name)
	case catalog.ModelObject:
		_, err = s.Model(res.Name)
	}
	return err
}

// Rows reads all rows of a table whose first column is not NULL.
func (s *Resources) Rows(o *catalog.Object, use func([]value.Value)) error {
	need := make([]bool, len(o.Columns))
	for i := range need {
		need[i] = true
	}
	r := s.Resolver
	return r.Snapshot.ScanTable(r.Context(), o, need, func(_ []uint64, b *value.Batch) error {
		for i := range b.N {
			row := b.Row(nil, i)
			if !row[0].IsNull() {
				use(row)
			}
		}
		return nil
	})
}
