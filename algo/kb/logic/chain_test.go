package logic

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// knowledge is facts as text: relation subject [object], with a leading - for false ones.
type knowledge struct {
	Signature
	facts  []Fact
	domain Domain
}

func newKnowledge(lines ...string) *knowledge {
	w := &knowledge{Signature: Signature{Relations: &Names{}, Entities: &Names{}}}
	for _, l := range lines {
		no := strings.HasPrefix(l, "-")
		f := strings.Fields(strings.TrimPrefix(l, "-"))
		rel := w.Relations.Add(f[0])
		p := Pair{w.Entities.Add(f[1]), None}
		if len(f) > 2 {
			p.Object = w.Entities.Add(f[2])
		}
		for int(rel) >= len(w.Arities) {
			w.Arities = append(w.Arities, 0)
		}
		w.Arities[rel] |= ArityOf(p.Object)
		w.facts = append(w.facts, Fact{rel, p, no})
		w.domain.Add(p)
	}
	return w
}

func (w *knowledge) bind(t interface{ Fatal(...any) }, rules ...string) []*Bound {
	var out []*Bound
	for _, r := range rules {
		b, err := w.Bind(MustParse(r))
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, b)
	}
	return out
}

func (w *knowledge) text(f Fact) string {
	s := w.Relations.Name(f.Relation) + " " + w.Entities.Name(f.Subject)
	if f.Object != None {
		s += " " + w.Entities.Name(f.Object)
	}
	if f.False {
		s = "-" + s
	}
	return s
}

func TestChain(t *testing.T) {
	for _, c := range []struct{ facts, rules, want, conflicts string }{
		{"profAt smith cam;worksFor w oxf", "profAt(x) => worksFor(x)", "worksFor smith cam", ""},
		{"profAt a b;-worksFor a c", "profAt(x,y) <=> worksFor(y,x)", "worksFor b a;-profAt c a", ""},
		{"in a b;in b c;in c d", "in(x,y) and in(y,z) => in(x,z)", "in a c;in b d;in a d", ""},
		{"in a b;in b a", "in(x,y) and in(y,z) => in(x,z)", "in b b;in a a", ""},
		{"works a b;person c", "works(x,y) => person(x)", "person a", ""},
		{"p a;q b;r c", "p(x) or q(x) => r(x)", "r a;r b", ""},
		{"p a;q b", "p(x) xor q(x)", "-q a;-p b", ""},
		{"p a;-q a;r b", "p(x) and not q(x) => r(x)", "r a", ""},
		{"p a;q b", "not (p(x) and q(x))", "-q a;-p b", ""},
		{"p a;q b;r c", "p(x) => q(x) and not r(x)", "q a;-r a", ""},
		{"p a;q b", "p(x) => q(x);p(x) => not q(x)", "q a;-q a", "q a"},
		{"p a;-q a", "p(x) => q(x)", "q a", "q a"},
		{"p a;q a b", "p(b)", "p b", ""},
		{"p a;p a b;q c", "p(x) => q(x)", "q a", ""},
		{"likes a b;knows a a;knows b b", "likes(a,x) => knows(x,a)", "knows b a", ""},
	} {
		w := newKnowledge(strings.Split(c.facts, ";")...)
		got, err := Chain(context.Background(), w.facts, w.bind(t, strings.Split(c.rules, ";")...), 1000)
		if err != nil {
			t.Fatal(err)
		}
		var derived, conflicts []string
		for _, d := range got.Facts[len(w.facts):] {
			derived = append(derived, w.text(d.Fact))
		}
		for _, k := range got.Conflicts {
			conflicts = append(conflicts, strings.TrimPrefix(w.text(got.Facts[k[1]].Fact), "-"))
		}
		if s := strings.Join(derived, ";"); s != c.want {
			t.Errorf("%s with %s: %s, want %s", c.facts, c.rules, s, c.want)
		}
		if s := strings.Join(conflicts, ";"); s != c.conflicts {
			t.Errorf("%s with %s: conflicts %s, want %s", c.facts, c.rules, s, c.conflicts)
		}
	}
}

func TestChainRefuses(t *testing.T) {
	w := newKnowledge("in a b", "in b c", "p a")
	c, err := Chain(context.Background(), w.facts, w.bind(t, "in(x,y) => in(x,z)"), 100)
	if e := new(Error); err != nil || !errors.As(c.Unused[0], &e) || e.Pos != 12 ||
		!strings.Contains(e.Msg, "lacks variable z") {
		t.Errorf("%v, %v", c.Unused, err)
	}
	if _, err := Chain(context.Background(), w.facts, w.bind(t, "in(x,y) => in(y,x)"), 3); err == nil {
		t.Error("no limit")
	}
	deep := strings.Repeat("(", 150) + "p(a)" + strings.Repeat(" <=> in(a,b))", 150)
	if c, err := Chain(context.Background(), w.facts, w.bind(t, deep+" <=> p(a)"), 100); err != nil || len(c.Facts) != 3 {
		t.Errorf("%v, %v", c, err) // the same two atoms over and over
	}
	var parts []string
	var facts []string
	for i := range 14 {
		parts = append(parts, fmt.Sprintf("p%d(a)", i))
		facts = append(facts, fmt.Sprintf("p%d a", i))
	}
	w = newKnowledge(facts...)
	if _, err := w.bind(t, strings.Join(parts, " xor "))[0].Clauses(); err == nil {
		t.Error("2^13 clauses")
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Chain(ctx, w.facts, nil, 100); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

func TestBindNamesWhatIsUnknown(t *testing.T) {
	w := newKnowledge("profAt smith cam", "worksFor smith cam", "person smith")
	for _, c := range []struct {
		rule string
		pos  int
		msg  string
	}{
		{"profAt(x) => workFor(x)", 14, "unknown relation workFor; did you mean worksFor?"},
		{"profAt(smyth,cam)", 8, "unknown entity smyth; did you mean smith?"},
		{"forall x: worksFor(x,cam) => employs(cam,y)", 30, "INSERT INTO kb.relations (relation) VALUES ('employs')"},
		{"forall x: worksFor(x,cam) => worksFor(cam,y1)", 43,
			"unknown entity y1; a variable stands behind forall: forall …, y1: …"},
		{"profAt(x) => person(x)", 14, "some of entities and some of pairs"},
	} {
		_, err := w.Bind(MustParse(c.rule))
		if e := new(Error); !errors.As(err, &e) || e.Pos != c.pos || !strings.Contains(err.Error(), c.msg) {
			t.Errorf("%s: %v", c.rule, err)
		}
	}
}

// A relation without a known arity may have both.
func TestBindTakesRelationsWithoutFacts(t *testing.T) {
	w := newKnowledge("profAt smith cam")
	w.Relations.Add("likes")
	w.bind(t, "profAt(x,y) => likes(x,y)", "likes(x) => likes(x)")
}

// drawKnowledge draws facts of three entities: p, q of entities, r, s of pairs.
func drawKnowledge(t *rapid.T) *knowledge {
	lines := []string{"p a", "q b", "r a b", "s b c"}
	for range rapid.IntRange(0, 6).Draw(t, "facts") {
		e := rapid.SampledFrom([]string{"a", "b", "c"})
		l := rapid.SampledFrom([]string{"p", "q", "r", "s"}).Draw(t, "relation") + " " + e.Draw(t, "subject")
		if l[0] > 'q' {
			l += " " + e.Draw(t, "object")
		}
		if rapid.IntRange(0, 3).Draw(t, "false") == 0 {
			l = "-" + l
		}
		lines = append(lines, l)
	}
	return newKnowledge(lines...)
}

// drawAtom draws an atom; alone says that x stands alone and is of pairs.
func drawAtom(t *rapid.T, alone bool) *Formula {
	term := func() Term {
		n := rapid.SampledFrom([]string{"x", "y", "z", "a"}).Draw(t, "term")
		return Term{Name: n, Var: n != "a"}
	}
	switch {
	case alone:
		return &Formula{Op: Atom, Name: rapid.SampledFrom([]string{"r", "s"}).Draw(t, "r"),
			Terms: []Term{{Name: "x", Var: true}}}
	case rapid.Bool().Draw(t, "unary"):
		return &Formula{Op: Atom, Name: rapid.SampledFrom([]string{"p", "q"}).Draw(t, "p"), Terms: []Term{term()}}
	}
	return &Formula{Op: Atom, Name: rapid.SampledFrom([]string{"r", "s"}).Draw(t, "r"), Terms: []Term{term(), term()}}
}

func drawRule(t *rapid.T, depth int, alone bool) *Formula {
	if depth == 0 || rapid.IntRange(0, 3).Draw(t, "leaf") == 0 {
		return drawAtom(t, alone)
	}
	f := &Formula{Op: Op(rapid.IntRange(int(Not), int(Iff)).Draw(t, "op")), Left: drawRule(t, depth-1, alone)}
	if f.Op != Not {
		f.Right = drawRule(t, depth-1, alone)
	}
	return f
}

// assignments calls visit for all values of the variables, of those that stand alone also None as object.
func assignments(w *knowledge, b *Bound, visit func(value []int32)) {
	value := make([]int32, len(b.alone))
	var rec func(i int)
	rec = func(i int) {
		if i == len(value) {
			visit(value)
			return
		}
		from := int32(0)
		switch {
		case i%2 == 1 && b.alone[i] == 0: // not a variable
			value[i] = None
			rec(i + 1)
			return
		case i%2 == 1 && b.alone[i]&OfPairs == 0:
			value[i] = None
			rec(i + 1)
			return
		case i%2 == 1 && b.alone[i]&OfEntities != 0:
			from = None
		}
		for v := from; v < int32(w.Entities.Len()); v++ {
			value[i] = v
			rec(i + 1)
		}
	}
	rec(0)
}

func at(p Pattern, value []int32) Pair {
	read := func(s Slot) int32 {
		if s.Var {
			return value[s.ID]
		}
		return s.ID
	}
	return Pair{read(p.Subject), read(p.Object)}
}

func bound(t *rapid.T, w *knowledge) *Bound {
	f := drawRule(t, 2, rapid.IntRange(0, 3).Draw(t, "alone") == 0)
	r, err := Parse(f.String())
	if err != nil {
		t.Fatal(err)
	}
	b, err := w.Bind(r)
	if err != nil {
		t.Skip("the rule names what the facts lack")
	}
	return b
}

func TestInstancesAreAll(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := drawKnowledge(t)
		b := bound(t, w)
		var got, want []string
		for inst := range w.domain.Instances(context.Background(), b) {
			got = append(got, fmt.Sprint(inst))
		}
		assignments(w, b, func(value []int32) {
			var inst []int32
			for _, p := range b.Atoms {
				i, ok := w.domain.Find(at(p, value))
				if !ok {
					return
				}
				inst = append(inst, i)
			}
			want = append(want, fmt.Sprint(inst))
		})
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Fatalf("%s over %v: %v, want %v", b.Rule, w.domain.pairs, got, want)
		}
	})
}

func TestActiveInstancesAreThoseWithAConditionThatHolds(t *testing.T) {
	found := 0
	rapid.Check(t, func(t *rapid.T) {
		w := drawKnowledge(t)
		b := bound(t, w)
		c, err := Chain(context.Background(), w.facts, []*Bound{b}, 10000)
		if err != nil {
			t.Fatal(err)
		}
		active, ok := c.Active(context.Background(), &w.domain, b)
		if !ok {
			t.Skip("all instances of the rule count")
		}
		clauses, _ := b.Clauses()
		var got, want []string
		for inst := range active {
			got = append(got, fmt.Sprint(inst))
		}
		for inst := range w.domain.Instances(context.Background(), b) {
			if slices.ContainsFunc(clauses, func(k Clause) bool {
				return !slices.ContainsFunc(k.Body, func(l Literal) bool {
					_, ok := c.Find(Fact{b.Atoms[l.Atom].Relation, w.domain.Pair(inst[l.Atom]), l.Negated})
					return !ok
				})
			}) {
				want = append(want, fmt.Sprint(inst))
			}
		}
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Fatalf("%s: %v, want %v", b.Rule, got, want)
		}
		found += len(got)
	})
	if found == 0 {
		t.Error("no instance was active in any draw")
	}
}

func TestChainIsNaiveClosure(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := drawKnowledge(t)
		rules := []*Bound{bound(t, w), bound(t, w)}
		c, err := Chain(context.Background(), w.facts, rules, 10000)
		if err != nil {
			t.Fatal(err)
		}
		known := map[Fact]bool{}
		for _, f := range w.facts {
			known[f] = true
		}
		for grew := true; grew; {
			grew = false
			for i, b := range rules {
				list, _ := b.Clauses()
				if c.Unused[i] != nil {
					continue
				}
				for _, k := range list {
					assignments(w, b, func(value []int32) {
						for _, l := range k.Body {
							if !known[Fact{b.Atoms[l.Atom].Relation, at(b.Atoms[l.Atom], value), l.Negated}] {
								return
							}
						}
						f := Fact{b.Atoms[k.Head.Atom].Relation, at(b.Atoms[k.Head.Atom], value), k.Head.Negated}
						if !known[f] {
							known[f], grew = true, true
						}
					})
				}
			}
		}
		var got, want []string
		for _, d := range c.Facts {
			got = append(got, w.text(d.Fact))
		}
		for f := range known {
			want = append(want, w.text(f))
		}
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Fatalf("%s; %s: %v, want %v", rules[0].Rule, rules[1].Rule, got, want)
		}
	})
}

// Each clause of a formula follows from it.
func TestClausesFollow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := formula(t, 4)
		var facts []string
		for i := range 6 {
			facts = append(facts, fmt.Sprintf("p%d c", i))
		}
		b := newKnowledge(facts...).bind(t, f.String())[0]
		list, err := b.Clauses()
		if err != nil {
			t.Skip("a conclusion has a variable that its condition lacks")
		}
		for bits := range 1 << len(b.Atoms) {
			truth := make([]bool, len(b.Atoms))
			for i := range truth {
				truth[i] = bits>>i&1 == 1
			}
			if !b.Tree.Holds(truth) {
				continue
			}
			for _, k := range list {
				met := !slices.ContainsFunc(k.Body, func(l Literal) bool { return truth[l.Atom] == l.Negated })
				if met && truth[k.Head.Atom] == k.Head.Negated {
					t.Fatalf("%s does not give %v", f, k)
				}
			}
		}
	})
}

// TestConstants are those that would be variables without forall.
func TestConstants(t *testing.T) {
	for rule, want := range map[string]string{
		"forall x: p(x,y) and not q(z1) => p(y,ann)": "[y z1]",
		"p(x,y) => q(x)":      "[]",
		"forall x, y: p(x,y)": "[]",
	} {
		if got := fmt.Sprint(MustParse(rule).Constants()); got != want {
			t.Errorf("%s: %s, want %s", rule, got, want)
		}
	}
}
