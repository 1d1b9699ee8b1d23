package metrics

import (
	"strings"
	"testing"

	"parlance/algo/text"
)

// bracketed returns a document of trees in brackets, one a line: preterminals are the tokens with their xpos.
func bracketed(written string) *text.Document {
	d := &text.Document{ID: "d"}
	toks, l := text.NewLayer(text.Tokens), text.NewLayer(text.Constituents)
	for s, line := range strings.Split(written, "\n") {
		type node struct{ row, first int }
		var open []node
		tok, nodes := 0, 0
		fields := strings.Fields(strings.NewReplacer("(", " ( ", ")", " ) ").Replace(line))
		for i := 0; i < len(fields); i++ {
			switch {
			case fields[i] == "(" && fields[i+2] != "(" && fields[i+3] == ")": // ( TAG word )
				tok++
				at := int32(len(d.Text))
				d.Text += fields[i+2] + " "
				for c, v := range []int32{int32(s + 1), int32(tok), at, at + int32(len(fields[i+2]))} {
					toks.Cols[c].Ints = append(toks.Cols[c].Ints, v)
				}
				toks.SetStrs("form", append(toks.Strs("form"), fields[i+2]))
				toks.SetStrs("xpos", append(toks.Strs("xpos"), fields[i+1]))
				toks.N++
				i += 3
			case fields[i] == "(":
				nodes++
				for name, v := range map[string]int32{"sent": int32(s + 1), "node": int32(nodes), "tok_start": int32(tok + 1),
					"tok_end": 0} {
					l.SetInts(name, append(l.Ints(name), v))
				}
				l.SetStrs("label", append(l.Strs("label"), fields[i+1]))
				open = append(open, node{l.N, tok})
				l.N++
				i++
			default:
				l.Ints("tok_end")[open[len(open)-1].row] = int32(tok)
				open = open[:len(open)-1]
			}
		}
	}
	d.SetLayer(toks)
	d.SetLayer(l)
	return d
}

// TestParseval has trees with known counts: 5 of 6 predicted brackets, all of 5 gold ones.
func TestParseval(t *testing.T) {
	const ate = "(TOP (S (NP-SBJ (NNP John)) (VP (VBD ate) (NP (NN cake)) (NP-TMP=2 (NN today)))))"
	const flat = "(S (NP (NNP John)) (VP (VP (VBD ate) (NP (NN cake))) (NP (NN today))))"
	for _, c := range []struct {
		name, gold, predicted string
		opt                   Options
		want                  map[string]float64
	}{
		{"itself", ate, ate, Options{}, map[string]float64{"precision": 1, "recall": 1, "f1": 1, "exact": 1, "crossing": 0,
			"no_crossing": 1}},
		{"one more", ate, flat, Options{},
			map[string]float64{"precision": 5. / 6, "recall": 1, "f1": 10. / 11, "exact": 0, "crossing": 0}},
		{"crossing", "(S (A (X a) (X b)) (B (X c)))", "(S (X a) (B (X b) (X c)))", Options{},
			map[string]float64{"precision": 0.5, "recall": 1. / 3, "crossing": 1, "no_crossing": 0}},
		{"punctuation", "(S (NP (NN a) (, ,)) (VP (V b)) (. .))", "(S (NP (NN a)) (VP (V b) (. .)) (, ,))", Options{}, nil},
		{"roots and particles", "(TOP (S (PRT (RP up))))", "(ROOT (S (ADVP (RP up))))", Options{},
			map[string]float64{"f1": 1, "exact": 1}},
		{"all brackets", "(TOP (S (PRT (RP up))))", "(ROOT (S (ADVP (RP up))))", Options{AllBrackets: true},
			map[string]float64{"f1": 1. / 3, "exact": 0}},
		{"as often as it stands", "(S (X (X (N a) (N b))))", "(S (X (N a) (N b)))", Options{},
			map[string]float64{"precision": 1, "recall": 2. / 3}},
		{"two sentences", ate + "\n" + "(S (N a))", flat + "\n" + "(S (N a))", Options{},
			map[string]float64{"exact": 0.5, "precision": 6. / 7}},
		{"quotes as brackets", "(S (NP (`` ``) (N a) ('' '')) (V b))", "(S (`` ``) (NP (N a)) ('' '') (V b))", Options{},
			map[string]float64{"f1": 1, "exact": 1}},
	} {
		if c.want == nil {
			s := NewConstituents(c.opt)
			if err := s.document(bracketed(c.gold), bracketed(c.predicted)); err == nil {
				t.Errorf("%s: different tokens are compared", c.name)
			}
			continue
		}
		list := scored(t, NewConstituents(c.opt), bracketed(c.gold), bracketed(c.predicted))
		for name, want := range c.want {
			near(t, c.name+": "+name, find(t, list, name, All).Value(), want)
		}
	}
	list := scored(t, NewConstituents(Options{}), bracketed(ate), bracketed(flat))
	near(t, "recall of NP", find(t, list, "recall", "NP").Value(), 1)
	near(t, "precision of VP", find(t, list, "precision", "VP").Value(), 0.5)
	if Main(list).Name != "f1" {
		t.Errorf("the main metric is %s", Main(list).Name)
	}
}

// TestOracle takes the best of three trees of a sentence.
func TestOracle(t *testing.T) {
	gold := bracketed("(S (X (N a)) (Y (N b)))\n(S (X (N a)))")
	predicted := bracketed("(S (Z (N a) (N b)))\n(S (X (N a)))")
	more := bracketed("(S (X (N a)) (Z (N b)))\n(S (Z (N a)))")
	l, m := predicted.Layer("constituents"), more.Layer("constituents")
	for c := range l.Cols {
		l.Cols[c].Ints = append(l.Cols[c].Ints, m.Cols[c].Ints...)
		l.Cols[c].Strs = append(l.Cols[c].Strs, m.Cols[c].Strs...)
	}
	for i := range l.N + m.N {
		l.Rank = append(l.Rank, 1)
		if i >= l.N {
			l.Rank[i] = 3
		}
	}
	l.N += m.N
	list := scored(t, NewConstituents(Options{}), gold, predicted)
	near(t, "f1", find(t, list, "f1", All).Value(), 2*3./(5+4))
	near(t, "oracle", find(t, list, "oracle_f1", All).Value(), 2*4./(5+5))
}

// TestPunctuationIsDeleted moves commas and a full stop between brackets; with all brackets that counts.
func TestPunctuationIsDeleted(t *testing.T) {
	gold, predicted := "(S (NP (N a) (, ,)) (VP (V b) (. .)))", "(S (NP (N a)) (, ,) (VP (V b)) (. .))"
	near(t, "as evalb", find(t, scored(t, NewConstituents(Options{}), bracketed(gold), bracketed(predicted)), "f1",
		All).Value(), 1)
	near(t, "all", find(t, scored(t, NewConstituents(Options{AllBrackets: true}), bracketed(gold), bracketed(predicted)),
		"f1", All).Value(), 1./3)
	universal := func(d *text.Document) *text.Document {
		l := d.Layer("tokens")
		l.SetStrs("xpos", nil)
		l.SetStrs("upos", []string{"NOUN", "PUNCT", "VERB", "PUNCT"})
		return d
	}
	near(t, "by upos", find(t, scored(t, NewConstituents(Options{}), universal(bracketed(gold)),
		universal(bracketed(predicted))), "f1", All).Value(), 1)
}

// TestSentencesWithoutTree leaves them out; a tree that lacks a prediction is missed.
func TestSentencesWithoutTree(t *testing.T) {
	whole, part := bracketed("(S (N a))\n(S (NP (N b)))"), bracketed("(S (N a))\n(S (NP (N b)))")
	part.SetLayer(part.Layer("constituents").Filter(func(i int) bool { return i == 0 }))
	list := scored(t, NewConstituents(Options{}), part, whole)
	near(t, "precision", find(t, list, "precision", All).Value(), 1)
	near(t, "sentences", find(t, list, "exact", All).Support, 1)
	near(t, "recall", find(t, scored(t, NewConstituents(Options{}), whole, part), "recall", All).Value(), 1./3)
	near(t, "long sentences", find(t,
		scored(t, NewConstituents(Options{Only: map[string]string{"length": "11-20"}}), whole, whole), "f1", All).Support, 0)
}

// framed returns a document of one sentence of n tokens with rows predicate sense label first-last.
func framed(n int, rows ...[5]any) *text.Document {
	d := document(n)
	l := text.NewLayer(text.Roles)
	for _, r := range rows {
		for name, v := range map[string]any{"sent": 1, "predicate": r[0], "tok_start": r[3], "tok_end": r[4]} {
			l.SetInts(name, append(l.Ints(name), int32(v.(int))))
		}
		l.SetStrs("sense", append(l.Strs("sense"), r[1].(string)))
		l.SetStrs("label", append(l.Strs("label"), r[2].(string)))
		l.N++
	}
	d.SetLayer(l)
	return d
}

func TestRolesByHand(t *testing.T) {
	gold := framed(8, [5]any{2, "eat.01", "V", 2, 2}, [5]any{2, "eat.01", "A0", 1, 1}, [5]any{2, "eat.01", "A1", 3, 4},
		[5]any{2, "eat.01", "C-A1", 6, 7},
		[5]any{5, "go.02", "A0", 1, 1})
	predicted := framed(8, [5]any{2, "eat.02", "V", 2, 2}, [5]any{2, "eat.02", "A2", 1, 1},
		[5]any{2, "eat.02", "A1", 3, 4}, [5]any{2, "eat.02", "C-A1", 6, 7},
		[5]any{5, "go.02", "A0", 1, 2})
	list := scored(t, NewRoles(Options{}), gold, predicted)
	for name, want := range map[string]float64{"precision": 1. / 3, "recall": 1. / 3, "f1": 1. / 3,
		"unlabelled_f1": 2. / 3, "sense_recall": 0.5, "sense_f1": 0.5,
		"semantic_f1": 0.5, "exact": 0} {
		near(t, name, find(t, list, name, All).Value(), want)
	}
	near(t, "A1", find(t, list, "f1", "A1").Value(), 1)
	near(t, "itself", find(t, scored(t, NewRoles(Options{}), gold, gold), "exact", All).Value(), 1)
	without := framed(8, [5]any{2, "", "A1", 3, 4})
	list = scored(t, NewRoles(Options{}), gold, without)
	near(t, "half of a discontinuous argument", find(t, list, "recall", "A1").Value(), 0)
	near(t, "senses that are missing", find(t, list, "sense_recall", All).Value(), 0)
	for _, m := range scored(t, NewRoles(Options{}), without, without) {
		if strings.HasPrefix(m.Name, "sense") {
			t.Error("senses are scored where there are none")
		}
	}
}

// TestPieceWithoutBeginning takes C-A1 for A1 where no A1 stands before it.
func TestPieceWithoutBeginning(t *testing.T) {
	list := scored(t, NewRoles(Options{}), framed(4, [5]any{1, "", "A1", 2, 3}), framed(4, [5]any{1, "", "C-A1", 2, 3}))
	near(t, "f1", find(t, list, "f1", All).Value(), 1)
}

// TestAlignmentErrorRate has 3 links of which 2 are sure and 1 is possible, of 3 sure ones: AER 1 − 5/6.
func TestAlignmentErrorRate(t *testing.T) {
	aligned := func(rows ...[3]any) *text.Document {
		d := document(4)
		l := text.NewLayer(text.Alignments)
		for _, r := range rows {
			for name, v := range map[string]int{"sent": 1, "tok": r[0].(int), "other_sent": 1, "other_tok": r[1].(int)} {
				l.SetInts(name, append(l.Ints(name), int32(v)))
			}
			l.SetStrs("other_doc", append(l.Strs("other_doc"), "zh"))
			l.SetStrs("label", append(l.Strs("label"), r[2].(string)))
			l.N++
		}
		d.SetLayer(l)
		return d
	}
	gold := aligned([3]any{1, 1, "sure"}, [3]any{2, 2, "S"}, [3]any{3, 3, ""}, [3]any{4, 4, "possible"}, [3]any{4, 3, "P"})
	list := scored(t, NewAlignments(Options{}), gold, aligned([3]any{1, 1, ""}, [3]any{2, 2, ""}, [3]any{4, 4, ""}))
	for name, want := range map[string]float64{"precision": 1, "recall": 2. / 3, "f1": 0.8, "aer": 1. / 6} {
		near(t, name, find(t, list, name, All).Value(), want)
	}
	if Main(list).Name != "f1" {
		t.Errorf("%s is the main metric, of which less may be better", Main(list).Name)
	}
	list = scored(t, NewAlignments(Options{}), gold, aligned([3]any{1, 2, ""}))
	near(t, "all wrong", find(t, list, "aer", All).Value(), 1)
	near(t, "nothing", find(t, scored(t, NewAlignments(Options{}), aligned(), aligned()), "aer", All).Value(), 0)
}

func TestRelationsByHand(t *testing.T) {
	related := func(rows ...[5]any) *text.Document {
		d := &text.Document{ID: "d", Text: "Ann works at Acme in Rome"}
		l := text.NewLayer(text.Relations)
		for _, r := range rows {
			for i, name := range []string{"subject_start", "subject_end", "object_start", "object_end"} {
				l.SetInts(name, append(l.Ints(name), int32(r[i+1].(int))))
			}
			l.SetStrs("label", append(l.Strs("label"), r[0].(string)))
			l.N++
		}
		d.SetLayer(l)
		return d
	}
	gold := related([5]any{"works", 0, 3, 13, 17}, [5]any{"in", 13, 17, 21, 25}, [5]any{"in", 13, 17, 21, 25})
	s := NewRelations(Options{})
	list := scored(t, s, gold, related([5]any{"works", 0, 3, 13, 17}, [5]any{"at", 13, 17, 21, 25},
		[5]any{"works", 13, 17, 0, 3}))
	for name, want := range map[string]float64{"precision": 1. / 3, "recall": 0.5, "f1": 0.4} {
		near(t, name, find(t, list, name, All).Value(), want)
	}
	near(t, "works", find(t, list, "precision", "works").Value(), 0.5)
	if got := s.pairs[[2]string{"in", "at"}]; got != 1 {
		t.Errorf("in is taken for at %d times, want 1", got)
	}
	if Comparable(text.Relations, gold, &text.Document{Text: "x"}) == nil {
		t.Error("relations of different texts are compared")
	}
}

// TestEveryBuiltinLayerHasAScorer scores an empty document, and one against itself, for every layer.
func TestEveryBuiltinLayerHasAScorer(t *testing.T) {
	for _, def := range text.Builtin {
		s, ok := ForLayer(def, nil, Options{})
		if !ok {
			t.Errorf("layer %s has no scorer", def.Name)
			continue
		}
		list := scored(t, s, &text.Document{ID: "empty"}, &text.Document{ID: "empty"})
		main := 0
		for _, m := range list {
			main += int(One(m.Main))
			if v := m.Value(); v != v {
				t.Errorf("%s of nothing in %s is %v", m.Name, def.Name, v)
			}
		}
		if main != 1 {
			t.Errorf("layer %s has %d main metrics", def.Name, main)
		}
	}
	if _, ok := ForLayer(&text.LayerDef{Name: "own"}, nil, Options{}); ok {
		t.Error("a layer of a model's own has a scorer")
	}
}

func TestLines(t *testing.T) {
	d := document(1)
	l := text.NewLayer(text.Words)
	l.N = 2
	l.SetInts("sent", []int32{1, 1})
	l.SetStrs("id", []string{"", "1-2"})
	l.SetStrs("line", []string{"# a", "b"})
	d.SetLayer(l)
	half := *d
	half.SetLayer(l.Filter(func(i int) bool { return i == 0 }))
	near(t, "f1", find(t, scored(t, NewLines(Options{}), d, &half), "f1", All).Value(), 2./3)
}
