package format

import (
	"slices"
	"testing"

	"parlance/storage/format/codec"
	"parlance/storage/format/formattest"
	"parlance/storage/value"
)

// TestBlanksWithinWords reads words that hold no-break and ideographic spaces, and writes them back.
func TestBlanksWithinWords(t *testing.T) {
	const nb, wide = "1\u00a0000", "日\u3000本"
	for format, file := range map[string]string{
		"conll": nb + " B-X\n" + wide + " O\n\n",
		"m2":    "S " + nb + " " + wide + "\n\n",
		"brown": nb + "/cd " + wide + "/nn\n",
		"conll2012": "#begin document (a); part 000\na 0 0 " + nb + " CD * - - - - * -\na 0 1 " + wide +
			" NN * - - - - * -\n\n#end document\n",
		"pfr": "19980101-01-001-001/m  " + nb + "/m  " + wide + "/n\n",
	} {
		c := suite.Configure(t, format)
		got, err := formattest.ReadString(c, file, 1)
		if err != nil {
			t.Errorf("%s: %v", format, err)
			continue
		}
		forms := got.Docs[0].Layer("tokens").Strs("form")
		if len(forms) > 2 { // of a paragraph's number
			forms = forms[len(forms)-2:]
		}
		if !slices.Equal(forms, []string{nb, wide}) {
			t.Errorf("%s: tokens %q", format, forms)
		}
		if f, _ := Lookup(format); f.WritesDocuments() {
			formattest.Written(t, c, got.Docs) // without an error
		}
	}
}

// TestBlanksOfRows keeps such spaces in n-grams and phrases.
func TestBlanksOfRows(t *testing.T) {
	rows, _, err := formattest.RowsString(suite.Configure(t, "arpa"),
		"\\data\\\nngram 1=3\n\n\\1-grams:\n-1\t<s>\t0\n-0.3\t1\u00a0000\n-0.3\t</s>\n\n\\end\\\n",
		[]codec.Column{{Name: "ngram", Type: value.Text}, {Name: "log_prob", Type: value.Float},
			{Name: "backoff", Type: value.Float}})
	if err != nil || len(rows) != 3 || rows[1][0].S != "1\u00a0000" {
		t.Errorf("%v, %v", rows, err)
	}
	rows, _, err = formattest.RowsString(suite.Configure(t, "gazetteer"), "1\u00a0000\u3000\tN\n",
		[]codec.Column{{Name: "phrase", Type: value.Text}, {Name: "label", Type: value.Text}})
	if err != nil || len(rows) != 1 || rows[0][0].S != "1\u00a0000\u3000" {
		t.Errorf("%v, %v", rows, err)
	}
}
