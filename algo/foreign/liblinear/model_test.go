package liblinear

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"parlance/algo/classify/maxent"
	"parlance/algo/classify/svm"
	"parlance/algo/foreign"
	"parlance/algo/foreign/foreigntest"
	"parlance/algo/kind"
	"parlance/algo/text"
)

// TestEqualsLIBLINEAR: labels are those of liblinear-predict, and probabilities within its six digits.
func TestEqualsLIBLINEAR(t *testing.T) {
	for _, classes := range []int{2, 3} {
		docs := func() []*text.Document {
			return foreigntest.Vectors(t, fmt.Sprintf("testdata/test%d.txt", classes))
		}
		for _, solver := range []int{0, 1, 4, 6} {
			for _, bias := range []int{-1, 1} {
				name := fmt.Sprintf("testdata/lin.%d.%d.%d", classes, solver, bias)
				k, probable := svm.Kind(), solver == 0 || solver == 6
				if probable {
					k = maxent.Kind()
				}
				m := foreigntest.Must(t, Format(), k, name+".model")
				equals(t, m, docs(), foreigntest.File(t, name+".out"), probable)
				var b bytes.Buffer
				if err := write(context.Background(), &b, m); err != nil {
					t.Fatal(err)
				}
				again, err := foreigntest.Model(Format(), k, b.String())
				if err != nil {
					t.Fatal(err)
				}
				equals(t, again, docs(), foreigntest.File(t, name+".out"), probable)
			}
		}
	}
}

func equals(t *testing.T, m kind.Model, docs []*text.Document, out string, probable bool) {
	t.Helper()
	lines := strings.Split(strings.TrimSpace(out), "\n")
	var order []string
	if probable {
		order, lines = strings.Fields(lines[0])[1:], lines[1:]
	}
	if err := m.Annotate(context.Background(), docs, &kind.Run{Prob: probable}); err != nil {
		t.Fatal(err)
	}
	for i, line := range lines {
		f, l := strings.Fields(line), docs[i].Layer(text.Labels.Name)
		if got := l.Strs("label")[0]; got != f[0] {
			t.Errorf("document %d: %s, want %s", i+1, got, f[0])
		}
		if probable {
			p, err := strconv.ParseFloat(f[1+slices.Index(order, f[0])], 64)
			if err != nil || !foreigntest.Near(l.Prob[0], p, 6e-7) {
				t.Errorf("document %d: %g, want %g (%v)", i+1, l.Prob[0], p, err)
			}
		}
	}
}

// TestRefusals: what is wrong is told with its line.
func TestRefusals(t *testing.T) {
	good := foreigntest.File(t, "testdata/lin.3.1.1.model")
	with := func(old, new string) string {
		if !strings.Contains(good, old) {
			t.Fatalf("no %q", old)
		}
		return strings.Replace(good, old, new, 1)
	}
	for _, c := range [][2]string{
		{"", "the file ends here"}, {"svm_type c_svc\n", "line 1: \"svm_type c_svc\" is no head"},
		{with("L2R_L2LOSS_SVC_DUAL", "L2R_L2LOSS_SVR"), "gives numbers, not labels"},
		{with("L2R_L2LOSS_SVC_DUAL", "X"), "is no solver"},
		{with("nr_class 3", "nr_class 4"), "3 labels for 4 classes"},
		{with("nr_class 3\n", ""), "no line nr_class"},
		{with("nr_feature 9", "nr_feature 99999999"), "number of features"},
		{with("nr_feature 9", "nr_feature 8"), "follows the last of the 9 rows"},
		{with("nr_feature 9", "nr_feature 10"), "the file ends here, and row 11 of 11"},
		{with("bias 1", "bias nan"), "is no weight"},
		{with("bias 1", "bias x"), "is no weight"},
		{with("w\n", "w\ninf "), "is no weight"},
		{with("w\n", "w\n1 "), "4 weights in a row, 3 are wanted"},
		{with("label ", "label 5 "), "labels for 3 classes"},
		{with("nr_class", "rho 1\nnr_class"), "is no line of the head"},
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
}

// TestRefusesToWrite: features with names, and kernels, are refused.
func TestRefusesToWrite(t *testing.T) {
	var refused *foreign.Refusal
	if err := write(context.Background(), &bytes.Buffer{}, maxent.Kind().New()); !errors.As(err, &refused) {
		t.Error(err)
	}
}
