package wapiti

import (
	"strconv"
	"strings"
	"testing"

	"parlance/algo/foreign/foreigntest"
	"parlance/algo/kindtest"
	"parlance/algo/seq/crf"
)

// answers are the lines of Wapiti's output: of each sentence the labels, and the numbers after the last slash.
func answers(t *testing.T, path string) (labels [][]string, scores [][]float64) {
	for _, s := range strings.Split(strings.TrimSpace(foreigntest.File(t, path)), "\n\n") {
		var names []string
		var values []float64
		for _, line := range strings.Split(s, "\n")[1:] {
			f := strings.Split(line, "\t")
			cut := strings.LastIndexByte(f[len(f)-1], '/')
			x, err := strconv.ParseFloat(f[len(f)-1][cut+1:], 64)
			if err != nil {
				t.Fatal(err)
			}
			names, values = append(names, f[len(f)-1][:cut]), append(values, x)
		}
		labels, scores = append(labels, names), append(scores, values)
	}
	return labels, scores
}

// TestEqualsWapiti: labels are the best ones of wapiti label; marginals are those of -p where it chose the same label,
// within its six decimals. For memm it prints other probabilities.
func TestEqualsWapiti(t *testing.T) {
	for _, name := range []string{"crf", "memm", "maxent"} {
		m := foreigntest.Must(t, Format(), crf.Kind(), "testdata/"+name+".model", kindtest.Arg("layer", "upos"))
		got, prob := foreigntest.Labels(t, m, foreigntest.Documents(t, "testdata/test.txt", "form", "xpos"), "upos")
		want, _ := answers(t, "testdata/"+name+".labels")
		posterior, scores := answers(t, "testdata/"+name+".posterior")
		compared := 0
		for i := range want {
			for k := range want[i] {
				if got[i][k] != want[i][k] {
					t.Errorf("%s, sentence %d, token %d: %s, want %s", name, i+1, k+1, got[i][k], want[i][k])
				}
				if name == "memm" || posterior[i][k] != got[i][k] {
					continue
				}
				if compared++; !foreigntest.Near(prob[i][k], scores[i][k], 6e-7) {
					t.Errorf("%s, sentence %d, token %d: %g, want %g", name, i+1, k+1, prob[i][k], scores[i][k])
				}
			}
		}
		if name != "memm" && compared < 50 {
			t.Errorf("%s: only %d probabilities were compared", name, compared)
		}
	}
}

// TestRefusals: what is wrong is told with its line.
func TestRefusals(t *testing.T) {
	good := foreigntest.File(t, "testdata/crf.model")
	with := func(old, new string) string {
		if !strings.Contains(good, old) {
			t.Fatalf("no %q", old)
		}
		return strings.Replace(good, old, new, 1)
	}
	lines := strings.Split(strings.TrimSpace(good), "\n")
	last := lines[len(lines)-1]
	index, _, _ := strings.Cut(last, "=")
	for _, c := range [][2]string{
		{"", "the file ends here, and the head would follow"},
		{"version: 100\n", "line 1: \"version: 100\" is no head"},
		{with("#mdl#2#", "#mdl#7#"), "\"7\" is no type of a model"},
		{with("#mdl#2#", "#mdl#2#99999999"), "number of weights"},
		{with("#rdr#8/", "#rdr#0/"), "the model has no patterns"},
		{with("#rdr#8/", "#rdr#99999999/"), "number of patterns"},
		{with("11:u00", "12:u00"), "not followed by a comma"},
		{with("11:u00", "99999999:u00"), "bytes, and the file has"},
		{with("11:u00", "x1:u00"), "line 3: a pattern does not begin with its length"},
		{with("%x[ 1,1]", "%y[ 1,1]"), "without x[offset,column]"},
		{with("1:O,", "0:,"), "label 2 has no name"},
		{with("5:I-PER,", "5:I-LOC,"), "the label I-LOC comes twice"},
		{with(last, index+"=nan"), "\"nan\" is no weight"},
		{with(last, "-1=0x1p+0"), "index of a weight"},
		{with(last, "99999999=0x1p+0"), "belongs to no observation"},
		{with(last, lines[len(lines)-2]), "comes twice"},
		{with(last, "17"), "is no weight"},
		{good + "1=0x1p+0\n", "follows the last"},
	} {
		foreigntest.Refuses(t, Format(), crf.Kind(), c[0], c[1])
	}
	foreigntest.Refuses(t, Format(), crf.Kind(), good, "reads column 1, counted from 0, and columns names 1: form",
		kindtest.Arg("columns", "form"))
	foreigntest.Truncated(t, Format(), crf.Kind(), good, 61, func(n int) bool { return n == len(good)-1 })
}
