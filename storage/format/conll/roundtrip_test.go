package conll

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"parlance/algo/option"
	"parlance/algo/text"
	"parlance/storage/format/formattest"
	"parlance/storage/value"
)

func TestConllRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		columns := option.Arg{Name: "columns"}
		for _, n := range []string{"form", "_", "lemma", "chunks", "head", "deprel", "entities"} {
			columns.List = append(columns.List, option.Arg{Value: value.Str(n)})
		}
		scheme := rapid.SampledFrom([]string{"bio", "iob1", "iobes"}).Draw(t, "scheme")
		c := suite.Configure(t, "conll", columns, formattest.Arg("separator", value.Str("tab")),
			formattest.Arg("scheme", value.Str(scheme)))
		var docs []*text.Document
		for i := range rapid.IntRange(1, 3).Draw(t, "documents") {
			d, toks := formattest.Tokens(t, fmt.Sprintf("stdin:%d", i+1))
			formattest.Column(t, toks, "lemma")
			formattest.SpanLayer(t, d, text.Chunks)
			formattest.SpanLayer(t, d, text.Entities)
			formattest.Arcs(t, d, toks)
			docs = append(docs, d)
		}
		file := formattest.Written(t, c, docs)
		got, err := formattest.ReadString(c, file, 2)
		if err != nil {
			t.Fatalf("%v in\n%s", err, file)
		}
		for _, d := range got.Docs {
			d.DropLayer("words") // how the file was laid out
		}
		if diff := cmp.Diff(formattest.Dumps(docs), formattest.Dumps(got.Docs)); diff != "" {
			t.Fatalf("%s\nin\n%s", diff, file)
		}
	})
}

// conlluFile draws a file as treebanks have it.
func conlluFile(t *rapid.T) string {
	var b strings.Builder
	cell := rapid.OneOf(formattest.Word, rapid.Just("_"))
	feats := rapid.SampledFrom([]string{"_", "Case=Nom", "Case=Acc|Number=Sing"})
	misc := rapid.SampledFrom([]string{"_", "SpaceAfter=No", "Gloss=x|SpaceAfter=No"})
	empty := func(n, k int) {
		fmt.Fprintf(&b, "%d.%d\t%s\t_\t_\t_\t_\t_\t_\t%d:dep\t_\n", n, k, formattest.Word.Draw(t, "empty"), n)
	}
	for i := range rapid.IntRange(1, 4).Draw(t, "sentences") {
		if i == 0 || rapid.Bool().Draw(t, "newdoc") {
			fmt.Fprintf(&b, "# newdoc id = d%d\n", i)
		}
		fmt.Fprintf(&b, "# sent_id = %d\n", i)
		if rapid.Bool().Draw(t, "empty node first") {
			empty(0, 1)
		}
		n := rapid.IntRange(1, 6).Draw(t, "tokens")
		joined := 0
		for k := 1; k <= n; k++ {
			if k > joined && k < n && rapid.IntRange(0, 3).Draw(t, "multiword") == 0 {
				joined = rapid.IntRange(k, n).Draw(t, "to")
				fmt.Fprintf(&b, "%d-%d\t%s\t_\t_\t_\t_\t_\t_\t_\t%s\n", k, joined, formattest.Word.Draw(t, "surface"),
					misc.Draw(t, "misc"))
			}
			head, rel := "_", "_"
			if h := rapid.IntRange(-1, n).Draw(t, "head"); h >= 0 && h != k {
				head, rel = fmt.Sprint(h), formattest.Name.Draw(t, "deprel")
			}
			deps := rapid.SampledFrom([]string{"_", "0:root", "1:a|2:b"}).Draw(t, "deps")
			fmt.Fprintf(&b, "%d\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", k, cell.Draw(t, "form"), cell.Draw(t, "lemma"),
				cell.Draw(t, "upos"), cell.Draw(t, "xpos"), feats.Draw(t, "feats"), head, rel, deps, misc.Draw(t, "misc"))
			if rapid.IntRange(0, 4).Draw(t, "empty node") == 0 {
				empty(k, 1)
				empty(k, 2)
			}
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func TestConlluRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := suite.Configure(t, "conllu")
		file := conlluFile(t)
		got, err := formattest.ReadString(c, file, 2)
		if err != nil {
			t.Fatalf("%v in\n%s", err, file)
		}
		if diff := cmp.Diff(file, formattest.Written(t, c, got.Docs)); diff != "" {
			t.Fatal(diff)
		}
	})
}

// Comments without a sentence survive.
func TestConlluComments(t *testing.T) {
	file := "# newdoc id = a\n1\tb" + strings.Repeat("\t_", 8) + "\n\n# end\n\n"
	c := suite.Configure(t, "conllu")
	got, err := formattest.ReadString(c, file, 1)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(file, formattest.Written(t, c, got.Docs)); diff != "" {
		t.Error(diff)
	}
}

// Documents of other sources get the comments that CoNLL-U wants.
func TestConlluOfTokens(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := suite.Configure(t, "conllu")
		d, toks := formattest.Tokens(t, "a b")
		formattest.Column(t, toks, "lemma", "upos")
		formattest.Arcs(t, d, toks)
		got, err := formattest.ReadString(c, formattest.Written(t, c, []*text.Document{d}), 1)
		if err != nil {
			t.Fatal(err)
		}
		if len(got.Docs) != 1 {
			t.Fatalf("%d documents", len(got.Docs))
		}
		if words := got.Docs[0].Layer("words"); words == nil || words.Strs("line")[0] != "# newdoc id = a b" ||
			!strings.HasPrefix(words.Strs("line")[1], "# text = ") {
			t.Fatalf("comments: %v", words)
		}
		got.Docs[0].DropLayer("words")
		if diff := cmp.Diff(formattest.Dumps([]*text.Document{d}), formattest.Dumps(got.Docs)); diff != "" {
			t.Fatal(diff)
		}
	})
}
