package contexts

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"parlance/algo/kind"
	"parlance/algo/kindtest"
	"parlance/algo/option"
	"parlance/algo/text"
	"parlance/storage/guard"
	"parlance/storage/value"
)

// tree makes a document of one sentence of tokens form/upos/head/relation.
func tree(id, line string) *text.Document {
	d := &text.Document{ID: id}
	toks, arcs := text.NewLayer(text.Tokens), text.NewLayer(text.Dependencies)
	var sent, tok, head []int32
	var forms, tags, labels []string
	for i, w := range strings.Fields(line) {
		part := strings.Split(w, "/")
		h := int32(0)
		fmt.Sscan(part[2], &h)
		sent, tok, head = append(sent, 1), append(tok, int32(i+1)), append(head, h)
		forms, tags, labels = append(forms, part[0]), append(tags, part[1]), append(labels, part[3])
	}
	toks.N, arcs.N = len(sent), len(sent)
	toks.SetInts("sent", sent)
	toks.SetInts("tok", tok)
	toks.SetStrs("form", forms)
	toks.SetStrs("upos", tags)
	arcs.SetInts("sent", sent)
	arcs.SetInts("tok", tok)
	arcs.SetInts("head", head)
	arcs.SetStrs("deprel", labels)
	d.SetLayer(toks)
	d.SetLayer(arcs)
	return d
}

func train(t testing.TB, in kind.Input, workers int, args ...option.Arg) *model {
	t.Helper()
	return trainIn(t, 0, in, workers, args...)
}

// trainIn trains with so much memory for counting.
func trainIn(t testing.TB, memory int, in kind.Input, workers int, args ...option.Arg) *model {
	t.Helper()
	m, s := &model{memory: memory}, &option.Set{}
	m.Options(s)
	if err := s.Apply(args); err != nil {
		t.Fatal(err)
	}
	tr := &kind.Training{On: in, Workers: workers, Report: func(kind.Progress) {}, Notice: func(string) {}}
	if err := m.Train(context.Background(), tr); err != nil {
		t.Fatal(err)
	}
	return m
}

// pairs is the counts of a model.
func pairs(m *model) map[string]float64 {
	out := map[string]float64{}
	_ = matrixCells(m.Matrix)(func(w, c uint32, n float64) bool {
		out[m.Words[w]+" "+m.Contexts[c]] = n
		return true
	})
	return out
}

var drinks = []*text.Document{
	tree("a", "She/PRON/2/nsubj drinks/VERB/0/root red/ADJ/4/amod Wine/NOUN/2/obj with/ADP/6/case fish/NOUN/2/obl "+
		"././2/punct"),
	tree("b", "He/PRON/2/nsubj drinks/VERB/0/root wine/NOUN/2/obj of/ADP/5/case Rome/PROPN/3/nmod"),
}

func TestDependencies(t *testing.T) {
	got := pairs(train(t, kind.Documents(drinks), 1))
	want := map[string]float64{"she nsubj(drinks,_)": 1, "he nsubj(drinks,_)": 1, "drinks nsubj(_,she)": 1,
		"drinks nsubj(_,he)": 1,
		"wine obj(drinks,_)": 2, "drinks obj(_,wine)": 2, "red amod(wine,_)": 1, "wine amod(_,red)": 1,
		"fish obl:with(drinks,_)": 1,
		"drinks obl:with(_,fish)": 1, "rome nmod:of(wine,_)": 1, "wine nmod:of(_,rome)": 1}
	if !maps.Equal(got, want) {
		t.Errorf("%v", got)
	}
	got = pairs(train(t, kind.Documents(drinks), 1, kindtest.Arg("direction", "governor"), kindtest.Arg("tags", "NOUN"),
		kindtest.Arg("stop_tags", "ADP"), kindtest.Arg("fold", false)))
	if want := map[string]float64{"wine obj(drinks,_)": 2, "fish obl(drinks,_)": 1}; !maps.Equal(got, want) {
		t.Errorf("nouns below their heads: %v", got)
	}
}

// TestJoin: compounds and names are one word, where their tokens stand together, and what hangs on a part hangs on the
// word.
func TestJoin(t *testing.T) {
	docs := kind.Documents{
		tree("a", "the/DET/3/det Osaka/PROPN/3/compound Dome/PROPN/4/nsubj drew/VERB/0/root Jimi/PROPN/4/obj "+
			"Hendrix/PROPN/5/flat fans/NOUN/6/dep"),
		tree("b", "New/ADJ/2/compound York/PROPN/3/compound City/PROPN/4/nsubj grew/VERB/0/root"),
		tree("c", "station/NOUN/3/compound x/SYM/3/punct bus/NOUN/4/obj left/VERB/0/root"),
		tree("d", "a/NOUN/2/compound b/NOUN/1/compound"),
	}
	list := func(name string, values ...string) option.Arg {
		a := option.Arg{Name: name}
		for _, v := range values {
			a.List = append(a.List, option.Arg{Value: value.Str(v)})
		}
		return a
	}
	args := []option.Arg{list("join", "compound", "flat"), kindtest.Arg("lower", false),
		kindtest.Arg("direction", "governor"), list("tags", "NOUN", "PROPN")}
	got := pairs(train(t, docs, 1, args...))
	want := map[string]float64{"Osaka Dome nsubj(drew,_)": 1, "Jimi Hendrix obj(drew,_)": 1, "fans dep(Jimi Hendrix,_)": 1,
		"New York City nsubj(grew,_)": 1,
		"station compound(bus,_)":     1, "bus obj(left,_)": 1, "a compound(b,_)": 1, "b compound(a,_)": 1}
	if !maps.Equal(got, want) {
		t.Errorf("%v", got)
	}
}

func TestWindows(t *testing.T) {
	for position, want := range map[string]string{"offset": "-1:drinks", "side": "L:drinks", "none": "drinks"} {
		m := train(t, kind.Documents(drinks), 1, kindtest.Arg("contexts", "window"), kindtest.Arg("window", 1),
			kindtest.Arg("position", position))
		if got := pairs(m); got["wine "+want] != 1 || got["red "+want] != 1 || got["fish "+want] != 0 {
			t.Errorf("%s: %v", position, got)
		}
	}
}

// text of random words, in documents.
func noise(n int, seed uint64) []*text.Document {
	rng := rand.New(rand.NewPCG(seed, 1))
	docs := make([]*text.Document, n)
	for i := range docs {
		var line []string
		for k := range 5 + rng.IntN(30) {
			r := rng.Float64()
			line = append(line, fmt.Sprintf("w%d/NOUN/%d/r%d", int(60*r*r*r), k, rng.IntN(3)))
		}
		docs[i] = tree(fmt.Sprint(i), strings.Join(line, " "))
	}
	return docs
}

// TestChoice counts windows in a plain way and keeps what the definition keeps.
func TestChoice(t *testing.T) {
	docs := noise(200, 3)
	counts := map[[2]string]int{}
	for _, d := range docs {
		forms := d.Layer("tokens").Strs("form")
		for i := range forms {
			for j := max(0, i-2); j < min(len(forms), i+3); j++ {
				if i != j {
					counts[[2]string{forms[i], windowName(j-i, forms[j])}]++
				}
			}
		}
	}
	const least = 2
	most := func(side, limit, partners int) map[string]bool {
		kinds, totals := map[string]int{}, map[string]int{}
		for p, n := range counts {
			if n >= least {
				kinds[p[side]]++
				totals[p[side]] += n
			}
		}
		maps.DeleteFunc(kinds, func(_ string, n int) bool { return n < partners })
		list := slices.SortedFunc(maps.Keys(kinds), func(a, b string) int {
			if kinds[a] != kinds[b] {
				return kinds[b] - kinds[a]
			}
			if totals[a] != totals[b] {
				return totals[b] - totals[a]
			}
			return strings.Compare(a, b)
		})
		out := map[string]bool{}
		for _, s := range list[:min(limit, len(list))] {
			out[s] = true
		}
		return out
	}
	for _, keep := range []struct{ words, contexts, minContexts, minWords int }{{25, 70, 1, 1}, {1000, 1000, 40, 12}} {
		w, c := most(0, keep.words, keep.minContexts), most(1, keep.contexts, keep.minWords)
		want := map[string]float64{}
		for p, n := range counts {
			if n >= least && w[p[0]] && c[p[1]] {
				want[p[0]+" "+p[1]] = float64(n)
			}
		}
		if len(want) == 0 || len(want) == len(counts) {
			t.Fatalf("%+v keeps %d of %d pairs, which tests nothing", keep, len(want), len(counts))
		}
		for _, workers := range []int{1, 3} {
			m := train(t, kind.Documents(docs), workers, kindtest.Arg("contexts", "window"), kindtest.Arg("min_count", least),
				kindtest.Arg("max_words", keep.words),
				kindtest.Arg("max_contexts", keep.contexts), kindtest.Arg("min_contexts", keep.minContexts),
				kindtest.Arg("min_words", keep.minWords))
			if got := pairs(m); !maps.Equal(got, want) {
				t.Errorf("%+v, %d workers: %d pairs, want %d", keep, workers, len(got), len(want))
			}
		}
	}
}

func windowName(offset int, word string) string { return fmt.Sprintf("%+d:%s", offset, word) }

func TestCountsTable(t *testing.T) {
	rows := func(list ...any) (out [][]value.Value) {
		for i := 0; i < len(list); i += 3 {
			out = append(out, []value.Value{value.Str(list[i].(string)), value.Str(list[i+1].(string)),
				value.Real(list[i+2].(float64))})
		}
		return out
	}
	m := train(t, kind.Tables{"counts": rows("a", "f", 0.5, "b", "f", 2.0, "a", "g", 0.0, "a", "f", 0.25)}, 1,
		kindtest.Arg("contexts", "counts"))
	if got := pairs(m); !maps.Equal(got, map[string]float64{"a f": 0.75, "b f": 2}) {
		t.Errorf("%v", got)
	}
	for _, bad := range [][][]value.Value{rows("a", "f", -1.0), {{value.Str("a"), {}, value.Real(1)}}} {
		m, s := &model{}, &option.Set{}
		m.Options(s)
		_ = s.Apply([]option.Arg{kindtest.Arg("contexts", "counts")})
		err := m.Train(context.Background(), &kind.Training{On: kind.Tables{"counts": bad}})
		if err == nil || !strings.Contains(err.Error(), "row 1") {
			t.Errorf("%v: %v", bad, err)
		}
	}
}

func TestContract(t *testing.T) {
	queries := []kindtest.Query{{Relation: "contexts_of", Args: []value.Value{value.Str("w1")}},
		{Relation: "contexts_of", Args: []value.Value{value.Str("w1x")}, Fails: "did you mean w1"},
		{Relation: "words_of", Args: []value.Value{value.Str("nothing at all")}, Fails: "unknown context"}}
	window := append(queries, kindtest.Query{Relation: "words_of", Args: []value.Value{value.Str("+1:w2")}})
	kindtest.Run(t, kindtest.Case{Kind: Kind(), Options: []option.Arg{kindtest.Arg("contexts", "window")},
		Train: noise(40, 1), Queries: window})
	deps := append(queries, kindtest.Query{Relation: "words_of", Args: []value.Value{value.Str("r1(w2,_)")}})
	kindtest.Run(t, kindtest.Case{Kind: Kind(), Train: noise(40, 1), Queries: deps})
	table := [][]value.Value{{value.Str("w1"), value.Str("f"), value.Real(0.5)},
		{value.Str("w2"), value.Str("f"), value.Real(3)}}
	counts := append(queries, kindtest.Query{Relation: "words_of", Args: []value.Value{value.Str("f")}})
	kindtest.Run(t, kindtest.Case{Kind: Kind(), Options: []option.Arg{kindtest.Arg("contexts", "counts")},
		Tables: kind.Tables{"counts": table}, Queries: counts})
}

// TestExtractedPanics: a batch of documents that cannot be read ends the counting with an error.
func TestExtractedPanics(t *testing.T) {
	m := &model{}
	if b := m.extracted([]*text.Document{nil}); !errors.As(b.failed, new(*guard.Panic)) {
		t.Error(b.failed)
	}
}
