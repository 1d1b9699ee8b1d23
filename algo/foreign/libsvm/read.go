// Package libsvm reads models of LIBSVM, which are text: a head of lines name value, then the support vectors, each
// with its coefficients.
package libsvm

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
	return foreign.Format{Name: "libsvm", Doc: "LIBSVM, classifiers (c_svc and nu_svc) with the kernels linear, " +
		"polynomial, rbf and sigmoid: svm over documents of FORMAT svmlight", New: func() foreign.Reader { return &reader{} }}
}

type reader struct {
	lines   *foreign.Lines
	typ     string
	decide  string
	classes int
	total   int
	m       sparse.Model
}

// Options declares the options.
func (r *reader) Options(s *option.Set) {
	s.Choice(&r.decide, "decide", "votes", []string{"votes", "probability"}, "the label is that with most votes of the "+
		"pairs, as svm-predict gives it, or the most probable one, as with -b 1")
}

const wanted = "a model that svm-train has written, which begins with svm_type"

// Read reads a model.
func (r *reader) Read(ctx context.Context, f *foreign.File) (*foreign.Model, error) {
	r.lines = foreign.NewLines(ctx, f.Data)
	r.m.Bias = -1
	if err := r.head(); err != nil {
		return nil, err
	}
	if err := r.vectors(); err != nil {
		return nil, err
	}
	if err := r.m.Check(); err != nil {
		return nil, foreign.Faultf("", "%v", err)
	}
	if r.m.ByProb = r.decide == "probability"; r.m.ByProb && r.m.ProbA == nil {
		return nil, foreign.Faultf("train it with svm-train -b 1, or leave decide out",
			"the model has no lines probA and probB, and so no probabilities")
	}
	return &foreign.Model{Kind: "svm", Program: "LIBSVM, " + r.typ + " with the kernel " + r.m.Kernel.Name,
		Encode: r.m.Encode}, nil
}

// head reads the lines up to SV.
func (r *reader) head() error {
	for {
		line, err := r.lines.Want("the support vectors")
		if err != nil {
			return err
		}
		name, v, _ := strings.Cut(strings.TrimSpace(line), " ")
		if r.lines.Line() == 1 && name != "svm_type" {
			return r.lines.Faultf(wanted, "%q is no head of a model", foreign.Short(line))
		}
		if name == "SV" {
			return r.complete()
		}
		if err := r.line(name, v); err != nil {
			return err
		}
	}
}

func (r *reader) line(name, v string) (err error) {
	switch name {
	case "svm_type":
		if r.typ = v; v != "c_svc" && v != "nu_svc" {
			err = r.lines.Faultf("c_svc or nu_svc", "a model of the type %s gives no labels", foreign.Short(v))
		}
	case "kernel_type":
		if r.m.Kernel.Name = v; !slices.Contains(sparse.Kernels, v) {
			err = r.lines.Faultf("one of "+strings.Join(sparse.Kernels, ", "), "%q is no kernel that is served",
				foreign.Short(v))
		}
	case "degree":
		r.m.Kernel.Degree, err = r.lines.Number(v, "degree", 0, 1<<20)
	case "gamma":
		r.m.Kernel.Gamma, err = r.lines.Weight(v)
	case "coef0":
		r.m.Kernel.Coef0, err = r.lines.Weight(v)
	case "nr_class":
		r.classes, err = r.lines.Number(v, "number of classes", 2, max(2, r.lines.Left()))
	case "total_sv":
		r.total, err = r.lines.Number(v, "number of support vectors", 0, r.lines.Left())
	case "rho":
		r.m.Rho, err = r.numbers(v)
	case "probA":
		r.m.ProbA, err = r.numbers(v)
	case "probB":
		r.m.ProbB, err = r.numbers(v)
	case "label":
		r.m.Labels = strings.Fields(v)
	case "nr_sv":
		for f := range strings.FieldsSeq(v) {
			n, err := r.lines.Number(f, "number of support vectors", 0, r.lines.Left())
			if err != nil {
				return err
			}
			r.m.Counts = append(r.m.Counts, n)
		}
	default:
		err = r.lines.Faultf("svm_type, kernel_type, degree, gamma, coef0, nr_class, total_sv, rho, label, probA, probB, "+
			"nr_sv and SV", "%q is no line of the head", foreign.Short(name))
	}
	return err
}

func (r *reader) numbers(v string) (out []float64, err error) {
	for f := range strings.FieldsSeq(v) {
		x, err := r.lines.Weight(f)
		if err != nil {
			return nil, err
		}
		out = append(out, x)
	}
	return out, nil
}

func (r *reader) complete() error {
	pairs := int64(r.classes) * int64(r.classes-1) / 2
	switch {
	case r.typ == "" || r.m.Kernel.Name == "" || r.classes == 0:
		return r.lines.Faultf("", "the head has no line svm_type, kernel_type or nr_class")
	case len(r.m.Labels) != r.classes || len(r.m.Counts) != r.classes:
		return r.lines.Faultf("", "%d labels and %d numbers nr_sv for %d classes", len(r.m.Labels), len(r.m.Counts),
			r.classes)
	case int64(len(r.m.Rho)) != pairs:
		return r.lines.Faultf("", "%d numbers rho, %d classes have %d pairs", len(r.m.Rho), r.classes, pairs)
	}
	return nil
}

// vectors reads lines of classes − 1 coefficients and pairs index:value.
func (r *reader) vectors() error {
	r.m.Start = []uint32{0}
	var v sparse.Vector
	for i := range r.total {
		line, err := r.lines.Want(fmt.Sprintf("support vector %d of %d", i+1, r.total))
		if err == nil {
			err = r.lines.Ended()
		}
		if err != nil {
			return err
		}
		rest := strings.TrimLeft(line, " ")
		for range r.classes - 1 {
			field, after, _ := strings.Cut(rest, " ")
			w, err := r.lines.Weight(field)
			if err != nil {
				return err
			}
			r.m.Coef, rest = append(r.m.Coef, w), after
		}
		if err := v.Parse(rest); err != nil {
			return r.lines.Faultf("coefficients, then pairs such as 3:0.5", "%v", err)
		}
		r.m.Index, r.m.Value = append(r.m.Index, v.Index...), append(r.m.Value, v.Value...)
		r.m.Start = append(r.m.Start, uint32(len(r.m.Index)))
	}
	for {
		line, ok := r.lines.Next()
		if !ok {
			return nil
		}
		if strings.TrimSpace(line) != "" {
			return r.lines.Faultf("", "%q follows the last of the %d support vectors", foreign.Short(line), r.total)
		}
	}
}
