package logicembedding

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"parlance/algo/kind"
	"parlance/algo/kindtest"
	"parlance/algo/option"
)

// synthetic is 200 pairs and relations in groups of 4 where r0 => r1 => r2 => r3, with some of
// what is implied hidden. The reverse implications are false.
func synthetic(pairs, groups int, rules bool, seed uint64) (train, hidden kind.Tables) {
	rng := rand.New(rand.NewPCG(seed, 7))
	train, hidden = kind.Tables{}, kind.Tables{}
	for p := range pairs {
		for g := range groups {
			if rng.IntN(4) > 0 {
				continue // the pair has nothing of the group
			}
			first := rng.IntN(4)
			for r := range 4 {
				fact := row(fmt.Sprint("s", p), fmt.Sprintf("g%dr%d", g, r), fmt.Sprint("o", p), nil, r >= first)
				switch {
				case r < first: // what only the reverse implication would give
					hidden["triples"] = append(hidden["triples"], append(fact[:3:3], fact[4]))
				case r > first && rng.Float64() < 0.3:
					hidden["triples"] = append(hidden["triples"], append(fact[:3:3], fact[4]))
				default:
					train["triples"] = append(train["triples"], fact)
				}
			}
		}
	}
	if rules {
		for g := range groups {
			for r := range 3 {
				train["rules"] = append(train["rules"], row(fmt.Sprintf("g%dr%d(x) => g%dr%d(x)", g, r, g, r+1), nil))
			}
		}
	}
	return train, hidden
}

// metricsOf scores a model: values of all metrics over all, and the rate of false positives.
func metricsOf(t testing.TB, m *model, in kind.Tables) (map[string]float64, float64) {
	list, err := m.Evaluate(context.Background(), in, &kind.Run{Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]float64{}
	for _, x := range list {
		if x.Label == "ALL" {
			out[x.Name] = x.Value()
		}
	}
	no, wrong := 0.0, 0.0
	for _, r := range in["triples"] {
		if s := m.score(r[0].S, r[1].S, r[2].S); !r[3].Bool() {
			no++
			if s.answer {
				wrong++
			}
		}
	}
	return out, wrong / no
}

func TestRulesFindHiddenFacts(t *testing.T) {
	options := []option.Arg{kindtest.Arg("k", 20), kindtest.Arg("loss", "squared"), kindtest.Arg("l2", 0.01)}
	facts, hidden := synthetic(200, 5, false, 1)
	all, _ := synthetic(200, 5, true, 1)
	a, wrongA := metricsOf(t, learn(t, facts, 1, nil, options...), hidden)
	for _, spare := range []bool{false, true} {
		b, wrongB := metricsOf(t, learn(t, all, 1, nil, append(options, kindtest.Arg("spare_derived", spare))...), hidden)
		t.Logf("%d cells; facts only %.3v, false positives %.3f; with rules %.3v, false positives %.3f",
			len(hidden["triples"]), a, wrongA, b, wrongB)
		if b["accuracy"]-a["accuracy"] < 0.1 || b["map"]-a["map"] < 0.1 || wrongB > wrongA+0.02 {
			t.Error("the rules should find 10 points more of the hidden facts and nothing of the reverse")
		}
	}
}
