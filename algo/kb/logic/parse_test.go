package logic

import (
	"errors"
	"reflect"
	"strings"
	"testing"
)

func TestCanonicalText(t *testing.T) {
	for _, c := range [][2]string{
		{"profAt(x) => worksFor(x)", "forall x: profAt(x) => worksFor(x)"},
		{"forall x:profAt(x)=>worksFor(x)", "forall x: profAt(x) => worksFor(x)"},
		{"FORALL x, y: R(x,y) <=> S(y,x)", "forall x, y: R(x,y) <=> S(y,x)"},
		{"r(x1,y) AND s(y,z) => t(x1,z)", "forall x1, y, z: r(x1,y) and s(y,z) => t(x1,z)"},
		{"worksFor(SMITH, CAMBRIDGE)", "worksFor(SMITH,CAMBRIDGE)"},
		{"in(\"New York\",'O''Hare')", "in('New York','O''Hare')"},
		{"p(a) or (q(a) or r(a))", "p(a) or (q(a) or r(a))"},
		{"(p(a) or q(a)) xor r(a)", "p(a) or q(a) xor r(a)"},
		{"p(a) => (q(a) => r(a))", "p(a) => q(a) => r(a)"},
		{"(p(a) => q(a)) => r(a)", "(p(a) => q(a)) => r(a)"},
		{"not (p(a) and not q(a))", "not (p(a) and not q(a))"},
		{"not not p(a)", "not not p(a)"},
		{"p('x')", "p('x')"},
		{"forall a: p(a) => q(x)", "forall a: p(a) => q(x)"},
		{"forall x: p(x) => q('x')", "forall x: p(x) => q('x')"},
		{"'and'(a) and /people/person/born(a, 'not')", "'and'(a) and /people/person/born(a,'not')"},
		{"p(a) <=> q(a) <=> r(a)", "p(a) <=> q(a) <=> r(a)"},
	} {
		r, err := Parse(c[0])
		if err != nil {
			t.Errorf("%s: %v", c[0], err)
			continue
		}
		if got := r.String(); got != c[1] {
			t.Errorf("%s: canonical %s, want %s", c[0], got, c[1])
		}
	}
}

func TestErrorsTellPlace(t *testing.T) {
	for _, c := range []struct {
		text      string
		pos       int
		msg, hint string
	}{
		{"", 1, "the end where a formula", ""},
		{"p(x) =>", 8, "the end where a formula", ""},
		{"p(x) -> q(x)", 6, "unknown sign", "write =>"},
		{"p(x)->q(x)", 5, "unknown sign", "write =>"},
		{"q(x) :- p(x)", 6, "unknown sign", "condition on the left"},
		{"∀x: p(x)", 1, "unknown sign", "forall"},
		{"äö(x) ∧ p(x)", 7, "unknown sign", "write and"},
		{"p(x", 4, "the end where ')'", ""},
		{"p", 2, "the end where '('", "an atom is a relation"},
		{"p()", 3, "')' where a term", ""},
		{"p(a,b,c)", 7, "three terms", "one term"},
		{"p(a) q(b)", 6, "'q' where an operator", "operators are"},
		{"p('a)", 3, "not closed", "doubled"},
		{"p('')", 3, "empty", ""},
		{"forall x, y: p(x)", 11, "y is declared and not used", ""},
		{"forall x, x: p(x)", 11, "declared twice", ""},
		{"forall 'x': p(x)", 8, "no quotes", ""},
		{"p(a) and forall x: q(x)", 10, "'forall' where a formula", "once, at the beginning"},
		{"p(\xff)", 3, "UTF-8", ""},
		{strings.Repeat("(", 5000) + "p(a)", 202, "deeper than 200", "split"},
		{strings.Repeat("not ", 15000) + "p(a)", 805, "deeper than 200", "split"},
		{strings.Repeat("p(a) => ", 5000) + "p(a)", 1609, "deeper than 200", "split"},
		{"p(a)" + strings.Repeat(" and p(a)", 5000), 1806, "deeper than 200", "split"},
		{strings.Repeat(" ", MaxText+1), 1, "65537 bytes", "at most 65536"},
	} {
		_, err := Parse(c.text)
		var e *Error
		if !errors.As(err, &e) {
			t.Errorf("%.40q: %v", c.text, err)
			continue
		}
		if e.Pos != c.pos || !strings.Contains(e.Msg, c.msg) || !strings.Contains(e.Hint, c.hint) {
			t.Errorf("%.40q: %v; want character %d, %q, %q", c.text, e, c.pos, c.msg, c.hint)
		}
	}
}

// strip forgets the places, which the canonical text changes.
func strip(r *Rule) *Rule {
	r.declared = false
	r.Body.Walk(func(f *Formula) {
		f.At = 0
		for i := range f.Terms {
			f.Terms[i].At = 0
		}
	})
	return r
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{
		"forall x: profAt(x) => worksFor(x)", "r(x,y) and not s(y,z) <=> t(x,z) xor p('it''s')",
		"\"New York\"(a, \"b\"\"c\")", "((p(x1)))", "forall ä: p(ä)", "p(a) -> q(b)", "not", "forall", "'x'('x')",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		r, err := Parse(text)
		if err != nil {
			if e := new(Error); !errors.As(err, &e) || e.Pos < 1 || e.Pos > len(text)+1 {
				t.Fatalf("%v", err)
			}
			return
		}
		canonical := r.String()
		if len(canonical) > MaxText {
			return
		}
		again, err := Parse(canonical)
		if err != nil {
			t.Fatalf("%s: canonical %s: %v", text, canonical, err)
		}
		if again.String() != canonical {
			t.Fatalf("%s: canonical %s, then %s", text, canonical, again)
		}
		if !reflect.DeepEqual(strip(r), strip(again)) {
			t.Fatalf("%s: another rule after %s", text, canonical)
		}
	})
}
