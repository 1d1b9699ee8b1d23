package crfpp

import (
	"reflect"
	"strconv"
	"strings"
	"testing"

	"parlance/algo/foreign/foreigntest"
	"parlance/algo/kindtest"
	"parlance/algo/seq/crf"
	"parlance/algo/seq/external"
)

// TestEqualsCRFPP: labels are those of crf_test, and marginals within its six decimals of float32 sums.
func TestEqualsCRFPP(t *testing.T) {
	m := foreigntest.Must(t, Format(), crf.Kind(), "testdata/model.txt", kindtest.Arg("layer", "upos"))
	labels, prob := foreigntest.Labels(t, m, foreigntest.Documents(t, "testdata/test.txt", "form", "xpos"), "upos")
	for i, s := range strings.Split(strings.TrimSpace(foreigntest.File(t, "testdata/expected")), "\n\n") {
		for k, line := range strings.Split(s, "\n")[1:] {
			f := strings.Split(line, "\t")
			want, p, _ := strings.Cut(f[3], "/")
			x, err := strconv.ParseFloat(p, 64)
			if err != nil {
				t.Fatal(err)
			}
			if labels[i][k] != want || !foreigntest.Near(prob[i][k], x, 1e-6) {
				t.Errorf("sentence %d, %s: %s %g, want %s %g", i+1, f[0], labels[i][k], prob[i][k], want, x)
			}
		}
	}
}

// TestSpans: labels of spans become spans, and columns may be named otherwise.
func TestSpans(t *testing.T) {
	m := foreigntest.Must(t, Format(), crf.Kind(), "testdata/model.txt",
		foreigntest.List("columns", "form", "upos"), kindtest.Arg("layer", "segments"))
	docs := foreigntest.Documents(t, "testdata/test.txt", "form", "upos")
	foreigntest.Labels(t, m, docs, "form")
	n := 0
	for _, d := range docs {
		n += d.Layer("segments").N
	}
	if want := strings.Count(foreigntest.File(t, "testdata/test.txt"), " B-"); n < want-4 || n > want+4 {
		t.Errorf("%d spans, about %d are gold", n, want)
	}
}

// TestRefusals: what is wrong is told with its line.
func TestRefusals(t *testing.T) {
	good := foreigntest.File(t, "testdata/model.txt")
	lines := strings.Split(good, "\n")
	with := func(old, new string) string {
		if !strings.Contains(good, old) {
			t.Fatalf("no %q", old)
		}
		return strings.Replace(good, old, new, 1)
	}
	last := lines[len(lines)-2]
	for _, c := range [][2]string{
		{"", "the file ends here"},
		{"lCRF\x00\x00", "is no line of the head"},
		{"version: 100\n\n", "has no line maxid"},
		{with("version: 100", "version: 99"), "line 1: \"99\" is no version"},
		{with("maxid: ", "maxid: 9999999999"), "number of weights"},
		{with("maxid: ", "maxid: -1"), "number of weights"},
		{with("xsize: 2", "xsize: 1"), "reads column 1, and xsize is 1"},
		{with("U02:%x[1,1]", "U02:%x[+1,1]"), "without x[row,col]"},
		{with("U02:%x[1,1]", "U02:100%"), "without x[row,col]"},
		{with("U02:%x[1,1]", "X02"), "neither with U nor with B"},
		{with("\nO\n", "\n\n"), ""},
		{with("\nI-PER\n", "\nO\n"), "the label O comes twice"},
		{with(last+"\n", "NaN\n"), "\"NaN\" is no weight"},
		{with(last+"\n", "1e999\n"), "is no weight"},
		{with(last+"\n", last+"\n1.5\n"), "follows the last"},
		{with("\n0 ", "\n0 U00:more\n0 "), "have more weights than maxid"},
		{with("\n0 ", "\n99999 "), "is no id of a feature"},
		{with("\n0 ", "\nx "), "is no id of a feature"},
	} {
		foreigntest.Refuses(t, Format(), crf.Kind(), c[0], c[1])
	}
	foreigntest.Refuses(t, Format(), crf.Kind(), good, "reads column 1, counted from 0, and columns names 1: form",
		kindtest.Arg("columns", "form"))
	foreigntest.Refuses(t, Format(), crf.Kind(), good, "the templates read xpos", kindtest.Arg("layer", "xpos"))
	foreigntest.Truncated(t, Format(), crf.Kind(), good, 97, func(n int) bool { return n == len(good)-1 })
}

// TestPlaces: weights are found by the ids of the features, which come in any order, leave gaps and may overlap.
func TestPlaces(t *testing.T) {
	const file = "version: 100\ncost-factor: 1\nmaxid: 10\nxsize: 1\n\nA\nB\n\nU00:%x[0,0]\n\n" +
		"2 U00:a\n1 U00:b\n7 U00:c\n\n10\n11\n12\n13\n14\n15\n16\n17\n18\n19\n"
	m, err := foreigntest.Model(Format(), crf.Kind(), file, kindtest.Arg("layer", "upos"))
	if err != nil {
		t.Fatal(err)
	}
	x, err := m.(external.Exporter).Export()
	if err != nil {
		t.Fatal(err)
	}
	got := map[string][]float64{}
	for _, r := range x.Foreign.Unigrams() {
		got[r.Name] = r.Weights
	}
	want := map[string][]float64{"U00:a": {12, 13}, "U00:b": {11, 12}, "U00:c": {17, 18}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}
