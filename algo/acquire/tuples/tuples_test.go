package tuples

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"parlance/algo/acquire/template"
	"parlance/algo/kind"
	"parlance/algo/kindtest"
	"parlance/algo/option"
	"parlance/algo/text"
	"parlance/storage/value"
)

// trees makes a document of sentences of tokens form/upos/head/relation or form/upos/xpos/head/relation.
func trees(id string, lines ...string) *text.Document {
	d := &text.Document{ID: id}
	toks, arcs := text.NewLayer(text.Tokens), text.NewLayer(text.Dependencies)
	var sent, tok, head []int32
	var forms, tags, fine, labels []string
	for s, line := range lines {
		for i, w := range strings.Fields(line) {
			part := strings.Split(w, "/")
			xpos := ""
			if len(part) == 5 {
				xpos = part[2]
				part = slices.Delete(part, 2, 3)
			}
			h := int32(0)
			fmt.Sscan(part[2], &h)
			sent, tok, head = append(sent, int32(s+1)), append(tok, int32(i+1)), append(head, h)
			forms, tags, fine, labels = append(forms, part[0]), append(tags, part[1]), append(fine, xpos),
				append(labels, part[3])
		}
	}
	toks.N, arcs.N = len(sent), len(sent)
	toks.SetInts("sent", sent)
	toks.SetInts("tok", tok)
	toks.SetStrs("form", forms)
	toks.SetStrs("upos", tags)
	toks.SetStrs("xpos", fine)
	arcs.SetInts("sent", sent)
	arcs.SetInts("tok", tok)
	arcs.SetInts("head", head)
	arcs.SetStrs("deprel", labels)
	d.SetLayer(toks)
	d.SetLayer(arcs)
	return d
}

func tried(in kind.Input, memory, workers int, init kind.Model, args ...option.Arg) (*model, error) {
	m, s := &model{memory: memory, shard: memory / 256}, &option.Set{}
	m.Options(s)
	if err := s.Apply(args); err != nil {
		return nil, err
	}
	return m, m.Train(context.Background(), &kind.Training{On: in, Workers: workers, Init: init,
		Report: func(kind.Progress) {}, Notice: func(string) {}})
}

func train(t testing.TB, in kind.Input, args ...option.Arg) *model {
	t.Helper()
	m, err := tried(in, 0, 1, nil, args...)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// listed is the rows of a relation, columns apart by spaces, without the last ones.
func listed(t testing.TB, m kind.Model, rel string, without int, args ...value.Value) (out []string) {
	t.Helper()
	rows, err := m.Open(context.Background(), rel, args, &kind.Run{})
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for {
		b, err := rows.Next(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		if b == nil {
			return out
		}
		for i := range b.N {
			var f []string
			row := b.Row(nil, i)
			for _, v := range row[:len(row)-without] {
				f = append(f, v.String())
			}
			out = append(out, strings.Join(f, " "))
		}
	}
}

// tuplesOf is the tuples of sentences: predicate, slot, noun, ! if denied, p if passive.
func tuplesOf(t testing.TB, lines ...string) []string {
	t.Helper()
	m := train(t, kind.Documents{trees("d", lines...)})
	var out []string
	for _, r := range listed(t, m, "tuples", 4) {
		f := strings.Fields(r)
		s := f[len(f)-3] + " " + f[len(f)-4] + " " + strings.Join(f[:len(f)-4], " ")
		if f[len(f)-2] == "true" {
			s = "!" + s
		}
		if f[len(f)-1] == "true" {
			s += " p"
		}
		out = append(out, s)
	}
	slices.Sort(out)
	return out
}

// TestTuples: slots, voice, polarity, relative pronouns, coordination, particles and participles.
func TestTuples(t *testing.T) {
	for _, c := range []struct {
		line string
		want []string
	}{
		{"Dogs/NOUN/NNS/2/nsubj chased/VERB/VBD/0/root the/DET/4/det cats/NOUN/NNS/2/obj into/ADP/7/case a/DET/7/det " +
			"tree/NOUN/NN/2/obl",
			[]string{"chase nsubj dog", "chase obj cat", "chase obl:into tree"}},
		{"The/DET/2/det law/NOUN/NN/4/nsubj:pass was/AUX/VBD/4/aux:pass signed/VERB/VBN/0/root by/ADP/7/case the/DET/7/det " +
			"king/NOUN/NN/4/obl:agent",
			[]string{"sign nsubj king p", "sign obj law p"}},
		{"The/DET/2/det law/NOUN/NN/4/nsubj was/AUX/VBD/4/aux signed/VERB/VBN/0/root by/ADP/6/case kings/NOUN/NNS/4/obl",
			// as parsers get it
			[]string{"sign nsubj king p", "sign obj law p"}},
		{"The/DET/2/det king/NOUN/NN/4/nsubj has/AUX/VBZ/4/aux signed/VERB/VBN/0/root laws/NOUN/NNS/4/obj",
			[]string{"sign nsubj king", "sign obj law"}},
		{"the/DET/2/det treaty/NOUN/NN/0/root signed/VERB/VBN/2/acl in/ADP/5/case Rome/PROPN/NNP/3/obl",
			[]string{"sign obj treaty p", "sign obl:in Rome p"}},
		{"a/DET/2/det man/NOUN/NN/0/root selling/VERB/VBG/2/acl fish/NOUN/NN/3/obj", []string{"sell nsubj man",
			"sell obj fish"}},
		{"a/DET/2/det decision/NOUN/NN/0/root to/PART/TO/4/mark leave/VERB/VB/2/acl town/NOUN/NN/4/obj",
			[]string{"leave obj town"}},
		{"the/DET/2/det virus/NOUN/NN/0/root that/PRON/WDT/4/nsubj causes/VERB/VBZ/2/acl:relcl fever/NOUN/NN/4/obj",
			[]string{"cause nsubj virus", "cause obj fever"}},
		{"It/PRON/2/nsubj took/VERB/VBD/0/root off/ADP/RP/2/compound:prt its/PRON/5/nmod:poss hat/NOUN/NN/2/obj",
			[]string{"take_off obj hat"}},
		{"Frost/NOUN/NN/2/nsubj kills/VERB/VBZ/0/root buds/NOUN/NNS/2/obj and/CCONJ/5/cc leaves/NOUN/NNS/3/conj",
			[]string{"kill nsubj frost", "kill obj bud", "kill obj leaf"}},
		{"Men/NOUN/NNS/2/nsubj built/VERB/VBD/0/root and/CCONJ/4/cc repaired/VERB/VBD/2/conj bridges/NOUN/NNS/4/obj",
			[]string{"build nsubj man", "build obj bridge", "repair nsubj man", "repair obj bridge"}},
		{"Frost/NOUN/NN/4/nsubj did/AUX/VBD/4/aux n't/PART/RB/4/advmod kill/VERB/VB/0/root buds/NOUN/NNS/4/obj",
			[]string{"!kill nsubj frost", "!kill obj bud"}},
		{"No/DET/2/det frost/NOUN/NN/3/nsubj came/VERB/VBD/0/root", []string{"!come nsubj frost"}},
		{"No/DET/2/det frost/NOUN/NN/4/nsubj never/ADV/RB/4/advmod came/VERB/VBD/0/root", []string{"come nsubj frost"}},
		{"The/DET/2/det pump/NOUN/NN/5/nsubj no/ADV/RB/4/advmod longer/ADV/RB/5/advmod runs/VERB/VBZ/0/root",
			[]string{"!run nsubj pump"}},
		{"Banks/NOUN/NNS/2/nsubj failed/VERB/VBD/0/root to/PART/TO/4/mark pay/VERB/VB/2/xcomp debts/NOUN/NNS/4/obj",
			[]string{"!pay obj debt", "fail nsubj bank"}},
		{"Walls/NOUN/NNS/2/nsubj keep/VERB/VBP/0/root water/NOUN/NN/2/obj from/SCONJ/IN/5/mark entering/VERB/VBG/2/advcl " +
			"cellars/NOUN/NNS/5/obj",
			[]string{"!enter obj cellar", "keep nsubj wall", "keep obj water"}},
		{"She/PRON/2/nsubj saw/VERB/VBD/0/root him/PRON/2/obj yesterday/NOUN/NN/2/obl:tmod", nil},
	} {
		if got := tuplesOf(t, c.line, "Fish/NOUN/2/nsubj swim/VERB/0/root"); !slices.Equal(got, sortedWith(c.want,
			"swim nsubj fish")) {
			t.Errorf("%s:\n%q, want %q", c.line, got, c.want)
		}
	}
}

func sortedWith(list []string, more string) []string {
	out := append(slices.Clone(list), more)
	slices.Sort(out)
	return out
}

// TestPaths: active, passive, relative and participial clauses have the same path; partial patterns put it together
// again.
func TestPaths(t *testing.T) {
	paths := func(line string) string {
		return strings.Join(listed(t, train(t, kind.Documents{trees("d", line)}), "paths", 3), "; ")
	}
	const forward, back = "virus fever X <nsubj cause >obj Y", "fever virus X <obj cause >nsubj Y"
	for line, want := range map[string]string{
		"A/DET/2/det virus/NOUN/3/nsubj causes/VERB/VBZ/0/root " +
			"fever/NOUN/3/obj": forward,
		"the/DET/2/det virus/NOUN/0/root that/PRON/4/nsubj causes/VERB/VBZ/2/acl:relcl " +
			"fever/NOUN/4/obj": forward,
		"a/DET/2/det virus/NOUN/0/root causing/VERB/VBG/2/acl " +
			"fever/NOUN/3/obj": forward,
		"Fever/NOUN/3/nsubj:pass is/AUX/3/aux:pass caused/VERB/VBN/0/root by/ADP/6/case a/DET/6/det " +
			"virus/NOUN/3/obl:agent": back,
		"fever/NOUN/0/root caused/VERB/VBN/1/acl by/ADP/4/case " +
			"viruses/NOUN/NNS/2/obl": back,
		"the/DET/2/det cause/NOUN/0/root of/ADP/4/case " +
			"fever/NOUN/2/nmod": "cause fever X >nmod:of Y",
		"cats/NOUN/NNS/0/root and/CCONJ/3/cc " +
			"dogs/NOUN/NNS/1/conj": "cat dog X >conj Y",
		"rich/ADJ/0/root in/ADP/3/case iron/NOUN/1/obl " +
			"meat/NOUN/1/nsubj": "iron meat X <obl:in rich/a >nsubj Y",
		"Fat/NOUN/3/nsubj does/AUX/3/aux cause/VERB/VB/0/root the/DET/5/det rise/NOUN/3/obj of/ADP/7/case " +
			"pressure/NOUN/5/nmod": "fat rise X <nsubj cause >obj Y; fat pressure X <nsubj cause >obj rise/n >nmod:of Y; rise " +
			"pressure X >nmod:of Y",
	} {
		if got := paths(line); got != want {
			t.Errorf("%s:\n%s, want\n%s", line, got, want)
		}
	}
	m := train(t, kind.Documents{trees("d",
		"Fat/NOUN/3/nsubj not/PART/3/advmod causes/VERB/VBZ/0/root fever/NOUN/3/obj")})
	if got := listed(t, m, "patterns", 0); !slices.Equal(got,
		[]string{"X <nsubj not_cause >obj Y 1 1 X <nsubj not_cause not_cause >obj Y"}) {
		t.Errorf("%q", got)
	}
	for _, p := range []string{"X >nmod:of Y", "X <nsubj cause/n >obj Y", "X <nsubj cause"} {
		if x, y, ok := template.Partial(p); ok {
			t.Errorf("%s is split into %s and %s", p, x, y)
		}
	}
	five := "Men/NOUN/NNS/2/nsubj made/VERB/VBD/0/root roofs/NOUN/NNS/2/obj of/ADP/5/case straw/NOUN/NN/3/nmod"
	for most, want := range map[int]int{3: 2, 4: 3} { // men–straw has four words
		m := train(t, kind.Documents{trees("d", five)}, kindtest.Arg("max_path", most))
		if n := len(listed(t, m, "paths", 0)); n != want {
			t.Errorf("%d paths of at most %d words", n, most)
		}
	}
	long := "a/NOUN/0/root ab/NOUN/1/nmod ac/NOUN/2/nmod ad/NOUN/3/nmod"
	if n := len(listed(t, train(t, kind.Documents{trees("d", long)}, kindtest.Arg("max_path", 3)), "paths",
		0)); n != 3 { // ab-ac, ab-ad, ac-ad
		t.Errorf("%d paths of at most 3 words", n)
	}
}

// TestSurface: patterns of hyponymy with their lists.
func TestSurface(t *testing.T) {
	docs := kind.Documents{trees("d",
		"troubles/NOUN/NNS/0/root such/ADJ/4/case as/ADP/2/fixed floods/NOUN/NNS/1/nmod and/CCONJ/6/cc fires/NOUN/NNS/4/conj",
		"floods/NOUN/NNS/0/root and/CCONJ/4/cc other/ADJ/4/amod disasters/NOUN/NNS/1/conj",
		"a/DET/2/det flood/NOUN/5/nsubj is/AUX/5/cop a/DET/5/det disaster/NOUN/0/root",
		"floods/NOUN/NNS/2/nsubj destroy/VERB/0/root large/ADJ/4/amod houses/NOUN/NNS/2/obj")}
	want := []string{"flood disaster X and other Y", "flood disaster X is a Y", "trouble fire X such as Y",
		"trouble flood X such as Y"}
	if got := listed(t, train(t, docs), "surface", 3); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	if got := listed(t, train(t, docs, kindtest.Arg("surface", "all")), "surface", 3); !slices.Contains(got,
		"flood house X destroy Y") {
		t.Errorf("%q", got)
	}
}

// TestNouns: what a noun is by the options.
func TestNouns(t *testing.T) {
	docs := kind.Documents{trees("d",
		"Traffic/NOUN/NN/2/compound jams/NOUN/NNS/3/nsubj annoy/VERB/VBP/0/root Karl/PROPN/NNP/3/obj Marx/PROPN/NNP/4/flat")}
	for _, c := range []struct {
		args []option.Arg
		want []string
	}{
		{nil, []string{"jam nsubj", "Karl Marx obj"}},
		{[]option.Arg{kindtest.Arg("noun", "np")}, []string{"traffic jam nsubj", "Karl Marx obj"}},
		{[]option.Arg{kindtest.Arg("names", "none")}, []string{"jam nsubj"}},
	} {
		if got := listed(t, train(t, docs, c.args...), "tuples", 7); !slices.Equal(got, c.want) {
			t.Errorf("%v: %q", c.args, got)
		}
	}
	if got := listed(t, train(t, docs), "paths", 3); !slices.Equal(got, []string{"traffic jam X <compound Y"}) {
		t.Errorf("%q", got)
	}
	if got := listed(t, train(t, docs, kindtest.Arg("names", "all")), "paths", 3); len(got) != 3 {
		t.Errorf("%q", got)
	}
}

// truth is what generated sentences have.
type truth struct{ tuples, clauses, paths map[string]int }

// written generates documents of sentences: a subject, a verb, an object, a connective and such a clause again.
func written(docs int, seed uint64) (out []*text.Document, want truth) {
	rng := rand.New(rand.NewPCG(seed, 4))
	want = truth{map[string]int{}, map[string]int{}, map[string]int{}}
	pick := func(list ...string) string { return list[rng.IntN(len(list))] }
	for k := range docs {
		var lines []string
		for range 1 + rng.IntN(4) {
			var n [4]string
			for i := range n {
				n[i] = pick("ox", "man", "fire", "dog", "rain", "iron")
			}
			v, w := pick("eat", "burn", "lift"), pick("burn", "warm")
			conn, rel := pick("and", "because", "but"), "conj"
			mark := "cc"
			if conn == "because" {
				rel, mark = "advcl", "mark"
			}
			not, flag := "always", "false"
			if rng.IntN(3) == 0 {
				not, flag = "never", "true"
			}
			lines = append(lines,
				fmt.Sprintf("%s/NOUN/NN/2/nsubj %s/VERB/VBP/0/root %s/NOUN/NN/2/obj %s/X/7/%s %s/NOUN/NN/7/nsubj %s/ADV/7/advmod "+
					"%s/VERB/VBP/2/%s %s/NOUN/NN/7/obj",
					n[0], v, n[1], conn, mark, n[2], not, w, rel, n[3]))
			first := []string{n[0] + " nsubj " + v + " false false", n[1] + " obj " + v + " false false"}
			second := []string{n[2] + " nsubj " + w + " " + flag + " false", n[3] + " obj " + w + " " + flag + " false"}
			for _, s := range append(slices.Clone(first), second...) {
				want.tuples[s]++
			}
			kindOf := map[string]string{"and": "and false", "but": "but false", "because": "and true"}[conn]
			for _, a := range first {
				for _, b := range second {
					if conn == "because" {
						want.clauses[b+" "+a+" "+conn+" "+kindOf]++
					} else {
						want.clauses[a+" "+b+" "+conn+" "+kindOf]++
					}
				}
			}
			if flag == "true" {
				w = "not_" + w
			}
			want.paths[n[0]+" "+n[1]+" X <nsubj "+v+" >obj Y"]++
			want.paths[n[2]+" "+n[3]+" X <nsubj "+w+" >obj Y"]++
			for i, a := range []string{"nsubj", "obj"} {
				for j, b := range []string{"nsubj", "obj"} {
					want.paths[fmt.Sprintf("%s %s X <%s %s >%s %s >%s Y", n[i], n[2+j], a, v, rel, w, b)]++
				}
			}
		}
		out = append(out, trees(fmt.Sprintf("d%03d", (k*37)%1000), lines...))
	}
	return out, want
}

// TestCounts: the store has the counts of a straightforward count, with sentences as evidence that have the row.
func TestCounts(t *testing.T) {
	docs, want := written(60, 1)
	m := train(t, kind.Documents(docs))
	for rel, w := range map[string]map[string]int{"tuples": want.tuples, "clauses": want.clauses, "paths": want.paths} {
		got := map[string]int{}
		for _, r := range listed(t, m, rel, 2) {
			f := strings.Fields(r)
			n := 0
			fmt.Sscan(f[len(f)-1], &n)
			f = f[:len(f)-1]
			f = f[:len(f)-map[string]int{"tuples": 1, "clauses": 2}[rel]] // of names
			got[strings.Join(f, " ")] = n
		}
		if !maps.Equal(got, w) {
			t.Errorf("%s: %d rows, want %d", rel, len(got), len(w))
		}
	}
	sentences := map[string][]string{}
	for _, d := range docs {
		forms := d.Layer("tokens").Strs("form")
		for s := range d.Sentences() {
			sentences[d.ID] = append(sentences[d.ID], strings.Join(forms[s.From:s.To], " "))
		}
	}
	found := listed(t, m, "evidence", 0, value.Str("fire"), value.Str("burn"), value.Str("obj"))
	if len(found) < 2 {
		t.Fatalf("evidence: %q", found)
	}
	for _, r := range found {
		f := strings.Fields(r)
		n := 0
		fmt.Sscan(f[5], &n)
		if s := sentences[f[4]][n-1]; !strings.Contains(s, "burn fire") {
			t.Errorf("evidence of burn fire: %s", s)
		}
	}
	for rel, args := range map[string][]string{"clause_evidence": {"eat", "ox", "burn", "fire"}, "path_evidence": {"ox",
		"fire", "X <nsubj eat >obj Y"}} {
		var list []value.Value
		for _, a := range args {
			list = append(list, value.Str(a))
		}
		for _, r := range listed(t, m, rel, 0, list...) {
			f := strings.Fields(r)
			n := 0
			fmt.Sscan(f[len(f)-1], &n)
			if s := sentences[f[len(f)-2]][n-1]; !strings.Contains(s, "eat") || !strings.Contains(s, "ox") ||
				!strings.Contains(s, "fire") {
				t.Errorf("%s: %s", rel, s)
			}
		}
	}
}

func encoded(t testing.TB, m *model) []byte {
	t.Helper()
	var b bytes.Buffer
	err := m.Encode(kind.NewWriter(func(section string, p []byte) error {
		b.WriteString(section)
		b.Write(p)
		return nil
	}))
	if err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestSameBytes: neither workers nor memory nor the order of documents change the store, and shards that are joined by
// init are the store of all.
func TestSameBytes(t *testing.T) {
	docs, _ := written(400, 2)
	want := encoded(t, train(t, kind.Documents(docs)))
	for workers, memory := range map[int]int{2: 0, 3: 1 << 16} {
		m, err := tried(kind.Documents(docs), memory, workers, nil)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(encoded(t, m), want) {
			t.Errorf("%d workers give other bytes", workers)
		}
	}
	shuffled := slices.Clone(docs)
	rand.New(rand.NewPCG(5, 5)).Shuffle(len(docs), func(i, j int) {
		shuffled[i], shuffled[j] = shuffled[j], shuffled[i]
	})
	if !bytes.Equal(encoded(t, train(t, kind.Documents(shuffled))), want) {
		t.Error("another order of documents gives other bytes")
	}
	for _, cuts := range [][]int{{0, 130, 400}, {0, 1, 2, 399, 400}} {
		var m *model
		for i := len(cuts) - 2; i >= 0; i-- {
			var init kind.Model
			if m != nil {
				init = m
			}
			next, err := tried(kind.Documents(shuffled[cuts[i]:cuts[i+1]]), 0, 2, init)
			if err != nil {
				t.Fatal(err)
			}
			m = next
		}
		if !bytes.Equal(encoded(t, m), want) {
			t.Errorf("shards %v give other bytes", cuts)
		}
	}
	m := train(t, kind.Documents(docs), kindtest.Arg("evidence", 0))
	if _, err := tried(kind.Documents(docs), 0, 1, m); err == nil || !strings.Contains(err.Error(), "other options") {
		t.Errorf("a store with other options is taken: %v", err)
	}
}

// TestMinPath: rare paths go, with the pairs that they join.
func TestMinPath(t *testing.T) {
	docs, want := written(60, 1)
	total := map[string]int{}
	for r, n := range want.paths {
		_, path, _ := strings.Cut(r, "X ")
		total[path] += n
	}
	n := 0
	for r := range want.paths {
		if _, path, _ := strings.Cut(r, "X "); total[path] >= 12 {
			n++
		}
	}
	m := train(t, kind.Documents(docs), kindtest.Arg("min_path", 12))
	if got := len(listed(t, m, "paths", 0)); got != n || n == len(want.paths) || n == 0 {
		t.Errorf("%d of %d rows are left, want %d", got, len(want.paths), n)
	}
}

// TestBadInput: corpora without trees, with trees that are none, and unknown words.
func TestBadInput(t *testing.T) {
	bare := trees("a", "Fish/NOUN/2/nsubj swim/VERB/0/root")
	bare.DropLayer("dependencies")
	if _, err := tried(kind.Documents{bare}, 0, 1, nil); !errors.Is(err, kind.ErrNoData) ||
		!strings.Contains(err.Error(), "TRAIN depparser") {
		t.Errorf("without trees: %v", err)
	}
	if _, err := tried(kind.Documents{}, 0, 1, nil); !errors.Is(err, kind.ErrNoData) {
		t.Errorf("without documents: %v", err)
	}
	odd := trees("b", "Fish/NOUN/2/nsubj swim/VERB/3/root now/ADV/2/advmod", "Fish/NOUN/2/nsubj swim/VERB/9/root",
		"Fish/NOUN/2/nsubj swim/VERB/0/root")
	m := train(t, kind.Documents{odd, bare})
	if got := listed(t, m, "tuples", 0); !slices.Equal(got, []string{"fish nsubj swim false false false 1 b 3"}) {
		t.Errorf("%q", got)
	}
	if _, err := m.Open(context.Background(), "evidence", []value.Value{value.Str("fsh")}, nil); err == nil ||
		!strings.Contains(err.Error(), "did you mean 'fish'") && !strings.Contains(err.Error(), "did you mean fish") {
		t.Errorf("%v", err)
	}
}

func TestContract(t *testing.T) {
	docs, _ := written(40, 3)
	docs = append(docs, trees("z", "troubles/NOUN/NNS/0/root such/ADJ/4/case as/ADP/2/fixed floods/NOUN/NNS/1/nmod"))
	f := strings.Fields(listed(t, train(t, kind.Documents(docs)), "clauses", 0)[0])
	queries := []kindtest.Query{{Relation: "evidence", Args: []value.Value{value.Str("fire")}},
		{Relation: "evidence", Args: []value.Value{value.Str("fir")}, Fails: "did you mean"},
		{Relation: "path_evidence", Args: []value.Value{value.Str("fire"), value.Str("ox")}},
		{Relation: "clause_evidence", Args: []value.Value{value.Str(f[2]), value.Str(f[0]), value.Str(f[7]),
			value.Str(f[5])}}}
	kindtest.Run(t, kindtest.Case{Kind: Kind(), Train: docs, Queries: queries})
}

// TestLanguages: Japanese by case markers, another language by its relations.
func TestLanguages(t *testing.T) {
	ja := trees("ja", "犬/NOUN/4/nsubj が/ADP/1/case 猫/NOUN/4/obj 追う/VERB/0/root",
		"犬/NOUN/5/nsubj は/ADP/1/case 公園/NOUN/5/obl で/ADP/3/case 走る/VERB/0/root ない/AUX/5/aux",
		"雨/NOUN/3/nsubj が/ADP/1/case 降る/VERB/7/advcl ので/SCONJ/3/mark 川/NOUN/7/nsubj が/ADP/5/case 溢れる/VERB/0/root")
	m := train(t, kind.Documents{ja}, kindtest.Arg("language", "ja"))
	want := []string{"雨 ga 降る false", "川 ga 溢れる false", "公園 de 走る true", "犬 wa 走る true", "犬 ga 追う false"}
	got := listed(t, m, "tuples", 5)
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	if got := listed(t, m, "clauses", 5); !slices.Equal(got,
		[]string{"雨 ga 降る false false 川 ga 溢れる false false ので and true"}) {
		t.Errorf("%q", got)
	}
	de := trees("de",
		"Hunde/NOUN/2/nsubj jagen/VERB/0/root Katzen/NOUN/2/obj in/ADP/6/case den/DET/6/det Baum/NOUN/2/obl",
		"Heute/NOUN/2/obl schlafen/VERB/0/root Hunde/NOUN/2/nsubj")
	got = listed(t, train(t, kind.Documents{de}, kindtest.Arg("language", "ud")), "tuples", 5)
	if want := []string{"hunde nsubj jagen false", "katzen obj jagen false", "baum obl:in jagen false",
		"hunde nsubj schlafen false"}; !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

// TestLemmas: rules of spelling where the parser gives no lemmas.
func TestLemmas(t *testing.T) {
	for form, want := range map[string]string{"making": "make", "stopped": "stop", "hoped": "hope", "visited": "visit",
		"created": "create", "treated": "treat", "tried": "try",
		"died": "die", "agreed": "agree", "called": "call", "controlled": "control", "winning": "win",
		"occurred": "occur", "squared": "square", "prevented": "prevent",
		"invited": "invite", "changing": "change", "hanging": "hang", "believed": "believe", "opened": "open",
		"defined": "define", "caused": "cause", "buying": "buy",
		"brought": "bring", "focused": "focus", "offered": "offer", "stored": "store", "monitored": "monitor",
		"handled": "handle", "passes": "pass", "goes": "go", "uses": "use"} {
		tag := "VBD"
		if strings.HasSuffix(form, "ing") {
			tag = "VBG"
		} else if strings.HasSuffix(form, "s") {
			tag = "VBZ"
		}
		if got := englishLemma(form, "VERB", tag); got != want {
			t.Errorf("%s: %s, want %s", form, got, want)
		}
	}
	for form, want := range map[string]string{"cities": "city", "boxes": "box", "lives": "life", "analyses": "analysis",
		"policemen": "policeman", "buses": "bus", "houses": "house",
		"species": "species", "headaches": "headache", "churches": "church", "1970s": "1970s"} {
		if got := englishLemma(form, "NOUN", "NNS"); got != want {
			t.Errorf("%s: %s, want %s", form, got, want)
		}
	}
}
