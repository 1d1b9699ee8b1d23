package crfpp

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"

	"parlance/algo/foreign"
	"parlance/algo/kind"
	"parlance/algo/seq/external"
)

// write writes a chain by templates of CRF++ as text, of which crf_learn -C makes a binary model.
func write(ctx context.Context, w io.Writer, m kind.Model) error {
	x, err := foreign.TemplatesOf(m, external.CRFPP, "CRF++")
	if err != nil {
		return err
	}
	type placed struct {
		external.Row
		size, id int
	}
	rows := make([]placed, 0, len(x.Unigrams)+len(x.Bigrams))
	l, next := len(x.Labels), 0
	for _, r := range x.Unigrams {
		rows = append(rows, placed{r, l, 0})
	}
	for _, r := range x.Bigrams {
		rows = append(rows, placed{r, l * l, 0})
	}
	slices.SortFunc(rows, func(a, b placed) int { return cmp.Compare(a.Name, b.Name) })
	for i := range rows {
		rows[i].id = next
		next += rows[i].size
	}
	if next == 0 {
		return &foreign.Refusal{Msg: "it has no weights, and CRF++ reads no such model"}
	}
	if next > math.MaxInt32 {
		return &foreign.Refusal{Msg: fmt.Sprintf("it takes %d weights, one for each label, and CRF++ has numbers of 32 bits",
			next)}
	}
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "version: 100\ncost-factor: 1\nmaxid: %d\nxsize: %d\n\n", next, max(1, x.Columns))
	for _, list := range [][]string{x.Labels, x.Templates} {
		for _, s := range list {
			if len(s) > longestLine {
				return tooLong(s)
			}
			fmt.Fprintln(out, s)
		}
		fmt.Fprintln(out)
	}
	var line []byte
	for _, r := range rows {
		line = append(strconv.AppendInt(line[:0], int64(r.id), 10), ' ')
		line = append(append(line, r.Name...), '\n')
		if len(line) > longestLine {
			return tooLong(r.Name)
		}
		out.Write(line)
	}
	out.WriteByte('\n')
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
			line = append(strconv.AppendFloat(line[:0], v, 'g', 17, 64), '\n')
			out.Write(line)
		}
	}
	return out.Flush()
}

// longestLine is of how many bytes a line is at most that CRF++ reads, its end included.
const longestLine = 8191

func tooLong(s string) error {
	return &foreign.Refusal{Msg: fmt.Sprintf("%s makes a line of more than %d bytes, which CRF++ does not read",
		foreign.Short(s), longestLine)}
}
