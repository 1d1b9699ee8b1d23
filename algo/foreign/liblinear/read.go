// Package liblinear reads and writes models of LIBLINEAR, which are text: a head of lines name value, then the weights,
// a row for each feature.
package liblinear

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"parlance/algo/classify/sparse"
	"parlance/algo/foreign"
	"parlance/algo/option"
)

// Format declares the format.
func Format() foreign.Format {
	return foreign.Format{Name: "liblinear", Doc: "LIBLINEAR, classifiers (solvers 0 to 7): maxent for logistic " +
		"regression (0, 6, 7), svm for the others, over documents of FORMAT svmlight",
		New:   func() foreign.Reader { return &reader{} },
		Write: write}
}

type reader struct {
	lines   *foreign.Lines
	solver  string
	classes int
	m       sparse.Model
}

// Options declares none.
func (r *reader) Options(*option.Set) {}

// The solvers of classifiers, those of logistic regression first.
var (
	logistic = []string{"L2R_LR", "L1R_LR", "L2R_LR_DUAL"}
	margin   = []string{"L2R_L2LOSS_SVC_DUAL", "L2R_L2LOSS_SVC", "L2R_L1LOSS_SVC_DUAL", "MCSVM_CS", "L1R_L2LOSS_SVC"}
	others   = []string{"L2R_L2LOSS_SVR", "L2R_L2LOSS_SVR_DUAL", "L2R_L1LOSS_SVR_DUAL", "ONECLASS_SVM"}
)

// crammerSinger has a column for each of two classes, where the others have one.
const crammerSinger = "MCSVM_CS"

// Read reads a model.
func (r *reader) Read(ctx context.Context, f *foreign.File) (*foreign.Model, error) {
	r.lines = foreign.NewLines(ctx, f.Data)
	r.m.Bias, r.m.Features = -1, -1
	if err := r.head(); err != nil {
		return nil, err
	}
	if err := r.weights(); err != nil {
		return nil, err
	}
	if err := r.m.Check(); err != nil {
		return nil, foreign.Faultf("", "%v", err)
	}
	kind := "svm"
	if r.m.Logistic {
		kind = "maxent"
	}
	return &foreign.Model{Kind: kind, Program: "LIBLINEAR, solver " + r.solver, Encode: r.m.Encode}, nil
}

const wanted = "a model that LIBLINEAR's train has written, which begins with solver_type"

// head reads the lines up to w.
func (r *reader) head() error {
	for {
		line, err := r.lines.Want("the weights")
		if err != nil {
			return err
		}
		name, v, _ := strings.Cut(strings.TrimSpace(line), " ")
		if r.lines.Line() == 1 && name != "solver_type" {
			return r.lines.Faultf(wanted, "%q is no head of a model", foreign.Short(line))
		}
		switch name {
		case "w":
			return r.complete()
		case "solver_type":
			err = r.setSolver(v)
		case "nr_class":
			r.classes, err = r.lines.Number(v, "number of classes", 2, max(2, r.lines.Left()))
		case "label":
			r.m.Labels = strings.Fields(v)
		case "nr_feature":
			r.m.Features, err = r.lines.Number(v, "number of features", 0, r.lines.Left())
		case "bias":
			r.m.Bias, err = r.lines.Weight(v)
		default:
			err = r.lines.Faultf("solver_type, nr_class, label, nr_feature, bias and w", "%q is no line of the head",
				foreign.Short(line))
		}
		if err != nil {
			return err
		}
	}
}

func (r *reader) setSolver(v string) error {
	r.solver = v
	r.m.Logistic = slices.Contains(logistic, v)
	switch {
	case slices.Contains(others, v):
		return r.lines.Faultf("classifiers: "+strings.Join(slices.Concat(logistic, margin), ", "),
			"a model of %s gives numbers, not labels", v)
	case !r.m.Logistic && !slices.Contains(margin, v):
		return r.lines.Faultf("one of "+strings.Join(slices.Concat(logistic, margin), ", "), "%q is no solver",
			foreign.Short(v))
	}
	return nil
}

// complete checks that the head has what it needs. Files whose label has no name lack the line label.
func (r *reader) complete() error {
	switch {
	case r.classes == 0 || r.m.Features < 0:
		return r.lines.Faultf("", "the head has no line nr_class, or none nr_feature")
	case len(r.m.Labels) != r.classes:
		return r.lines.Faultf("a line such as label 1 -1", "%d labels for %d classes", len(r.m.Labels), r.classes)
	}
	r.m.Columns = r.classes
	if r.classes == 2 && r.solver != crammerSinger {
		r.m.Columns = 1
	}
	return nil
}

// weights reads a row for each feature, and one for the bias where there is one.
func (r *reader) weights() error {
	rows := r.m.Features
	if r.m.Bias >= 0 {
		rows++
	}
	if rows > r.lines.Left()/(2*r.m.Columns)+1 {
		return r.lines.Faultf("the file was cut short, or the head is wrong", "%d rows of %d weights, and the file has %d "+
			"bytes more", rows, r.m.Columns, r.lines.Left())
	}
	r.m.Weights = make([]float64, 0, rows*r.m.Columns)
	for i := range rows {
		line, err := r.lines.Want(fmt.Sprintf("row %d of %d of the weights", i+1, rows))
		if err != nil {
			return err
		}
		n := 0
		for field := range strings.FieldsSeq(line) {
			w, err := r.lines.Weight(field)
			if err != nil {
				return err
			}
			r.m.Weights = append(r.m.Weights, w)
			n++
		}
		if n != r.m.Columns {
			return r.lines.Faultf("", "%d weights in a row, %d are wanted", n, r.m.Columns)
		}
		if err := r.lines.Ended(); err != nil {
			return err
		}
	}
	for {
		line, ok := r.lines.Next()
		if !ok {
			return nil
		}
		if strings.TrimSpace(line) != "" {
			return r.lines.Faultf("", "%q follows the last of the %d rows", foreign.Short(line), rows)
		}
	}
}
