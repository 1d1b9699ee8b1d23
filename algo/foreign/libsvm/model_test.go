package libsvm

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"parlance/algo/classify/svm"
	"parlance/algo/foreign"
	"parlance/algo/foreign/foreigntest"
	"parlance/algo/kind"
	"parlance/algo/kindtest"
	"parlance/algo/text"
)

// TestEqualsLIBSVM: labels are those of svm-predict with and without -b, and probabilities within its six digits.
func TestEqualsLIBSVM(t *testing.T) {
	for _, classes := range []int{2, 3} {
		for kernel := range 4 {
			name := fmt.Sprintf("testdata/svm.%d.%d", classes, kernel)
			votes := strings.Split(strings.TrimSpace(foreigntest.File(t, name+".votes")), "\n")
			prob := strings.Split(strings.TrimSpace(foreigntest.File(t, name+".prob")), "\n")
			order := strings.Fields(prob[0])[1:]
			for _, decide := range []string{"votes", "probability"} {
				docs := foreigntest.Vectors(t, fmt.Sprintf("testdata/test%d.txt", classes))
				m := foreigntest.Must(t, Format(), svm.Kind(), name+".model", kindtest.Arg("decide", decide))
				if err := m.Annotate(context.Background(), docs, &kind.Run{Prob: true}); err != nil {
					t.Fatal(err)
				}
				for i, d := range docs {
					f, want := strings.Fields(prob[i+1]), votes[i]
					if decide == "probability" {
						want = f[0]
					}
					l := d.Layer(text.Labels.Name)
					got := l.Strs("label")[0]
					p, err := strconv.ParseFloat(f[1+slices.Index(order, got)], 64)
					if got != want || err != nil || !foreigntest.Near(l.Prob[0], p, 6e-7) {
						t.Errorf("%s, %s, document %d: %s %g, want %s %g", name, decide, i+1, got, l.Prob[0], want, p)
					}
				}
			}
		}
	}
}

// TestRefusals: what is wrong is told with its line.
func TestRefusals(t *testing.T) {
	good := foreigntest.File(t, "testdata/svm.3.1.model")
	with := func(old, new string) string {
		if !strings.Contains(good, old) {
			t.Fatalf("no %q", old)
		}
		return strings.Replace(good, old, new, 1)
	}
	for _, c := range [][2]string{
		{"", "the file ends here"}, {"solver_type L2R_LR\n", "is no head of a model"},
		{with("c_svc", "epsilon_svr"), "gives no labels"}, {with("polynomial", "precomputed"), "is no kernel"},
		{with("nr_class 3", "nr_class 2"), "labels and 3 numbers nr_sv for 2 classes"},
		{with("nr_class 3", "nr_class 1"), "is no number of classes"},
		{with("total_sv ", "total_sv 9999999"), "number of support vectors"},
		{with("total_sv ", "total_sv 1"), "the file ends here"},
		{with("rho ", "rho 1 "), "4 numbers rho, 3 classes have 3 pairs"},
		{with("rho ", "rho nan "), "is no weight"},
		{with("nr_sv ", "nr_sv 0 "), "labels and 4 numbers nr_sv"},
		{with("SV\n", "SV\nx "), "\"x\" is no weight"},
		{with("SV\n", "SV\n1 1 0:1 \n"), "is no feature such as 3:0.5"},
		{with("SV\n", "SV\n1 1 2:1 1:1 \n"), "does not rise"},
		{with("gamma", "beta"), "is no line of the head"},
	} {
		foreigntest.Refuses(t, Format(), svm.Kind(), c[0], c[1])
	}
	lines := strings.Split(good, "\n")
	for i := range lines[:len(lines)-1] {
		_, err := foreigntest.Model(Format(), svm.Kind(), strings.Join(lines[:i], "\n")+"\n")
		var e *foreign.Error
		if !errors.As(err, &e) {
			t.Errorf("%d lines: %v", i, err)
		}
	}

	foreigntest.Refuses(t, Format(), svm.Kind(), without(good, "probA", "probB"), "no lines probA and probB",
		kindtest.Arg("decide", "probability"))
}

// without leaves out the lines that begin with some words.
func without(s string, words ...string) string {
	var out []string
	for _, line := range strings.Split(s, "\n") {
		if first, _, _ := strings.Cut(line, " "); !slices.Contains(words, first) {
			out = append(out, line)
		}
	}
	return strings.Join(out, "\n")
}
