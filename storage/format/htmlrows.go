package format

import (
	"fmt"
	"io"
	"strings"

	"parlance/algo/text"
	"parlance/storage/format/draw"
	"parlance/storage/value"
)

func (h *picturePage) begin(w io.Writer, columns []Column) error {
	if h.pictures && h.rows.layer(columns, true) {
		h.rows.emit = func(d *text.Document) error { return h.document(w, d) }
		return nil
	}
	var b strings.Builder
	h.head(&b)
	h.inTable = true
	b.WriteString("<div class=\"scroll\"><table>\n<thead><tr>")
	for _, c := range columns {
		b.WriteString(heading(c))
	}
	b.WriteString("</tr></thead>\n<tbody>\n")
	_, err := io.WriteString(w, b.String())
	return err
}

func (h *picturePage) row(w io.Writer, columns []Column, row []value.Value) error {
	if !h.inTable {
		return h.rows.add(row)
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

func numeric(t value.Type) bool { return t == value.Integer || t == value.Float }

func heading(c Column) string {
	if numeric(c.Type) {
		return fmt.Sprintf(`<th class="num">%s</th>`, draw.Escape(c.Name))
	}
	return fmt.Sprintf("<th>%s</th>", draw.Escape(c.Name))
}

func cell(c Column, v value.Value) string {
	switch {
	case v.IsNull():
		return `<td class="null">NULL</td>`
	case numeric(c.Type):
		return fmt.Sprintf(`<td class="num">%s</td>`, draw.Escape(v.String()))
	}
	return fmt.Sprintf("<td>%s</td>", draw.Escape(v.String()))
}
