package picture

import (
	"fmt"
	"io"
	"strings"

	"parlance/algo/text"
	"parlance/storage/format/codec"
	"parlance/storage/format/draw"
	"parlance/storage/value"
)

func (h *picturePage) Begin(w io.Writer, columns []codec.Column) error {
	if h.pictures && h.rows.layer(columns, true) {
		h.rows.emit = func(d *text.Document) error { return h.Document(w, d) }
		return nil
	}
	var b strings.Builder
	h.head(&b)
	h.inTable = true
	if h.pictures {
		h.pictured(columns)
	}
	if h.folded {
		b.WriteString("<details><summary>rows</summary>\n")
	}
	b.WriteString("<div class=\"scroll\"><table>\n<thead><tr>")
	for _, c := range columns {
		b.WriteString(heading(c))
	}
	b.WriteString("</tr></thead>\n<tbody>\n")
	_, err := io.WriteString(w, b.String())
	return err
}

func (h *picturePage) Row(w io.Writer, columns []codec.Column, row []value.Value) error {
	if !h.inTable {
		return h.rows.add(row)
	}
	switch {
	case h.matrix != nil:
		if err := h.matrix.add(row); err != nil {
			return err
		}
	case h.plot != nil:
		if err := h.plot.add(row); err != nil {
			return err
		}
	}
	var b strings.Builder
	b.WriteString("<tr>")
	for i, v := range row {
		b.WriteString(cell(columns[i], v))
	}
	b.WriteString("</tr>\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// pictured finds what rows of a table are drawn as besides: counts of what was taken for what, or the curves of a
// training.
func (h *picturePage) pictured(columns []codec.Column) {
	if h.matrix = newMatrixRows(columns); h.matrix != nil {
		h.folded = h.matrix.metric < 0 // EVALUATE has more than counts
		return
	}
	if t := newTraceRows(columns); t != nil {
		h.plot, h.folded = &plotRows{columns: columns, trace: t}, true
	}
}

// top draws what belongs above the table.
func (h *picturePage) top(b *strings.Builder) {
	if h.folded {
		b.WriteString("</details>\n")
	}
	var list []draw.Figure
	if h.matrix != nil && len(h.matrix.counts) > 0 {
		if m, err := h.matrix.matrix(); err == nil {
			list = append(list, m.Figure())
		}
	}
	if h.plot != nil && h.plot.n > 0 {
		for _, p := range h.plot.plots() {
			list = append(list, p.Figure(h.lines))
		}
	}
	for _, f := range list {
		fmt.Fprintf(b, "<figure class=\"top\">%s</figure>\n", f.Inline())
	}
}

func numeric(t value.Type) bool { return t == value.Integer || t == value.Float }

func heading(c codec.Column) string {
	if numeric(c.Type) {
		return fmt.Sprintf(`<th class="num">%s</th>`, draw.Escape(c.Name))
	}
	return fmt.Sprintf("<th>%s</th>", draw.Escape(c.Name))
}

func cell(c codec.Column, v value.Value) string {
	switch {
	case v.IsNull():
		return `<td class="null">NULL</td>`
	case numeric(c.Type):
		return fmt.Sprintf(`<td class="num">%s</td>`, draw.Escape(v.String()))
	}
	return fmt.Sprintf("<td>%s</td>", draw.Escape(v.String()))
}
