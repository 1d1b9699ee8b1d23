package pairrelation

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"parlance/algo/kind"
	"parlance/algo/kindtest"
	"parlance/algo/option"
	"parlance/storage/value"
)

var background = context.Background()

// knowledgeBase is one in memory.
type knowledgeBase struct {
	kind.KB
	triples [][3]string
	types   map[string][]string
	aliases map[string][]string
}

func (k *knowledgeBase) Has(e string) bool {
	return slices.ContainsFunc(k.triples, func(t [3]string) bool {
		return t[0] == e || t[2] == e
	}) || len(k.types[e]) > 0 || len(k.aliases[e]) > 0
}

func (k *knowledgeBase) Relations() (out []string) {
	for _, t := range k.triples {
		out = include(out, t[1])
	}
	return out
}

func (k *knowledgeBase) Objects(s, r string) (out []string) {
	for _, t := range k.triples {
		if t[0] == s && t[1] == r {
			out = include(out, t[2])
		}
	}
	return out
}

func (k *knowledgeBase) Subjects(r, o string) (out []string) {
	for _, t := range k.triples {
		if t[2] == o && t[1] == r {
			out = include(out, t[0])
		}
	}
	return out
}

func (k *knowledgeBase) Types(e string) []string   { return k.types[e] }
func (k *knowledgeBase) Aliases(e string) []string { return k.aliases[e] }

// toy is a small WordNet: terms lead to synsets, between which most relations hold.
func toy() *knowledgeBase {
	k := &knowledgeBase{types: map[string][]string{},
		aliases: map[string][]string{"Thomas Edison": {"Wizard of Menlo Park"}, "Wizard of Menlo Park": {"the Wizard"}}}
	add := func(s, r, o string) { k.triples = append(k.triples, [3]string{s, r, o}) }
	for _, s := range []string{"dog n.dog", "hound n.dog", "cat n.cat", "carnivore n.carnivore", "wheel n.wheel",
		"car n.car", "auto n.car", "mouse n.mouse", "hot a.hot", "cold a.cold", "big a.big", "large a.big"} {
		w, synset, _ := strings.Cut(s, " ")
		add(w, "synset", synset)
	}
	add("n.dog", "hypernym", "n.canine")
	add("n.canine", "hypernym", "n.carnivore")
	add("n.cat", "hypernym", "n.feline")
	add("n.feline", "hypernym", "n.carnivore")
	add("n.car", "part_meronym", "n.wheel")
	add("hot", "antonym", "cold")
	add("mice", "lemma", "mouse")
	add("Ford", "hypernym", "company")
	add("Toyota", "hypernym", "company")
	add("departure", "precedes", "arrival")
	add("jail", "variant", "prison house")
	add("橋本", "reading", "はしもと")
	add("端本", "reading", "はしもと")
	add("infer", "misuse", "imply")
	return k
}

// similar is a model with the relation similar.
type similar struct {
	kind.Model
	lists map[string][]string
}

func (s similar) Schema() kind.Schema {
	return kind.Schema{Relations: []kind.Relation{similarRelation}}
}

var similarRelation = kind.Relation{Name: "similar", Doc: "similar words",
	Args: []kind.Arg{{Name: "word", Type: value.Text}},
	Columns: []kind.Column{{Name: "word", Type: value.Text}, {Name: "score", Type: value.Float},
		{Name: "rank", Type: value.Integer}}}

func (s similar) Open(_ context.Context, name string, args []value.Value, _ *kind.Run) (kind.Rows, error) {
	list, ok := s.lists[args[0].S]
	if name != "similar" {
		return nil, kind.ErrNoRelation
	}
	if !ok {
		return nil, &kind.Unknown{What: "word", Name: args[0].S}
	}
	return kind.RowsOf(similarRelation, func(yield func([]value.Value) bool) {
		for i, w := range list {
			if !yield([]value.Value{value.Str(w), value.Real(-0.1 * float64(i+1)), value.Int(int64(i + 1))}) {
				return
			}
		}
	}), nil
}

// looked is resources of one knowledge base, one model and one lexicon, whatever they are called.
type looked struct {
	kind.Resources
	kb     kind.KB
	model  kind.Model
	counts map[string]string
}

func (l looked) Gazetteer(string) (kind.Gazetteer, error) {
	return nil, fmt.Errorf("there is no gazetteer")
}
func (l looked) Lexicon(string) (kind.Lexicon, error) { return counted{counts: l.counts}, nil }

// counted is a lexicon of counts.
type counted struct {
	kind.Lexicon
	counts map[string]string
}

func (c counted) Lookup(word, column string) string {
	if column != "count" {
		return ""
	}
	return c.counts[word]
}

func (l looked) KB(string) (kind.KB, error) { return l.kb, nil }
func (l looked) Model(name string) (kind.Trained, error) {
	return kind.Trained{Model: l.model, Label: name}, nil
}

// row is a row of the table of pairs by columns.
func row(columns map[string]any) []value.Value {
	out := make([]value.Value, len(pairsUse.Columns))
	for i, c := range pairsUse.Columns {
		switch v := columns[c.Name].(type) {
		case string:
			out[i] = value.Str(v)
		case int:
			if out[i] = value.Int(int64(v)); c.Type == value.Float {
				out[i] = value.Real(float64(v))
			}
		case float64:
			out[i] = value.Real(v)
		}
	}
	return out
}

// rows are terms, rank and label, cut at bars: "dog|cat|1|k".
func rows(list ...string) kind.Tables {
	t := kind.Tables{"pairs": nil}
	for _, s := range list {
		f := strings.Split(s, "|")
		c := map[string]any{"term1": f[0], "term2": f[1]}
		if len(f) > 2 && f[2] != "" {
			n := 0
			fmt.Sscan(f[2], &n)
			c["rank"] = n
		}
		for i, name := range []string{"label", "direction", "rater"} {
			if len(f) > 3+i && f[3+i] != "" {
				c[name] = f[3+i]
			}
		}
		t["pairs"] = append(t["pairs"], row(c))
	}
	return t
}

var judgedPairs = rows("dog|hound|1|s||ann", "dog|hound|1|synonym||bob", "dog|cat|2|k||ann", "dog|cat|2|w||bob",
	"cat|dog|1|k", "car|auto|1|s", "colour term|color term|1|v",
	"car|wheel|2|p|backward", "wheel|car|1|meronym|forward", "carnivore|dog|3|h|forward",
	"festival|music festival|2|h|forward", "music festival|festival|1|h|backward",
	"hot|cold|1|d", "big|large|1|s", "noncontact|high resolution|12|u", "dog|resolution|9|u", "unhappy|happy|1|d",
	"IBM|International Business Machine|1|a|forward", "big|cold|4|")

func toyCase(options ...option.Arg) kindtest.Case {
	pair := func(a, b string) []value.Value {
		return append([]value.Value{value.Str(a), value.Str(b)}, make([]value.Value, 5)...)
	}
	return kindtest.Case{Kind: Kind(),
		Options: append(options, kindtest.Arg("lexicon", "wn"), kindtest.Arg("similarity", "sim"),
			kindtest.Arg("counts", "words")),
		Tables: judgedPairs, Gold: judgedPairs,
		Resources: looked{kb: toy(), model: similar{lists: map[string][]string{"dog": {"hound", "cat"},
			"hot": {"cold"}}}, counts: map[string]string{"dog": "100", "doggg": "x"}},
		Queries: []kindtest.Query{{Relation: "pair", Args: pair("hot", "cold")},
			{Relation: "pair", Args: pair("dog", "doggs")},
			{Relation: "pair", Args: pair("dog", "dog"), Fails: "two different terms"},
			{Relation: "by_rank", Args: []value.Value{value.Str("union"), value.Str("labelled")}},
			{Relation: "by_rank", Args: []value.Value{value.Str("leav"), {}}, Fails: "did you mean leaf"},
			{Relation: "report", Args: []value.Value{value.Str("judgd")}, Fails: "did you mean judged"}}}
}

func TestKind(t *testing.T) {
	t.Run("rules", func(t *testing.T) { kindtest.Run(t, toyCase()) })
	t.Run("maxent", func(t *testing.T) {
		kindtest.Run(t, toyCase(kindtest.Arg("labeller", "maxent"), kindtest.Arg("min_count", 1)))
	})
}
