package conll

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"parlance/algo/text"
	"parlance/storage/format/formattest"
)

const cupt = `# global.columns = ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC PARSEME:MWE
# newdoc id = one
# text = He took part.
1	He	he	PRON	_	_	2	nsubj	_	_	*
2	took	take	VERB	_	_	0	root	_	_	1:LVC.full
3	part	part	NOUN	_	_	2	obj	_	SpaceAfter=No	1
4	.	.	PUNCT	_	_	2	punct	_	_	*

# newdoc id = two
1-2	du	_	_	_	_	_	_	_	_	*
1	de	de	ADP	_	_	0	root	_	_	_
2	le	le	DET	_	_	1	det	_	_	*
2.1	x	_	_	_	_	_	_	_	_	2:VID

`

// TestPlusOfParseme reads columns as the header names them and writes them back.
func TestPlusOfParseme(t *testing.T) {
	c := suite.Configure(t, "conllup")
	got, err := formattest.ReadString(c, cupt, 2)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range got.Docs {
		if d.Layer("roles") != nil {
			t.Errorf("%s has predicates", d.ID)
		}
	}
	if diff := cmp.Diff(cupt, formattest.Written(t, c, got.Docs)); diff != "" {
		t.Error(diff)
	}
	second := formattest.Written(t, suite.Configure(t, "conllup"), got.Docs[1:])
	if !strings.HasPrefix(second, "# global.columns = ID FORM LEMMA UPOS") || !strings.Contains(second, "\t2:VID\n") {
		t.Errorf("the second document by itself:\n%s", second)
	}
}

// TestPlusColumns reads fewer columns in another order.
func TestPlusColumns(t *testing.T) {
	file := "# global.columns = UPOS FORM X:Y HEAD\nPRON\tHe\t*\t2\n*\truns\t_\t0\n\n"
	c := suite.Configure(t, "conllup")
	got, err := formattest.ReadString(c, file, 1)
	if err != nil {
		t.Fatal(err)
	}
	d := got.Docs[0]
	toks, trees := d.Layer("tokens"), d.Layer("dependencies")
	if !slices.Equal(toks.Strs("form"), []string{"He", "runs"}) || !slices.Equal(toks.Strs("upos"), []string{"PRON",
		""}) ||
		!slices.Equal(trees.Ints("head"), []int32{2, 0}) {
		t.Errorf("%v %v", toks, trees)
	}
	if diff := cmp.Diff(file, formattest.Written(t, c, got.Docs)); diff != "" {
		t.Error(diff)
	}
	for file, want := range map[string]string{
		"# global.columns = ID UPOS\n1\tX\n":       "names no FORM",
		"# global.columns = FORM FORM\n1\tX\n":     "names FORM twice",
		"# global.columns = ID FORM\n1\tX\ty\n":    "3 columns, global.columns names 2",
		"# global.columns = ID FORM X\n1\tX\t\n\n": "column 3 is empty",
	} {
		if _, err := formattest.ReadString(suite.Configure(t, "conllup"), file, 1); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", file, err, want)
		}
	}
	d.Layer("tokens").SetStrs("upos", []string{"NOUN", "VERB"})
	if got := formattest.Written(t, suite.Configure(t, "conllup"), []*text.Document{d}); !strings.Contains(got,
		"VERB\truns\t_\t0") {
		t.Errorf("a tag that a model gives does not replace *:\n%s", got)
	}
}

// TestPlusRoundTrip draws columns in any order.
func TestPlusRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		names := rapid.Permutation([]string{"ID", "FORM", "LEMMA", "UPOS", "HEAD", "A:B", "C:D", "MISC"}).Draw(t, "columns")
		names = names[:rapid.IntRange(1, len(names)).Draw(t, "number")]
		if !slices.Contains(names, "FORM") {
			names = append(names, "FORM")
		}
		var b strings.Builder
		fmt.Fprintln(&b, "# global.columns =", strings.Join(names, " "))
		for range rapid.IntRange(1, 3).Draw(t, "sentences") {
			n := rapid.IntRange(1, 3).Draw(t, "tokens")
			for k := range n {
				var cells []string
				for _, name := range names {
					cell := rapid.SampledFrom([]string{"_", "*", "1:VID", "x"}).Draw(t, "cell")
					switch name {
					case "ID":
						cell = fmt.Sprint(k + 1)
					case "FORM", "LEMMA":
						cell = rapid.SampledFrom([]string{"a", "*", "bc"}).Draw(t, "form")
					case "HEAD":
						cell = rapid.SampledFrom([]string{"0", "_", "*"}).Draw(t, "head")
					case "MISC":
						cell = rapid.SampledFrom([]string{"_", "*", "G=x"}).Draw(t, "misc")
					}
					cells = append(cells, cell)
				}
				fmt.Fprintln(&b, strings.Join(cells, "\t"))
			}
			b.WriteByte('\n')
		}
		checkFile(t, suite.Configure(t, "conllup"), b.String())
	})
}
