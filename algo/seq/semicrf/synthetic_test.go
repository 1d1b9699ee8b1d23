package semicrf

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"parlance/algo/gazetteer"
	"parlance/algo/kind"
	"parlance/algo/kindtest"
	"parlance/algo/text"
)

// frames are advertisements with slots for names.
var frames = []string{"cheap flights to CITY today", "hotels in CITY from only ten", "buy MAKER shoes online now",
	"visit CITY this summer",
	"new MAKER phones on sale", "MAKER store in CITY", "best deals on MAKER laptops", "flights from CITY to CITY"}

// invented makes names of one or two words.
func invented(r *rand.Rand, n int) (out []string) {
	word := func() string {
		w := ""
		for range 2 + r.IntN(2) {
			w += string("bdfgklmnprst"[r.IntN(12)]) + string("aeiou"[r.IntN(5)])
		}
		return w
	}
	for range n {
		name := word()
		if r.IntN(3) == 0 {
			name += " " + word()
		}
		out = append(out, name)
	}
	return out
}

// TestSyntheticAds: with a dictionary that knows two names of five, 15 in a hundred of them wrongly, constraints are
// above the same dictionary as rules, and gold above both.
func TestSyntheticAds(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	names := map[string][]string{"CITY": invented(r, 60), "MAKER": invented(r, 60)}
	var entries []gazetteer.Entry
	for _, label := range []string{"CITY", "MAKER"} {
		for _, n := range names[label][:24] {
			told := label
			if r.Float64() < 0.15 {
				told = map[string]string{"CITY": "MAKER", "MAKER": "CITY"}[label]
			}
			entries = append(entries, gazetteer.Entry{Tokens: strings.Fields(n), Labels: []string{told}})
		}
	}
	res := lists{tries: map[string]*gazetteer.Trie{"lists": gazetteer.New(gazetteer.Options{Case: "lower"}, entries)}}
	var docs []*text.Document
	for i := range 300 {
		var forms []string
		var spans []text.Span
		for _, f := range strings.Fields(frames[r.IntN(len(frames))]) {
			if list := names[f]; list != nil {
				words := strings.Fields(list[r.IntN(len(list))])
				spans = append(spans, text.Span{Sent: 1, First: int32(len(forms) + 1),
					Last: int32(len(forms) + len(words)), Label: f})
				forms = append(forms, words...)
			} else {
				forms = append(forms, f)
			}
		}
		docs = append(docs, document(fmt.Sprint(i), forms, text.Entities, spans))
	}
	rows := constraints([]any{"dictionary", "CITY", "CITY", 0.8, ">="},
		[]any{"dictionary", "MAKER", "MAKER", 0.8, ">="}, []any{"share", "", "O", 0.6, ">="},
		[]any{"length", "1-2", "", 0.95, ">="}, []any{"segments", "", "CITY", 0.8, "<="}, []any{"segments", "",
			"MAKER", 0.6, "<="})
	raw, test := docs[:200], docs[200:]
	features := kindtest.Arg("features", "form[-1..1]")
	m := train(t, raw, map[string]kind.Input{"constraints": rows}, res, 1,
		constrainedOptions("entities", features, kindtest.Arg("max_length", 2))...)
	gold := train(t, raw, nil, nil, 1, kindtest.Arg("layer", "entities"), features)
	byRules := score(t, "entities", test, hard(t, rows, res.tries["lists"], text.Entities,
		func(string) string { return "O" }))
	mine, best := score(t, "entities", test, m.writes(res)), score(t, "entities", test, gold.writes(nil))
	for _, name := range []string{"token_accuracy", "f1"} {
		a, b, c := named(byRules, name).Value(), named(mine, name).Value(), named(best, name).Value()
		t.Logf("%s: rules %.3f, constraints %.3f, gold %.3f", name, a, b, c)
		if b < a+0.05 || c < b {
			t.Errorf("%s: rules %.3f, constraints %.3f, gold %.3f; want them to rise", name, a, b, c)
		}
	}
}
