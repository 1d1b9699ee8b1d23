package external

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"parlance/algo/feature"
	"parlance/algo/text"
)

func document(columns map[string][]string) *text.Document {
	d, toks := &text.Document{ID: "d"}, text.NewLayer(text.Tokens)
	toks.N = len(columns["form"])
	for i := range toks.N {
		for c, v := range []int{1, i + 1, i, i} {
			toks.Cols[c].Ints = append(toks.Cols[c].Ints, int32(v))
		}
	}
	for name, v := range columns {
		toks.SetStrs(name, v)
	}
	d.SetLayer(toks)
	return d
}

// made is what a template makes of each token.
func made(t *testing.T, n Notation, s string, forms ...string) (out []string) {
	t.Helper()
	p, err := parseTemplate(n, s)
	if err != nil {
		t.Fatal(err)
	}
	src := &source{m: &Model{Head: Head{Notation: n}}, values: [][]string{forms}}
	for i := range forms {
		src.buf = src.buf[:0]
		src.write(&p, 0, len(forms), i)
		out = append(out, string(src.buf))
	}
	return out
}

func TestTemplates(t *testing.T) {
	for _, c := range []struct {
		notation Notation
		template string
		want     string
	}{
		{CRFPP, "U1:%x[0,0]", "U1:Ab U1:c9 U1:D"},
		{CRFPP, "U:%x[-2,0]/%x[1,0]", "U:_B-2/c9 U:_B-1/D U:Ab/_B+1"},
		{CRFPP, "B", "B B B"},
		{Wapiti, "u:%X[0,0]", "u:ab u:c9 u:d"},
		{Wapiti, "*%x[ -1, 0 ]", "*_x-1 *Ab *c9"},
		{Wapiti, "u%x[-6,0]%x[5,0]", "u_x-#_x+3 u_x-#_x+4 u_x-4_x+#"},
		{Wapiti, "u%x[@1,0]%x[@-1,0]%x[@0,0]", "uAbD_x-1 uAbD_x-1 uAbD_x-1"},
		{Wapiti, `u%t[-1,0,"\d"]`, "utrue ufalse utrue"},
		{Wapiti, `u%m[0,0,"\u*$"]`, "u u uD"},
		{Wapiti, `u%m[0,0,"^\u*"]`, "u u u"},
		{Wapiti, `u%M[0,0,"\u?\l?"]`, "uab uc ud"},
		{Wapiti, `u%m[0,0,"\"?."]`, "uA uc uD"},
		{Wapiti, `u%T[0,0,"^\U.$"]`, "ufalse utrue ufalse"},
	} {
		if got := strings.Join(made(t, c.notation, c.template, "Ab", "c9", "D"), " "); got != c.want {
			t.Errorf("%s makes %q, want %q", c.template, got, c.want)
		}
	}
}

func TestTemplateFaults(t *testing.T) {
	for _, c := range []struct {
		notation Notation
		template string
	}{
		{CRFPP, "x"}, {CRFPP, "U%"}, {CRFPP, "U%x[9,0]"}, {CRFPP, "U%x[0,-1]"}, {CRFPP, "U%x[0,0"}, {CRFPP, "U%x[+1,0]"},
		{CRFPP, "U%x[ 1,0]"}, {CRFPP, "U%t[0,0]"},
		{Wapiti, ""}, {Wapiti, "x"}, {Wapiti, "u%"}, {Wapiti, "u%x[0,0"}, {Wapiti, "u%x[,0]"}, {Wapiti, "u%x[0]"},
		{Wapiti, `u%t[0,0]`}, {Wapiti, `u%t[0,0,"a]`}, {Wapiti, `u%t[0,0,"a\"]`}, {Wapiti, `u%m[0,0,a]`},
		{Wapiti, `u%x[0,-1]`}, {Attributes, "u"},
	} {
		var e *TemplateError
		if err := CheckTemplate(c.notation, c.template); !errors.As(err, &e) {
			t.Errorf("%s of %s: %v", c.template, c.notation, err)
		}
	}
}

// TestExpressionIsQuick: many stars on a long text take no more than the product of both lengths.
func TestExpressionIsQuick(t *testing.T) {
	e, err := parseExpression(strings.Repeat("a*", 30) + "b$")
	if err != nil {
		t.Fatal(err)
	}
	start := time.Now()
	if _, _, ok, _ := e.find(strings.Repeat("a", 3000), nil); ok || time.Since(start) > 30*time.Second {
		t.Errorf("found: %v, after %v", ok, time.Since(start))
	}
}

// TestAttributes: values after colons, escapes, repeated and unknown attributes.
func TestAttributes(t *testing.T) {
	b, err := NewBuilder(Head{Notation: Attributes, Columns: []string{"misc"}}, []string{"x", "y"})
	if err != nil {
		t.Fatal(err)
	}
	for i, name := range []string{"w=a:b", "z"} {
		if err := b.Unigram(name, []float64{1 + float64(i), -1}); err != nil {
			t.Fatal(err)
		}
	}
	m, err := b.Model()
	if err != nil {
		t.Fatal(err)
	}
	for misc, want := range map[string]float64{`w=a\:b`: 1, `w=a\:b:0.5`: .5, "z\tz\tq": 4, "z:0.1\tw=a\\:b": 1.2,
		"z:q": 0, "": 0} {
		d := document(map[string][]string{"form": {"f"}, "misc": {misc}})
		got := score(t, m, d)
		if diff := got[0] - want; diff > 1e-12 || diff < -1e-12 {
			t.Errorf("%q scores %v, want %g", misc, got, want)
		}
	}
	d := document(map[string][]string{"form": {"f"}, "misc": {"z:nan"}})
	var rows feature.Rows
	src := &source{m: m}
	err = src.Each(context.Background(), []*text.Document{d}, &rows, func(*text.Document) error { return nil })
	if err == nil || !strings.Contains(err.Error(), "document d, token 1: the attribute z:nan") {
		t.Errorf("NaN: %v", err)
	}
}

// score is the scores of the labels at the first token, the same by the source that labels and by the whole one.
func score(t *testing.T, m *Model, d *text.Document) []float64 {
	t.Helper()
	var all [2][]float64
	for i, whole := range []bool{false, true} {
		var rows feature.Rows
		src := &source{m: m, whole: whole}
		err := src.Each(context.Background(), []*text.Document{d}, &rows, func(*text.Document) error {
			all[i] = make([]float64, 2)
			for k, a := range rows.Attrs {
				v := 1.0
				if len(rows.Values) > 0 {
					v = float64(rows.Values[k])
				}
				_, w := m.Chain.Row(a)
				all[i][0], all[i][1] = all[i][0]+v*w[0], all[i][1]+v*w[1]
			}
			src.Add(0, 1, all[i])
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if !slices.EqualFunc(all[0], all[1], func(a, b float64) bool { return a-b < 1e-6 && b-a < 1e-6 }) {
		t.Errorf("%v for labelling, %v for explaining", all[0], all[1])
	}
	return all[0]
}
