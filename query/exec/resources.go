package exec

import (
	"fmt"
	"strings"
	"sync"

	"parlance/algo/gazetteer"
	"parlance/algo/kind"
	"parlance/algo/segment"
	"parlance/query/fault"
	"parlance/storage"
	"parlance/storage/value"
)

// resources looks up gazetteers, lexicons and models for one statement; what it builds is kept by
// content in the engine. Pins are the versions of models that a trained model sees.
type resources struct {
	r    *Execution
	pins []storage.Pin

	instead map[string]kind.Trained // of models by name
}

var _ kind.Resources = (*resources)(nil)

// resourceSet keeps compiled resources by name and content hash.
type resourceSet struct {
	mu sync.Mutex
	m  map[string]compiled
}

type compiled struct {
	hash    [32]byte
	columns string // an added column leaves the hash as it is
	value   any
}

// Resources looks up what stands now; pins come first.
func (r *Execution) Resources(pins ...storage.Pin) *resources { return &resources{r: r, pins: pins} }

// get returns the compiled resource, building it when the rows have changed.
func (s *resources) get(kindOf storage.ObjectKind, name string, build func(*storage.Object) (any, error)) (any, error) {
	o, ok := s.r.Snapshot.Object(name)
	if !ok || o.Kind != kindOf {
		return nil, fault.New("42704", "there is no %s %s", kindOf, name)
	}
	hash := s.r.Snapshot.TableHash(o)
	set := &s.r.compiled
	set.mu.Lock()
	defer set.mu.Unlock()
	columns := columnNames(o)
	if c, ok := set.m[name]; ok && c.hash == hash && c.columns == columns {
		return c.value, nil
	}
	v, err := build(o)
	if err != nil {
		return nil, fmt.Errorf("read %s %s: %w", kindOf, name, err)
	}
	if set.m == nil {
		set.m = map[string]compiled{}
	}
	set.m[name] = compiled{hash, columns, v}
	return v, nil
}

// Gazetteer returns the matcher of a gazetteer: its first column is the phrase, the second
// the label. Phrases are cut by white space and by the default tokeniser.
func (s *resources) Gazetteer(name string) (kind.Gazetteer, error) {
	if p, err := s.phrases(kind.Resource{Kind: string(storage.GazetteerObject), Name: name}); p != nil || err != nil {
		return p, err
	}
	v, err := s.get(storage.GazetteerObject, name, func(o *storage.Object) (any, error) {
		tk, err := segment.New(TokenizerOf(o))
		if err != nil {
			return nil, err
		}
		var entries []gazetteer.Entry
		err = s.rows(o, func(row []value.Value) {
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

func phraseTokens(tk segment.Tokenizer, phrase string) []string {
	var res segment.Result
	tk.Segment(phrase, &res)
	out := make([]string, len(res.Tokens))
	for i, t := range res.Tokens {
		out[i] = phrase[t.Start:t.End]
	}
	return out
}

func CaseOf(o *storage.Object) string {
	if c := o.Options["case"]; c != "" {
		return strings.ToLower(c)
	}
	return "exact"
}

// Lexicon returns the table of a lexicon: its first column is the word.
func (s *resources) Lexicon(name string) (kind.Lexicon, error) {
	if l, err := s.words(kind.Resource{Kind: string(storage.LexiconObject), Name: name}); l != nil || err != nil {
		return l, err
	}
	v, err := s.get(storage.LexiconObject, name, func(o *storage.Object) (any, error) {
		names := make([]string, len(o.Columns))
		for i, c := range o.Columns {
			names[i] = c.Name
		}
		lex := gazetteer.NewLexicon(names, CaseOf(o))
		err := s.rows(o, func(row []value.Value) { lex.Add(texts(row)) })
		return lex, err
	})
	if err != nil {
		return nil, err
	}
	return v.(kind.Lexicon), nil
}

// rows reads all rows of a table whose first column is not NULL.
func (s *resources) rows(o *storage.Object, use func([]value.Value)) error {
	need := make([]bool, len(o.Columns))
	for i := range need {
		need[i] = true
	}
	return s.r.Snapshot.ScanTable(s.r.context(), o, need, func(_ []uint64, b *value.Batch) error {
		for i := range b.N {
			row := b.Row(nil, i)
			if !row[0].IsNull() {
				use(row)
			}
		}
		return nil
	})
}
