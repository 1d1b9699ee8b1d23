package liblinear

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strconv"

	"parlance/algo/classify/sparse"
	"parlance/algo/foreign"
	"parlance/algo/kind"
)

// numbered is a linear classifier of numbered features, those of a classifier that was trained here by its names.
func numbered(m kind.Model) (*sparse.Model, error) {
	const hint = "maxent and linear svm that classify documents can be written so"
	if s, ok := m.(interface{ Foreign() *sparse.Model }); ok && s.Foreign() != nil {
		return s.Foreign(), nil
	}
	s, ok := m.(interface{ Named() (*sparse.Named, error) })
	if !ok {
		return nil, &foreign.Refusal{Msg: "its kind is no linear classifier", Hint: hint}
	}
	n, err := s.Named()
	if err != nil {
		return nil, &foreign.Refusal{Msg: err.Error(), Hint: hint}
	}
	return n.Numbered(), nil
}

// write writes a linear classifier of numbered features.
func write(ctx context.Context, w io.Writer, m kind.Model) error {
	x, err := numbered(kind.Unwrap(m))
	if err != nil {
		return err
	}
	if x.Kernel.Name != "" {
		return &foreign.Refusal{Msg: "it is made of support vectors with the kernel " + x.Kernel.Name +
			", and LIBLINEAR has weights of features"}
	}
	solver := "L2R_L2LOSS_SVC"
	switch {
	case x.Logistic:
		solver = "L2R_LR"
	case len(x.Labels) == 2 && x.Columns == 2:
		solver = crammerSinger
	}
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "solver_type %s\nnr_class %d\nlabel", solver, len(x.Labels))
	for _, l := range x.Labels {
		if _, err := strconv.Atoi(l); err != nil {
			return &foreign.Refusal{Msg: "the label " + l + " is no whole number, as labels of LIBLINEAR are"}
		}
		out.WriteString(" " + l)
	}
	fmt.Fprintf(out, "\nnr_feature %d\nbias %.17g\nw\n", x.Features, x.Bias)
	for i, v := range x.Weights {
		fmt.Fprintf(out, "%.17g ", v)
		if (i+1)%x.Columns == 0 {
			out.WriteByte('\n')
			if err := ctx.Err(); err != nil {
				return err
			}
		}
	}
	return out.Flush()
}
