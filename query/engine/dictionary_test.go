package engine

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"parlance/algo/kind"
	"parlance/algo/kindtest"
	"parlance/algo/option"
	"parlance/algo/text"
	"parlance/query/fn/builtin"
	"parlance/storage/value"
)

// glossary has a relation of one word, with what a lexicon says of it. It cannot be read while fails is true.
type glossary struct {
	kind.Base
	fails *atomic.Bool // may be nil
}

var glossaryWords = kind.Relation{Name: "words", Columns: []kind.Column{
	{Name: "word", Type: value.Text}, {Name: "label", Type: value.Text}}}

func (*glossary) Schema() kind.Schema {
	return kind.Schema{Writes: []kind.LayerUse{{Layer: "labels"}}, Relations: []kind.Relation{glossaryWords},
		Resources: []kind.Resource{{Kind: "lexicon", Name: "lex"}}}
}

func (*glossary) Options(*option.Set) {}

func (*glossary) Train(context.Context, *kind.Training) error { return nil }

func (*glossary) Annotate(context.Context, []*text.Document, *kind.Run) error { return nil }

func (m *glossary) Open(_ context.Context, _ string, _ []value.Value, run *kind.Run) (kind.Rows, error) {
	if m.fails != nil && m.fails.Load() {
		return nil, errors.New("torn pages")
	}
	lex, err := run.Resources.Lexicon("lex")
	if err != nil {
		return nil, err
	}
	var rows [][]value.Value
	if label := lex.Lookup("words", "label"); label != "" {
		rows = append(rows, []value.Value{value.Str("words"), value.Str(label)})
	}
	return kind.RowsOf(glossaryWords, slices.Values(rows)), nil
}

func (*glossary) Encode(w *kind.Writer) error { return w.JSON("empty", 0) }

func (*glossary) Decode(r *kind.Reader) error {
	var n int
	return r.JSON("empty", &n)
}

// TestDictionaryOfModelReadsResources: a dictionary that is a relation of a model, which reads a lexicon while the
// dictionary is made.
func TestDictionaryOfModelReadsResources(t *testing.T) {
	funcs, err := builtin.NewTable()
	if err != nil {
		t.Fatal(err)
	}
	k := kind.Kind{Name: "glossary", Doc: "lists words", Revision: 1, New: func() kind.Model { return &glossary{} }}
	e, err := NewEngine(emptyStore(t), []kind.Kind{k}, funcs, "test")
	if err != nil {
		t.Fatal(err)
	}
	_, do := sessionOf(e)
	for _, sql := range []string{"CREATE CORPUS docs", "INSERT INTO docs (id, text) VALUES ('a', 'some words')",
		"CREATE LEXICON lex (word TEXT, label TEXT)", "INSERT INTO lex VALUES ('words', 'NOUN')",
		"TRAIN glossary AS m ON docs"} {
		if _, err := do(sql); err != nil {
			t.Fatal(sql, err)
		}
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		got, err := do("SELECT text, label FROM extract_dictionary(docs, 'm.words')")
		if want := []string{"[words NOUN]"}; err != nil || !slices.Equal(got, want) {
			t.Errorf("the dictionary finds %v, want %v: %v", got, want, err)
		}
	}()
	select {
	case <-done:
	case <-time.After(10 * time.Second):
		t.Fatal("the dictionary waits for itself")
	}
}

// TestDictionaryThatCannotBeRead: the error of a relation that stands for a resource is that of the statement, each
// time, and the relation is read again when it can be.
func TestDictionaryThatCannotBeRead(t *testing.T) {
	var fails atomic.Bool
	funcs, err := builtin.NewTable()
	if err != nil {
		t.Fatal(err)
	}
	k := kind.Kind{Name: "glossary", Doc: "lists words", Revision: 1,
		New: func() kind.Model { return &glossary{fails: &fails} }}
	e, err := NewEngine(emptyStore(t), []kind.Kind{k, kindtest.RuleVotesKind()}, funcs, "test")
	if err != nil {
		t.Fatal(err)
	}
	_, do := sessionOf(e)
	must := func(list ...string) {
		t.Helper()
		for _, sql := range list {
			if _, err := do(sql); err != nil {
				t.Fatal(sql, err)
			}
		}
	}
	must("CREATE CORPUS docs", "INSERT INTO docs (id, text) VALUES ('a', 'some words')",
		"CREATE LEXICON lex (word TEXT, label TEXT)", "INSERT INTO lex VALUES ('words', 'NOUN')",
		"TRAIN glossary AS m ON docs", "TRAIN rule_votes AS v ON docs WITH (lexicon = 'm.words')")
	fails.Store(true)
	queries := []string{"SELECT text, label FROM extract_dictionary(docs, 'm.words')",
		"SELECT label FROM docs.labels USING v"}
	for range 2 {
		for _, q := range queries {
			if got, err := do(q); err == nil || !strings.Contains(err.Error(), "torn pages") {
				t.Errorf("%s gives %v, %v", q, got, err)
			}
		}
	}
	fails.Store(false)
	for i, want := range []string{"[words NOUN]", "[NOUN of 1 rules]"} {
		if got, err := do(queries[i]); err != nil || !slices.Equal(got, []string{want}) {
			t.Errorf("%s gives %v, want %v: %v", queries[i], got, want, err)
		}
	}
}
