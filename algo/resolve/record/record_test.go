package record

import (
	"math"
	"slices"
	"strings"
	"testing"

	"parlance/algo/engine/mcmc"
	"parlance/algo/engine/partition"
)

func parse(t testing.TB, text string) []Attribute {
	t.Helper()
	list, err := ParseAttributes([]string{text})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func near(t *testing.T, what string, got, want, within float64) {
	t.Helper()
	if !(math.Abs(got-want) <= within) {
		t.Errorf("%s = %v, want %v", what, got, want)
	}
}

// TestUnits: the numbers of factors are those of the engine.
func TestUnits(t *testing.T) {
	if Unit != mcmc.Unit {
		t.Errorf("unit %d, the engine has %d", Unit, int64(mcmc.Unit))
	}
}

// TestCosines has the worked example of contexts, and of a group of two.
func TestCosines(t *testing.T) {
	b := NewBuilder(parse(t, "context words"))
	b.Idf = func(n, with int) float64 { return math.Log(float64(n) / float64(with)) }
	for _, s := range []string{"film film silent bob", "film dogma silent", "lions draft yards"} {
		if err := b.Add([]string{s}); err != nil {
			t.Fatal(err)
		}
	}
	s := b.Store(nil)
	cos := func(s *Store, i, j int32) float64 { return s.Products().Features(nil, i, j)[0] }
	near(t, "cos(1, 2)", cos(s, 0, 1), .279403, 2e-4)
	near(t, "cos(1, 3)", cos(s, 0, 2), 0, 0)
	near(t, "cos(2, 3)", cos(s, 1, 2), 0, 0)
}

// TestFeatures has all features of pairs of values.
func TestFeatures(t *testing.T) {
	for _, c := range []struct {
		attribute, a, b string
		want            []float64
	}{
		{"x name", "John", "john", []float64{1, 0, 0}},
		{"x name", "J.", "j", []float64{1, 0, 0}},
		{"x name", "J.", "John", []float64{0, 1, 0}},
		{"x name", "K", "John", []float64{0, 0, 1}},
		{"x name", "Jane", "John", []float64{0, 0, 1}},
		{"x name", "", "John", []float64{0, 0, 0}},
		{"x name", " . ", "John", []float64{0, 0, 0}},
		{"x string", "ACL", "acl ", []float64{1, 0}},
		{"x string", "ACL", "EMNLP", []float64{0, 1}},
		{"x string", "", "", []float64{0, 0}},
		{"x number 4", "1990", "1990", []float64{1, 1}},
		{"x number 4", "1990", "1992", []float64{.5, 1}},
		{"x number 4", "1990", "2000", []float64{0, 1}},
		{"x number 4", "NaN", "1990", []float64{0, 0}},
		{"x number 4", "1e300", "1990", []float64{0, 0}},
		{"x number 4", "soon", "1990", []float64{0, 0}},
		{"x words", "a b", "b a", []float64{1, 1}},
		{"x words", "a b", "c d", []float64{0, 1}},
		{"x words", "?!", "c d", []float64{0, 0}},
		{"x list", "Al B; c", "C;al  b", []float64{1, 1}},
		{"x trigrams", "Straße", "straße", []float64{1, 1}},
	} {
		b := NewBuilder(parse(t, c.attribute))
		for _, v := range []string{"zz", c.b, c.a, ""} {
			if err := b.Add([]string{v}); err != nil {
				t.Fatal(err)
			}
		}
		got := b.Store([]int32{2, 1, 0, 3}).Products().Features(nil, 0, 1)
		for i := range c.want {
			near(t, c.attribute+" of "+c.a+" and "+c.b, got[i], c.want[i], 3e-4)
		}
	}
}

func TestParse(t *testing.T) {
	a := parse(t, "first name 2 1 -8, year number 4 .5, title words")
	if got := Weights(a); !slices.Equal(got, []float64{2, 1, -8, .5, 0, 2, 0}) || a[1].Tolerance != 4 {
		t.Errorf("weights %v of %+v", got, a)
	}
	if got := Features(a); len(got) != 7 || got[1] != "first initial" || got[5] != "title cosine" {
		t.Errorf("features %v", got)
	}
	for text, want := range map[string]string{
		"": "no attribute", "title": "give: column type", "title wrods": "did you mean words", "a name x": "no " +
			"number", "a name 1 2 3 4": "3 weights",
		"a number 0": "above 0", "a words 51": "outside", "a words, a words": "twice", "a words NaN": "no number"} {
		if _, err := ParseAttributes([]string{text}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
	for text, want := range map[string]string{
		"initial(x": "no key", "intial(x)": "did you mean initial", "prefix(x)": "no key", "prefix(x, 0)": "from " +
			"1", "a + words(b)": "joined with nothing", "a + ": "empty"} {
		if _, err := ParseBlocking([]string{text}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

func TestBlocks(t *testing.T) {
	rule, err := ParseBlocking([]string{"last + initial(first)", "prefix(title, 4)"})
	if err != nil {
		t.Fatal(err)
	}
	if got := rule.Columns(); !slices.Equal(got, []string{"last", "first", "title"}) {
		t.Errorf("columns %v", got)
	}
	rows := []map[string]string{{"last": "Young", "first": "Ann"}, {"last": "young", "first": "A."}, {"last": "Young",
		"first": "Bob", "title": "Frogs of ponds"},
		{"last": "Cook", "first": "", "title": "frogs"}, {"last": "Cook", "first": ""}, {"last": "Lee",
			"first": "X"}, {"last": "Roy", "first": "Z"}}
	b := NewBlocker()
	for _, r := range rows {
		var keys []string
		rule.Keys(func(c string) string { return r[c] }, func(k string) { keys = append(keys, k) })
		b.Add(keys)
	}
	blocks, _ := b.Blocks([][2]int32{{5, 6}})
	var got [][]int32
	for _, k := range blocks {
		got = append(got, k.Items)
	}
	if len(got) != 3 || !slices.Equal(got[0], []int32{0, 1}) || !slices.Equal(got[1], []int32{2, 3}) ||
		!slices.Equal(got[2], []int32{5, 6}) {
		t.Errorf("blocks %v", got)
	}
	if blocks[0].Lists != nil || len(blocks[2].Lists) > 0 {
		t.Errorf("lists %v and %v", blocks[0].Lists, blocks[2].Lists)
	}
}

// some records of all types.
func some(t testing.TB, n int, seed uint64) (*Store, []float64) {
	t.Helper()
	list := parse(t, "first name .2 .1 -3, venue string .3 -.2, year number 4 .5 -.1, title words 2 -.3, who list "+
		"2, what trigrams 1 .1")
	b, r := NewBuilder(list), mcmc.NewRand(seed)
	pick := func(from ...string) string { return from[r.Intn(len(from))] }
	for range n {
		if err := b.Add([]string{pick("ann", "a", "bob", ""), pick("acl", "icml", ""), pick("1990", "1991", "2000", ""),
			pick("frogs", "ponds", "") + " " + pick("of", "and", "rain"), pick("x;y", "x", "z", ""), pick("abcd",
				"bcde", "zzz")}); err != nil {
			t.Fatal(err)
		}
	}
	return b.Store(nil), Weights(list)
}

// TestEvaluations: sums of vectors and matrices give what pairs give, to the last bit, after any number of moves.
func TestEvaluations(t *testing.T) {
	s, w := some(t, 60, 1)
	items := make([]int32, 60)
	for i := range items {
		items[i] = int32(i)
	}
	l := NewLocalizer(s).Local(items, s.Weigh(w, .05))
	state := partition.New(60)
	pairs, bags, matrix := NewPairs(l), NewBags(l, state), NewDense(l, state)
	r := mcmc.NewRand(2)
	z := s.Products()
	for step := range 100000 {
		m, to := int32(r.Intn(60)), r.Intn(6)
		from := state.Cluster(int(m))
		if from != to {
			state.Move(int(m), to)
			bags.Moved(m, from, to, state)
			matrix.Moved(m, from, to, state)
		}
		if step%10 > 0 {
			continue
		}
		x := int32(r.Intn(60))
		for _, a := range []mcmc.Affinity{pairs, bags, matrix} {
			a.Select(x)
		}
		c := r.Intn(6)
		want, has := int64(0), false
		for _, y := range state.Members(c) {
			if y == x {
				has = true
				continue
			}
			want += pairs.Pair(y)
			if matrix.Pair(y) != pairs.Pair(y) || bags.Pair(y) != pairs.Pair(y) {
				t.Fatalf("pair %d %d: %d, %d and %d", x, y, pairs.Pair(y), bags.Pair(y), matrix.Pair(y))
			}
		}
		if a, b := bags.Sum(c, has), matrix.Sum(c, has); a != want || b != want {
			t.Fatalf("step %d: sums %d and %d, pairs %d", step, a, b, want)
		}
		if step%1000 == 0 {
			y := (x + 1) % 60
			sum := -.05
			for i, f := range z.Features(nil, x, y) {
				sum += w[i] * f
			}
			near(t, "pair", float64(pairs.Pair(y))/Unit, sum, 2e-3)
			b := pairs.Pair(y)
			pairs.Select(y)
			if pairs.Pair(x) != b {
				t.Fatal("a factor is not symmetric")
			}
		}
	}
	for c, b := range bags.sums {
		if state.Size(c) == 0 && b.slots != nil {
			t.Errorf("the empty cluster %d has a sum", c)
		}
	}
}

// TestBag compares a table with a map.
func TestBag(t *testing.T) {
	r, m, b := mcmc.NewRand(9), map[int32]int64{}, Bag{}
	for range 200000 {
		k := int32(r.Intn(200))
		v := int64(r.Intn(5)) - 2
		if m[k] != 0 && r.Intn(2) == 0 {
			v = -m[k]
		}
		b.Add(k, v)
		if m[k] += v; m[k] == 0 {
			delete(m, k)
		}
		x := int32(r.Intn(200))
		if b.Of(x) != m[x] || b.Len() != len(m) {
			t.Fatalf("%d of %d, want %d; %d components, want %d", b.Of(x), x, m[x], b.Len(), len(m))
		}
	}
	n := 0
	b.Each(func(k int32, v int64) {
		if n++; m[k] != v {
			t.Errorf("%d of %d, want %d", v, k, m[k])
		}
	})
	if n != len(m) {
		t.Errorf("%d components, want %d", n, len(m))
	}
}
