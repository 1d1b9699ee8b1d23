package extract

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"parlance/algo/text"

	"pgregory.net/rapid"
)

// withHeads adds dependencies to the first sentence of d: heads by token, 0 for a root.
func withHeads(d *text.Document, heads []int, rels []string) {
	l := text.NewLayer(text.Dependencies)
	for i, h := range heads {
		l.Cols[0].Ints = append(l.Cols[0].Ints, 1)
		l.Cols[1].Ints = append(l.Cols[1].Ints, int32(i+1))
		l.Cols[3].Ints = append(l.Cols[3].Ints, int32(h))
		l.Cols[4].Strs = append(l.Cols[4].Strs, rels[i])
		l.N++
	}
	d.SetLayer(l)
}

func TestPaths(t *testing.T) {
	d := sentences(t, []string{"The owner of Acme works in Main Street"}, "1:4-4:ORG", "1:7-8:LOC")
	withHeads(d, []int{2, 5, 4, 2, 0, 8, 8, 5},
		[]string{"det", "nsubj", "case", "nmod", "root", "case", "compound", "obl"})
	for _, c := range []struct {
		layer string
		most  int
		want  string
	}{
		{"entities", 4, "4-8 2 1 nmod<owner<nsubj<works>obl; 8-4 1 2 obl<works>nsubj>owner>nmod"},
		{"entities", 2, ""},
	} {
		var got []string
		for _, p := range mustPaths(t, d, c.layer, c.most) {
			got = append(got, fmt.Sprintf("%d-%d %d %d %s", p.From+1, p.To+1, p.Up, p.Down, p.Text))
		}
		if s := strings.Join(got, "; "); s != c.want {
			t.Errorf("%s: %s, want %s", c.layer, s, c.want)
		}
	}
	for _, want := range []string{"1-5 det<owner<nsubj<", "5-1 >nsubj>owner>det", "5-8 >obl", "8-5 obl<",
		"6-7 case<street>compound"} {
		found := false
		for _, p := range mustPaths(t, d, "", 8) {
			found = found || fmt.Sprintf("%d-%d %s", p.From+1, p.To+1, p.Text) == want
		}
		if !found {
			t.Errorf("no path %s", want)
		}
	}
}

// TestPathsBruteForce compares the paths in a forest with the chains of heads of both ends.
// Heads that form a circle must not hang or give a pair twice.
func TestPathsBruteForce(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		n := rapid.IntRange(1, 7).Draw(rt, "tokens")
		circles := rapid.Bool().Draw(rt, "circles")
		words, heads, rels := make([]string, n), make([]int, n), make([]string, n)
		for i := range n {
			words[i], rels[i] = fmt.Sprintf("w%d", i+1), fmt.Sprintf("r%d", i+1)
			heads[i] = rapid.IntRange(0, n).Draw(rt, "head")
			if !circles {
				heads[i] = rapid.IntRange(0, i).Draw(rt, "head")
			}
		}
		d := sentences(t, []string{strings.Join(words, " ")})
		withHeads(d, heads, rels)
		most := rapid.IntRange(1, 6).Draw(rt, "most")
		got := map[string]bool{}
		for _, p := range mustPaths(t, d, "", most) {
			key := fmt.Sprintf("%d-%d", p.From+1, p.To+1)
			if got[key] {
				rt.Fatalf("%v: %s twice", heads, key)
			}
			got[key] = true
			if !circles {
				if want := chain(heads, int(p.From)+1, int(p.To)+1); p.Text != want || p.Up+p.Down > most {
					rt.Fatalf("%v: %s is %s, want %s", heads, key, p.Text, want)
				}
			}
		}
		for a := 1; a <= n && !circles; a++ {
			for b := 1; b <= n; b++ {
				want := a != b && arcs(heads, a, b) >= 0 && arcs(heads, a, b) <= most
				if got[fmt.Sprintf("%d-%d", a, b)] != want {
					rt.Fatalf("%v: %d-%d found %v, want %v", heads, a, b, !want, want)
				}
			}
		}
	})
}

// up returns a token and those above it.
func up(heads []int, a int) []int {
	out := []int{a}
	for heads[a-1] != 0 && heads[a-1] != a {
		a = heads[a-1]
		out = append(out, a)
	}
	return out
}

// meet returns the chains of both tokens up to the first that they share.
func meet(heads []int, a, b int) (x, y []int, ok bool) {
	x, y = up(heads, a), up(heads, b)
	for i, p := range x {
		for j, q := range y {
			if p == q {
				return x[:i+1], y[:j+1], true
			}
		}
	}
	return nil, nil, false
}

func arcs(heads []int, a, b int) int {
	x, y, ok := meet(heads, a, b)
	if !ok {
		return -1
	}
	return len(x) + len(y) - 2
}

// chain writes the path from a to b from the two chains.
func chain(heads []int, a, b int) string {
	x, y, _ := meet(heads, a, b)
	var parts []string
	for i, p := range x[:len(x)-1] {
		if i > 0 {
			parts = append(parts, fmt.Sprintf("w%d<", p))
		}
		parts = append(parts, fmt.Sprintf("r%d<", p))
	}
	if len(x) > 1 && len(y) > 1 {
		parts = append(parts, fmt.Sprintf("w%d", x[len(x)-1]))
	}
	for j := len(y) - 2; j >= 0; j-- {
		if j < len(y)-2 {
			parts = append(parts, fmt.Sprintf(">w%d", y[j+1]))
		}
		parts = append(parts, fmt.Sprintf(">r%d", y[j]))
	}
	return strings.Join(parts, "")
}

func mustPaths(t *testing.T, d *text.Document, layer string, most int) []Path {
	t.Helper()
	out, err := Paths(context.Background(), d, layer, most)
	if err != nil {
		t.Fatal(err)
	}
	return out
}
