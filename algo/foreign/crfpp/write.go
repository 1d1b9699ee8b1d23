package crfpp

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"

	"parlance/algo/foreign"
	"parlance/algo/kind"
	"parlance/algo/seq/external"
)

// write writes a chain whose templates are those of CRF++ as text, of which crf_learn -C makes a binary model.
func write(ctx context.Context, w io.Writer, m kind.Model) error {
	x, err := foreign.TemplatesOf(m, external.CRFPP, "CRF++")
	if err != nil {
		return err
	}
	type placed struct {
		external.Row
		size, id int
	}
	var rows []placed
	l, next, columns := len(x.Labels), 0, 0
	for _, r := range x.Unigrams() {
		rows = append(rows, placed{r, l, 0})
	}
	for _, r := range x.Bigrams() {
		rows = append(rows, placed{r, l * l, 0})
	}
	slices.SortFunc(rows, func(a, b placed) int { return cmp.Compare(a.Name, b.Name) })
	for i := range rows {
		rows[i].id = next
		next += rows[i].size
	}
	for _, t := range x.Templates {
		columns = max(columns, external.TemplateColumns(external.CRFPP, t))
	}
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "version: 100\ncost-factor: 1\nmaxid: %d\nxsize: %d\n\n", next, columns)
	for _, list := range [][]string{x.Labels, x.Templates} {
		for _, s := range list {
			fmt.Fprintln(out, s)
		}
		fmt.Fprintln(out)
	}
	for _, r := range rows {
		fmt.Fprintf(out, "%d %s\n", r.id, r.Name)
	}
	fmt.Fprintln(out)
	for _, r := range rows {
		if err := ctx.Err(); err != nil {
			return err
		}
		k := 0
		for i := range uint32(r.size) {
			v := 0.0
			if k < len(r.At) && r.At[k] == i {
				v = r.Weights[k]
				k++
			}
			fmt.Fprintf(out, "%.17g\n", v)
		}
	}
	return out.Flush()
}
