package template

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"parlance/algo/kind"
	"parlance/storage/value"
)

func row(noun, slot, verb string, count float64) []value.Value {
	return []value.Value{value.Str(noun), value.Str(slot), value.Str(verb), value.Real(count), {}, {}, {}}
}

func read(t *testing.T, rows [][]value.Value, f Filter) *Counts {
	t.Helper()
	table, _ := kind.Tables{"tuples": rows}.Table("tuples")
	c, err := Read(context.Background(), table, f)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestLeast: a template with just the least sum stays, one below goes, with its nouns.
func TestLeast(t *testing.T) {
	c := read(t, [][]value.Value{row("oil", "obj", "heat", 2), row("pan", "obj", "heat", 1), row("car", "obj", "sell", 2)},
		Filter{Least: 3})
	if len(c.Templates) != 1 || c.Templates[0].Predicate != "heat" || !slices.Equal(c.Nouns, []string{"oil", "pan"}) ||
		c.Total != 3 {
		t.Errorf("%v %v %v", c.Templates, c.Nouns, c.Total)
	}
}

// TestRead: equal rows add up, the order of rows changes nothing, sums are those of what is left.
func TestRead(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	var rows [][]value.Value
	want := map[string]float64{}
	for range 300 {
		n, v := fmt.Sprint("n", rng.IntN(9)), fmt.Sprint("v", rng.IntN(7))
		c := float64(1 + rng.IntN(5))
		rows = append(rows, row(n, "obj", v, c))
		want[v+" "+n] += c
	}
	for range 2 {
		c := read(t, rows, Filter{Least: 1})
		total := 0.0
		for i, tm := range c.Templates {
			ids, counts := c.Rows.Row(i)
			sum := 0.0
			for k, id := range ids {
				if want[tm.Predicate+" "+c.Nouns[id]] != counts[k] {
					t.Fatalf("%v %s: %v", tm, c.Nouns[id], counts[k])
				}
				sum += counts[k]
			}
			if sum != c.OfRow[i] {
				t.Fatalf("sum of %v", tm)
			}
			total += sum
		}
		if len(c.Rows.IDs) != len(want) || total != c.Total {
			t.Fatalf("%d cells, want %d", len(c.Rows.IDs), len(want))
		}
		slices.Reverse(rows)
	}
	cut := read(t, []([]value.Value){row("a", "obj", "eat", 9), row("a", "obj", "chew", 1), row("b", "obj", "chew", 1)},
		Filter{Least: 3})
	if fmt.Sprint(cut.Nouns, cut.Total) != "[a] 9" {
		t.Errorf("after the cut: %v %v", cut.Nouns, cut.Total)
	}
}

// TestMeasures: Lin and precision from their definitions.
func TestMeasures(t *testing.T) {
	c := read(t, [][]value.Value{row("a", "obj", "x", 4), row("b", "obj", "x", 1), row("a", "obj", "y", 1),
		row("b", "obj", "y", 3), row("c", "obj", "y", 2), row("a", "obj", "z", 2),
		row("c", "obj", "z", 2)}, Filter{Least: 1})
	w := c.Weigh()
	pmi := func(both, row, column float64) float64 { return max(0, math.Log(both*15/(row*column))) }
	x, z := []float64{pmi(4, 5, 7), pmi(1, 5, 4), 0}, []float64{pmi(2, 4, 7), 0, pmi(2, 4, 4)}
	both := 0.0
	if x[0] > 0 && z[0] > 0 {
		both = x[0] + z[0]
	}
	if got, want := w.Lin(0, 2), both/(x[0]+x[1]+z[0]+z[2]); math.Abs(got-want) > 1e-12 || want == 0 {
		t.Errorf("lin %v, want %v", got, want)
	}
	if a, _ := w.Shared(0, 2); math.Abs(w.PrecisionOf(0, a)-x[0]/(x[0]+x[1])) > 1e-12 || w.Lin(1, 1) != 1 {
		t.Errorf("precision %v", w.PrecisionOf(0, a))
	}
}

// TestPaths: mirrors, canonical forms, partial patterns.
func TestPaths(t *testing.T) {
	for path, mirror := range map[string]string{"X <nsubj cause >obj Y": "X <obj cause >nsubj Y",
		"X >nmod:of Y":                        "X <nmod:of Y",
		"X <nmod:in war/n <nsubj kill >obj Y": "X <obj kill >nsubj war/n >nmod:in Y"} {
		if Mirror(path) != mirror || Mirror(mirror) != path {
			t.Errorf("%s: %s", path, Mirror(path))
		}
		a, turned := Canonical(path)
		b, back := Canonical(mirror)
		if a != b || turned == back {
			t.Errorf("%s and %s", a, b)
		}
	}
	if x, y, ok := Partial("X <nmod:in war/n <nsubj kill >obj Y"); !ok || x != "X <nmod:in war/n <nsubj kill" ||
		y != "kill >obj Y" {
		t.Errorf("%s, %s", x, y)
	}
	for s, want := range map[string]bool{"X >nmod:of Y": true, "Y <nsubj result >obl:from X": true, "X Y": false,
		"X nmod Y": false, "": false, "X >of": false, "X >a b Y": false} {
		if IsPath(s) != want {
			t.Errorf("%q: %v", s, IsPath(s))
		}
	}
}
