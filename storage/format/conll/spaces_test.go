package conll

import (
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"parlance/algo/text"
	"parlance/storage/format/formattest"
	"parlance/storage/format/layers"
)

// spaced draws a text of words with any white space around them, cut into sentences.
func spaced(t *rapid.T) *text.Document {
	gap := rapid.OneOf(rapid.SampledFrom([]string{"", " ", "\n", "  ", "\t", " \r\n", "\u00a0", "\u3000 ", "\v",
		" |\\s "}), rapid.StringMatching("[ \n\t]{0,3}"))
	b := layers.Builder{}
	b.Text.WriteString(gap.Draw(t, "lead"))
	for range rapid.IntRange(1, 4).Draw(t, "sentences") {
		b.SentenceAfter(gap.Draw(t, "between"))
		for k := range rapid.IntRange(1, 4).Draw(t, "tokens") {
			g := ""
			if k > 0 {
				g = gap.Draw(t, "gap")
			}
			b.TokenAfter(formattest.Word.Draw(t, "form"), g)
		}
	}
	b.Text.WriteString(gap.Draw(t, "end"))
	d, _ := b.Document("a")
	return d
}

// Texts come back from what is written of their tokens, and each sentence by the rule of CoNLL-U: tokens
// with a blank between them, but after SpaceAfter=No.
func TestConlluTexts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := suite.Configure(t, "conllu")
		d := spaced(t)
		file := formattest.Written(t, c, []*text.Document{d})
		got, err := formattest.ReadString(c, file, 1)
		if err != nil {
			t.Fatalf("%v in\n%s", err, file)
		}
		if len(got.Docs) != 1 || got.Docs[0].Text != d.Text {
			t.Fatalf("%q became %q by\n%s", d.Text, got.Docs[0].Text, file)
		}
		if again := formattest.Written(t, c, got.Docs); again != file {
			t.Fatalf("written again\n%s\nbecomes\n%s", file, again)
		}
		if strings.Contains(d.Text, `|\s`) { // text between tokens that is no white space
			return
		}
		for sentence := range strings.SplitSeq(strings.TrimSuffix(file, "\n\n"), "\n\n") {
			var built, comment string
			for line := range strings.SplitSeq(sentence, "\n") {
				if v, ok := strings.CutPrefix(line, "# text = "); ok {
					comment = v
				}
				if f := strings.Split(line, "\t"); len(f) == 10 {
					if built += f[1]; !strings.Contains(f[9], "SpaceAfter=No") {
						built += " "
					}
				}
			}
			if strings.TrimSuffix(built, " ") != comment {
				t.Fatalf("%q is built of the tokens of\n%s", built, sentence)
			}
		}
	})
}

// What a file says of white space is read, and written back as it was.
func TestConlluSpaces(t *testing.T) {
	row := func(id, form, misc string) string {
		return id + "\t" + form + strings.Repeat("\t_", 7) + "\t" + misc + "\n"
	}
	for _, x := range []struct{ file, want string }{
		{row("1", "a", "SpacesAfter=\\s\\n") + row("2", "b", "_") + "\n", "a \nb"},
		{row("1", "a", "SpacesBefore=\\t") + row("2", "b", "SpacesAfter=\\n\\p\\\\") + "\n", "\ta b\n|\\"},
		{row("1", "a", "SpaceAfter=No") + "\n" + row("1", "b", "Gloss=x|SpaceAfter=No") + "\n" + row("1", "c", "_") + "\n",
			"abc"},
		{row("1", "a", "SpaceAfter=No") + "\n# newpar\n" + row("1", "b", "_") + "\n# note\n\n" + row("1", "c", "_") + "\n",
			"a\n\nb\n\nc"},
		{"# newpar\n" + row("1", "a", "_") + "\n# sent_id = 2\n# newpar id = p\n" + row("1", "b", "_") + "\n" + row("1",
			"c", "_") + "\n", "a\n\nb\nc"},
		{row("1", "a", "SpacesAfter=\\n") + "\n# newpar\n" + row("1", "b", "_") + "\n# newpar_block = p\n" + row("1", "c",
			"_") + "\n", "a\nb\nc"},
		{row("1", "a", "SpaceAfter=No") + "\n# newdoc id = d\n" + row("1", "b", "_") + "\n# newdoc id = d\n# newpar\n" +
			row("1", "c", "SpacesBefore=\\s") + "\n", "a\nb\n\n c"},
		{row("1", "a", "_") + "\n# note\n\n# newpar\n" + row("1", "b", "SpaceAfter=No") +
			"\n# newpar\n# note\n\n# newdoc id = d\n" + row("1", "c", "_") + "\n", "a\n\n\nb\nc"},
		{row("1-2", "im", "SpaceAfter=No") + row("1", "in", "_") + row("2", "dem", "_") + row("3", "Haus",
			"SpacesAfter=\\s\\s") + "\n" + row("1", "x", "_") + "\n", "imHaus  x"},
		{row("1", "a", "XSpaceAfter=No") + row("2", "b", "_") + "\n", "a b"},
	} {
		c := suite.Configure(t, "conllu")
		file := "# newdoc id = d\n" + x.file
		got, err := formattest.ReadString(c, file, 1)
		if err != nil {
			t.Fatal(err)
		}
		if got.Docs[0].Text != x.want {
			t.Errorf("%q is read of\n%s", got.Docs[0].Text, file)
		}
		if back := regexp.MustCompile("# text = .*\n").ReplaceAllString(formattest.Written(t, c, got.Docs),
			""); back != file {
			t.Errorf("\n%s becomes\n%s", file, back)
		}
	}
}
