package ngrams

import (
	"math"
	"slices"
	"strings"
	"testing"

	"parlance/algo/kind"
	"parlance/algo/kindtest"
	"parlance/storage/value"
)

// rowsOf reads the relation ngrams, of n-grams whose text begins so.
func rowsOf(t testing.TB, m *model, beginning string) (out [][]value.Value) {
	t.Helper()
	rows, err := m.Open(t.Context(), "ngrams", nil, &kind.Run{Prefix: beginning})
	if err != nil {
		t.Fatal(err)
	}
	for {
		b, err := rows.Next(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if b == nil {
			return out
		}
		for i := range b.N {
			out = append(out, b.Row(nil, i))
		}
	}
}

// TestBeginning: n-grams are found by the beginning of their text as among all.
func TestBeginning(t *testing.T) {
	m := train(t, lines(append(noise(300, 20), "Wé w1 / x", "< y </s")...), settings{})
	all := rowsOf(t, m, "")
	for _, start := range []string{"w", "w1", "w1 ", "w1 w", "w12", "<", "<s", "<s> ", "<s> w2", "</", "</s> ",
		"zz", " ", "w1  w",
		"Wé", "W\xc3", "w1 w2 w3 w4 w5 w6 w7", "< y <", "nowhere "} {
		var want []string
		for _, r := range all {
			if strings.HasPrefix(r[0].S, start) {
				want = append(want, r[0].S)
			}
		}
		var got []string
		for _, r := range rowsOf(t, m, start) {
			got = append(got, r[0].S)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q: %d n-grams, want %d", start, len(got), len(want))
		}
	}
}

// backoffTable is the table of the probabilities of a model.
func backoffTable(t testing.TB, m *model) (out [][]value.Value) {
	for _, r := range rowsOf(t, m, "") {
		out = append(out, []value.Value{r[0], r[3], r[4]})
	}
	return out
}

// TestProbabilities: a model read from its own probabilities scores as it does.
func TestProbabilities(t *testing.T) {
	for _, least := range []int64{1, 2} {
		m := train(t, lines(noise(300, 21)...), settings{}, kindtest.Arg("orders", 3), kindtest.Arg("min_count", least))
		table := backoffTable(t, m)
		slices.Reverse(table)
		again := train(t, kind.Tables{"probabilities": table}, settings{}, kindtest.Arg("orders", 3),
			kindtest.Arg("source", byModel))
		for _, s := range append(noise(100, 22), "never seen w1 w2") {
			a, u := m.LogProb(strings.Fields(s))
			b, v := again.LogProb(strings.Fields(s))
			if math.Abs(a-b) > 1e-9 || u != v {
				t.Fatalf("%q: %v with %d unknown words, read again %v with %d", s, a, u, b, v)
			}
		}
	}
}

// TestBeginsWithoutProbability: <s> follows nothing, so that its probability of 0 changes no other.
func TestBeginsWithoutProbability(t *testing.T) {
	table := kind.Tables{"probabilities": {{value.Str("<s>"), value.Real(math.Inf(-1)), value.Real(0)},
		{value.Str("a"), value.Real(-0.3), {}}, {value.Str("</s>"), value.Real(-0.3), {}}}}
	m := train(t, table, settings{}, kindtest.Arg("source", byModel), kindtest.Arg("orders", 1))
	if p, unknown := m.LogProb([]string{"a"}); math.Abs(p+0.6) > 1e-6 || unknown != 0 {
		t.Errorf("log p is %v with %d unknown words", p, unknown)
	}
}

func TestBadProbabilities(t *testing.T) {
	row := func(gram string, log, back float64) []value.Value {
		return []value.Value{value.Str(gram), value.Real(log), value.Real(back)}
	}
	for want, bad := range map[string][]value.Value{
		"row 2: there is no n-gram":    {value.Str(" "), value.Real(-1), {}},
		"where 0 is the most":          row("b", 0.5, 0),
		"has no log_prob":              {value.Str("b"), {}, {}},
		"more than option orders":      row("a a a a", -1, 0),
		"no row of its own":            row("a b", -1, 0),
		"that it begins with, has no":  row("a a a", -1, 0),
		"stands in two rows":           row("a", -2, 0),
		"row 2: log_prob of":           row("b", math.Inf(-1), 0),
		"where 0 is the most and":      row("b", -1e300, 0),
		"log_prob of \"b\" is NaN":     row("b", math.NaN(), 0),
		"row 2: backoff of":            row("b", -1, math.Inf(-1)),
		"backoff of \"b\" is Infinity": row("b", -1, math.Inf(1)),
		"backoff of \"b\" is NaN":      row("b", -1, math.NaN()),
	} {
		in := kind.Tables{"probabilities": {row("a", -1, 0), bad}}
		if _, err := try(t, in, settings{}, kindtest.Arg("source", byModel), kindtest.Arg("orders", 3)); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v, want %q", bad, err, want)
		}
	}
	if _, err := try(t, kind.Tables{"probabilities": {row("a", -1, 0)}},
		settings{init: train(t, lines("a b"), settings{})},
		kindtest.Arg("source", byModel)); err == nil || !strings.Contains(err.Error(), "cannot be added") {
		t.Errorf("init: %v", err)
	}
}
