package constituent

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"parlance/algo/testutil/realdata"
	"parlance/algo/text"
)

func table(t *testing.T, name string) *HeadTable {
	t.Helper()
	h, err := Heads(name)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func parse(t *testing.T, s string) *Node {
	t.Helper()
	n, _, err := Parse(s)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

const luckily = "(TOP (S (NP (NNP John)) (VP (VP (ADVP (RB luckily)) (VP (VBD ate) (NP (NN cake))) (NP (NN today)))" +
	" (ADVP (RB quickly)))))"

// TestExample is a derivation of a sentence of Carreras, Collins and Koo (2008): its tree and its triples.
func TestExample(t *testing.T) {
	d := &Derivation{
		Spines: [][]string{RootSpine, {"NNP", "NP"}, {"RB", "ADVP"}, {"VBD", "VP", "S"}, {"NN", "NP"}, {"NN", "NP"},
			{"RB", "ADVP"}},
		Arcs: []Arc{{}, {3, 2, false}, {3, 1, true}, {0, 1, false}, {3, 1, false}, {3, 1, true}, {3, 1, true}},
	}
	if err := d.Check(); err != nil {
		t.Fatal(err)
	}
	words := strings.Fields("John luckily ate cake today quickly")
	if got := d.Build().Text(words); got != luckily {
		t.Errorf("%s\nwant %s", got, luckily)
	}
	later := d.Later()
	want := []Triple{{}, {"S", "VP", "NP"}, {"VP", "VP", "ADVP"}, {"TOP", "*", "S"}, {"VP", "VBD", "NP"},
		{"VP", "VP", "NP"},
		{"VP", "VP", "ADVP"}}
	for m := 1; m <= 6; m++ {
		if got := d.Triple(m, later[m]); got != want[m] || later[m] != (m == 6) {
			t.Errorf("token %d: %v, later %v, want %v", m, got, later[m], want[m])
		}
	}
	if x := Extract(parse(t, luckily), table(t, "collins"), 6); fmt.Sprint(x) != fmt.Sprint(d) {
		t.Errorf("%v\nwant %v", x, d)
	}
}

// TestBuilds has the trees of one head with one or two modifiers by each operation.
func TestBuilds(t *testing.T) {
	for _, c := range []struct {
		regular []bool
		want    string
	}{
		{[]bool{false}, "(TOP (S (VP (V 1) (NP (N 2)))))"},
		{[]bool{true}, "(TOP (S (VP (VP (V 1)) (NP (N 2)))))"},
		{[]bool{true, false}, "(TOP (S (VP (VP (V 1)) (NP (N 2)) (NP (N 3)))))"},
		{[]bool{false, true}, "(TOP (S (VP (VP (V 1) (NP (N 2))) (NP (N 3)))))"},
		{[]bool{true, true}, "(TOP (S (VP (VP (VP (V 1)) (NP (N 2))) (NP (N 3)))))"},
	} {
		d := &Derivation{Spines: [][]string{RootSpine, {"V", "VP", "S"}}, Arcs: []Arc{{}, {0, 1, false}}}
		for _, r := range c.regular {
			d.Spines, d.Arcs = append(d.Spines, []string{"N", "NP"}), append(d.Arcs, Arc{1, 1, r})
		}
		if got := d.Build().String(); got != c.want {
			t.Errorf("%v: %s, want %s", c.regular, got, c.want)
		}
		later := d.Later()
		for i, r := range c.regular { // where a copy was made, a sister joins that
			head := "V"
			if r || i > 0 && c.regular[0] {
				head = "VP"
			}
			if got := d.Triple(i+2, later[i+2]); got != (Triple{"VP", head, "NP"}) {
				t.Errorf("%v: modifier %d has %v", c.regular, i+1, got)
			}
		}
	}
}

// TestFlatter loses the order of copies on two sides, and nothing else.
func TestFlatter(t *testing.T) {
	deep := parse(t, "(TOP (VP (VP (ADVP (RB l)) (VP (VBD v))) (NP (NN r))))")
	if got := Extract(deep, table(t, "collins"),
		3).Build().String(); got != "(TOP (VP (ADVP (RB 1)) (VP (VBD 2)) (NP (NN 3))))" {
		t.Error(got)
	}
}

// randomDerivation draws a derivation of n tokens with heads that a table finds again: labels tell how the head is told
// from modifiers, which have a tag or phrase of their own.
func randomDerivation(rng *rand.Rand, n int) *Derivation {
	d := &Derivation{Spines: [][]string{RootSpine}, Arcs: make([]Arc, n+1)}
	for range n {
		s := []string{"H"}
		for range rng.IntN(4) {
			l := fmt.Sprint("P", rng.IntN(3))
			if len(s) == 1 || s[len(s)-1] != l {
				s = append(s, l)
			}
		}
		d.Spines = append(d.Spines, s)
	}
	var attach func(head, from, to int, left bool)
	attach = func(head, from, to int, left bool) { // gives all tokens from..to to head or to its modifiers
		position := 1
		for from <= to {
			k := from + rng.IntN(to-from+1) // end of the next modifier's phrase, counted from the head
			a, z := from, k
			if left {
				a, z = to-(k-from), to
			}
			m := a + rng.IntN(z-a+1)
			position += rng.IntN(len(d.Spines[head]) - position)
			d.Arcs[m] = Arc{int32(head), position, head != 0 && rng.IntN(2) == 0}
			for _, half := range [][3]int{{a, m - 1, 1}, {m + 1, z, 0}} {
				if half[0] <= half[1] && len(d.Spines[m]) == 1 {
					d.Spines[m] = append(d.Spines[m], fmt.Sprint("P", rng.IntN(3)))
				}
				if half[0] <= half[1] {
					attach(m, half[0], half[1], half[2] == 1)
				}
			}
			if left {
				to = a - 1
			} else {
				from = z + 1
			}
			if head == 0 {
				return
			}
		}
	}
	root := 1 + rng.IntN(n)
	if len(d.Spines[root]) == 1 {
		d.Spines[root] = append(d.Spines[root], "P0")
	}
	d.Arcs[root] = Arc{0, 1, false}
	if root > 1 {
		attach(root, 1, root-1, true)
	}
	if root < n {
		attach(root, root+1, n, false)
	}
	return d
}

// TestRoundTrips builds trees of random derivations and extracts these again. So that heads are found, the tokens are
// numbered in tags and phrases by who projects them.
func TestRoundTrips(t *testing.T) {
	rng := rand.New(rand.NewPCG(22, 1))
	for i := range 3000 {
		d := randomDerivation(rng, 1+rng.IntN(9))
		if err := d.Check(); err != nil {
			t.Fatalf("%d: %v: %v", i, err, d)
		}
		for m := 1; m <= d.Len(); m++ { // phrases are told apart by token
			for p := range d.Spines[m] {
				d.Spines[m][p] += fmt.Sprintf(".%d", m)
			}
		}
		var rules strings.Builder
		for m := 1; m <= d.Len(); m++ {
			for p := 1; p < len(d.Spines[m]); p++ {
				fmt.Fprintf(&rules, "%s right %s %s\n", d.Spines[m][p], d.Spines[m][p], d.Spines[m][p-1])
			}
		}
		rules.WriteString("* left")
		tree := d.Build()
		if got := Extract(tree, table(t, rules.String()), d.Len()); fmt.Sprint(got) != fmt.Sprint(d) {
			t.Fatalf("%d: %v\nof %v\nwant %v", i, got, tree, d)
		}
	}
}

// TestCheck finds what is wrong with derivations.
func TestCheck(t *testing.T) {
	good := func() *Derivation {
		return &Derivation{Spines: [][]string{RootSpine, {"N", "NP"}, {"V", "VP", "S"}, {"N", "NP"}},
			Arcs: []Arc{{}, {2, 2, false}, {0, 1, false}, {2, 1, true}}}
	}
	if err := good().Check(); err != nil {
		t.Fatal(err)
	}
	for name, spoil := range map[string]func(d *Derivation){
		"is 9":        func(d *Derivation) { d.Arcs[1].Head = 9 },
		"position 3":  func(d *Derivation) { d.Arcs[1].Position = 3 },
		"twice":       func(d *Derivation) { d.Spines[2][2] = "VP" },
		"2 tokens":    func(d *Derivation) { d.Arcs[1] = Arc{0, 1, false} },
		"0 tokens":    func(d *Derivation) { d.Arcs[2] = Arc{1, 1, false} },
		"fall":        func(d *Derivation) { d.Arcs[1] = Arc{2, 2, false}; d.Arcs[3].Position = 2; d.swap() },
		"no spine":    func(d *Derivation) { d.Spines[3] = nil },
		"position 1 ": func(d *Derivation) { d.Arcs[2].Regular = true },
	} {
		d := good()
		spoil(d)
		if err := d.Check(); err == nil || !strings.Contains(err.Error()+" ", name) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// swap makes positions fall outwards on the right: a fourth token at a lower position.
func (d *Derivation) swap() {
	d.Spines, d.Arcs = append(d.Spines, []string{"N", "NP"}), append(d.Arcs, Arc{2, 1, false})
}

func TestClean(t *testing.T) {
	for _, c := range [][2]string{
		{"(S (NP-SBJ-1 (NNP a)) (VP (VBD b) (NP (-NONE- *))) (. .))", "(TOP (S (NP (NNP 1)) (VP (VBD 2)) (. 4)))"},
		{"(ROOT (S (X (X (N a)) )))", "(TOP (S (X (N 1))))"},
		{"(X (X (X (N a) (N b))))", "(TOP (X (N 1) (N 2)))"},
		{"( (S (-LRB- a)))", "(TOP (S (-LRB- 1)))"},
		{"(TOP (NP (X (NP (N a)))))", "(TOP (NP (X (NP (N 1)))))"},
		{"(N a)", "(TOP (N 1))"},
		{"(TOP (N a) (V b))", "(TOP (N 1) (V 2))"},
		{"(ROOT (TOP (N a)))", "(TOP (N 1))"},
	} {
		if got := Clean(parse(t, c[0])).String(); got != c[1] {
			t.Errorf("%s: %s, want %s", c[0], got, c[1])
		}
	}
	if got := Clean(parse(t, "(S (NP (-NONE- *)))")); got != nil {
		t.Errorf("of nothing: %v", got)
	}
}

func TestHeads(t *testing.T) {
	for _, c := range []struct {
		tree string
		head int
	}{
		{"(NP (DT the) (NN cat) (POS 's))", 2}, {"(NP (NP (N a)) (PP (IN of)))", 0}, {"(NP (DT the) (NN dog) (NN house))", 2},
		{"(NP (NN a) (CC and) (NN b))", 0}, {"(VP (MD will) (VP (VB go)))", 0}, {"(S (NP (N a)) (VP (V b)) (. .))", 1},
		{"(SINV (`` x) (S (N a)) (VBD b))", 2}, {"(FRAG (ADVP (RB a)) (. .))", 0}, {"(PP (IN of) (NP (N a)))", 0},
		{"(ADVP (RB a) (RB b))", 1}, {"(NP-SBJ (CD 3))", 0}, {"(XYZ (, ,) (JJ a))", 1}, {"(UCP (: :) (. .))", 1},
		{"(NP (JJ a) (, ,) (CC and) (JJ b))", 0},
	} {
		if got := table(t, "collins").Find(parse(t, c.tree)); got != c.head {
			t.Errorf("%s: %d, want %d", c.tree, got, c.head)
		}
	}
	own := table(t, "NP right-any N J; NP last X; * right")
	if own.Find(parse(t, "(NP (N a) (J b) (X c))")) != 1 || own.Find(parse(t, "(S (N a) (J b) (. c))")) != 1 {
		t.Error("a table of rules")
	}
	for _, bad := range []string{"", "NP", "NP up X", "collinz"} {
		if _, err := Heads(bad); err == nil {
			t.Errorf("the table %q is read", bad)
		}
	}
	heads := table(t, "collins").Dependencies(parse(t, luckily), 6)
	if !slices.Equal(heads, []int32{0, 3, 3, 0, 3, 3, 3}) {
		t.Error(heads)
	}
}

func randomTree(rng *rand.Rand, from, to, depth int) *Node {
	n := &Node{Label: fmt.Sprint("P", rng.IntN(4))}
	if from == to && (depth == 0 || rng.IntN(2) == 0) {
		return &Node{Label: fmt.Sprint("t", rng.IntN(3)), Token: from}
	}
	for at := from; at <= to; {
		end := to
		if depth > 0 {
			end = at + rng.IntN(to-at+1)
		} else if end = at; true {
			n.Children = append(n.Children, randomTree(rng, at, at, 0))
			at++
			continue
		}
		n.Children = append(n.Children, randomTree(rng, at, end, depth-1))
		at = end + 1
	}
	return n
}

// TestBinarize goes to binary trees and back, in several contexts.
func TestBinarize(t *testing.T) {
	b := Markov{Vertical: 2, Horizontal: 1}.Binarize(parse(t, "(S (NP (N a)) (X b) (VP (V c)) (. d))"))
	if got := fmt.Sprint(b.Symbol, b.Left.Symbol, b.Right.Symbol, b.Right.Right.Symbol, b.Right.Right.Left.Symbol); got !=
		"S NP^S @S[NP] @S[X] VP^S" {
		t.Error(got)
	}
	rng := rand.New(rand.NewPCG(1, 22))
	for range 500 {
		n := 1 + rng.IntN(8)
		tree := &Node{Label: "TOP", Children: []*Node{randomTree(rng, 1, n, 3)}}
		m := Markov{Vertical: 1 + rng.IntN(2), Horizontal: rng.IntN(3), TagParents: rng.IntN(2) == 0}
		if got := m.Binarize(tree).Tree(); !Equal(got, tree) {
			t.Fatalf("%v: %v, want %v", m, got, tree)
		}
	}
}

// TestLayer writes random trees to a layer and reads them again.
func TestLayer(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 22))
	d := &text.Document{ID: "d"}
	toks := text.NewLayer(text.Tokens)
	var trees []*Node
	for s := range 60 {
		n := 1 + rng.IntN(8)
		tree := &Node{Label: Root, Children: []*Node{randomTree(rng, 1, n, 3)}}
		trees = append(trees, tree)
		for _, leaf := range tree.Leaves(nil) {
			for c, v := range []int32{int32(s + 1), int32(leaf.Token), int32(len(d.Text)), int32(len(d.Text) + 1)} {
				toks.Cols[c].Ints = append(toks.Cols[c].Ints, v)
			}
			d.Text += "x "
			toks.SetStrs("xpos", append(toks.Strs("xpos"), leaf.Label))
			toks.N++
		}
	}
	d.SetLayer(toks)
	for _, root := range []string{Root, "ROOT", ""} {
		w := NewWriter(d, true, true)
		for s := range Sentences(d, "xpos") {
			w.Tree(s, 1, trees[s.Number-1], root, func(*Node, int, int) float64 { return 0.5 })
			w.Tree(s, 3, Flat(s.Tags), root, func(*Node, int, int) float64 { return 0.25 })
		}
		w.Set(func(string) bool { return true })
		if err := d.Verify(d.Layer("constituents"), text.Constituents, toks); err != nil {
			t.Fatal(err)
		}
		for s := range Sentences(d, "xpos") {
			want := trees[s.Number-1]
			if root == "" && want.Children[0].Leaf() {
				want = nil // no phrase is left
			}
			if s.Fault != nil || !Equal(Clean(s.Best()), Clean(want)) {
				t.Fatalf("%v is read as %v: %v", want, s.Best(), s.Fault)
			}
			if root != "" && (len(s.Trees) != 2 || s.Trees[1].Rank != 3 || s.Trees[1].Prob != 0.25) {
				t.Fatalf("%d trees, the second is %v", len(s.Trees), s.Trees[1])
			}
		}
	}
	spoil := d.Layer("constituents").Ints("tok_end")
	spoil[0] += 9
	for s := range Sentences(d, "xpos") {
		if (s.Fault != nil) != (s.Number == 1) {
			t.Errorf("sentence %d: %v", s.Number, s.Fault)
		}
	}
}

// TestTraces leaves out tokens that stand for nothing.
func TestTraces(t *testing.T) {
	d := &text.Document{Text: "a * b"}
	toks, l := text.NewLayer(text.Tokens), text.NewLayer(text.Constituents)
	toks.N, l.N = 3, 3
	for name, v := range map[string][]int32{"sent": {1, 1, 1}, "tok": {1, 2, 3}, "char_start": {0, 2, 4},
		"char_end": {1, 3, 5}} {
		toks.SetInts(name, v)
	}
	toks.SetStrs("xpos", []string{"N", Trace, "V"})
	for name, v := range map[string][]int32{"sent": {1, 1, 1}, "tok_start": {1, 2, 3}, "tok_end": {3, 2, 3}} {
		l.SetInts(name, v)
	}
	l.SetStrs("label", []string{"S", "NP", "VP"})
	d.SetLayer(toks)
	d.SetLayer(l)
	for s := range Sentences(d, "xpos") {
		if got := fmt.Sprint(s.Best(), s.Rows); got != "(S (N 1) (VP (V 2))) [0 2]" {
			t.Error(got)
		}
	}
}

// TestRealTrees: trees of the English Web Treebank come back from their derivations, but for a few in a thousand.
func TestRealTrees(t *testing.T) {
	heads, same, all := table(t, "collins"), 0, 0
	for _, d := range realdata.Trees(t, "ewt.dev.txt", 0) {
		for s := range Sentences(d, "xpos") {
			if s.Fault != nil {
				t.Fatal(s.Fault)
			}
			tree := Clean(s.Best())
			x := Extract(tree, heads, len(s.Rows))
			if err := x.Check(); err != nil {
				t.Fatalf("%v: %v", err, tree)
			}
			all++
			if Equal(x.Build(), tree) {
				same++
			}
		}
	}
	t.Logf("%d of %d trees come back", same, all)
	if all != 1967 || float64(same) < 0.995*float64(all) {
		t.Errorf("%d of %d trees come back", same, all)
	}
}
