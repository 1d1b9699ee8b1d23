package resource

import (
	"bytes"
	"strings"
	"testing"

	"parlance/storage/format/codec"
	"parlance/storage/format/formattest"
	"parlance/storage/value"
)

const arpaFile = `\data\
ngram 1=3
ngram 2=1

\1-grams:
-1	<unk>
-99	<s>	-0.5
-0.25	a	0

\2-grams:
-0.125	<s> a

\end\
`

var gramColumns = []codec.Column{{Name: "n", Type: value.Integer}, {Name: "ngram", Type: value.Text},
	{Name: "log_prob", Type: value.Float},
	{Name: "backoff", Type: value.Float}}

func TestARPA(t *testing.T) {
	got, _, err := formattest.RowsString(&arpa{}, "A comment.\n\n"+arpaFile, gramColumns)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	w, err := codec.NewRowWriter(&arpa{}, &b, gramColumns)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Write(value.FromRows([]value.Type{value.Integer, value.Text, value.Float, value.Float}, got)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if b.String() != arpaFile {
		t.Errorf("what was read is written as\n%s", b.String())
	}
	for want, change := range map[string][2]string{
		"there are 3 n-grams of order 1, the head says 4": {"ngram 1=3", "ngram 1=4"},
		"there are 1 n-grams of order 2, the head says 0": {"ngram 2=1", "ngram 2=0"},
		`"ngram 2=x" is no line such as ngram 2=17`:       {"ngram 2=1", "ngram 2=x"},
		`"ngram 3=1" is no line such as ngram 2=17`:       {"ngram 2=1", "ngram 3=1"},
		`\3-grams: where \2-grams: is wanted`:             {`\2-grams:`, `\3-grams:`},
		`\2-grams: where \end\ is wanted`:                 {"ngram 2=1\n", ""},
		`ends without \end\`:                              {`\end\`, ""},
		"5 values, where a probability, 2 words":          {"<s> a", "<s> a b c"},
		"column log_prob":                                 {"-0.25", "x"},
		"column backoff":                                  {"-0.5", "many"},
	} {
		if _, _, err := formattest.RowsString(&arpa{}, strings.Replace(arpaFile, change[0], change[1], 1),
			gramColumns); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%q for %q: %v, want %q", change[1], change[0], err, want)
		}
	}
	if _, _, err := formattest.RowsString(&arpa{}, arpaFile, gramColumns[:2]); err == nil ||
		!strings.Contains(err.Error(), "no column log_prob") {
		t.Errorf("without a column: %v", err)
	}
}
