package picture

import (
	"fmt"
	"math"
	"strings"

	"parlance/storage/format/codec"
	"parlance/storage/format/draw"
	"parlance/storage/value"
)

// plotRows gathers the lines of a plot.
type plotRows struct {
	columns []codec.Column
	lines   []int // columns that are lines
	groups  []int // columns whose values tell lines apart
	across  int   // the column across, -1 for the number of the row
	plot    draw.Plot
	place   map[string]int // of categories
	series  map[string]int
	n       int        // rows
	trace   *traceRows // nil for other rows
}

func newPlotRows(columns []codec.Column) (*plotRows, error) {
	p := &plotRows{columns: columns, place: map[string]int{}, series: map[string]int{}}
	if p.trace = newTraceRows(columns); p.trace != nil {
		return p, nil
	}
	for i, c := range columns {
		switch {
		case i == 0 && (len(columns) > 1 || !numeric(c.Type)):
		case numeric(c.Type):
			p.lines = append(p.lines, i)
		case c.Type == value.Text || c.Type == value.Boolean || c.Type == value.Null:
			p.groups = append(p.groups, i)
		default:
			return nil, fmt.Errorf("a plot cannot show column %s of type %s; FORMAT html writes a table", c.Name, c.Type)
		}
	}
	if len(p.lines) == 0 {
		return nil, fmt.Errorf("a plot needs a numeric column after the first; FORMAT html writes a table")
	}
	if len(columns) == 1 {
		p.across, p.plot.X = -1, "row"
		return p, nil
	}
	p.plot.X, p.plot.Times = columns[0].Name, columns[0].Type == value.Timestamp
	if len(p.lines) == 1 && len(p.groups) > 0 {
		p.plot.Y = columns[p.lines[0]].Name
	}
	return p, nil
}

func (p *plotRows) add(row []value.Value) error {
	p.n++
	if p.trace != nil {
		p.trace.add(row)
		return nil
	}
	x := float64(p.n)
	if p.across >= 0 {
		x = p.x(row[0])
	}
	var group []string
	for _, i := range p.groups {
		if row[i].IsNull() {
			group = append(group, "NULL")
		} else {
			group = append(group, row[i].String())
		}
	}
	for _, i := range p.lines {
		name := p.columns[i].Name
		if len(group) > 0 {
			name = strings.Join(group, " ")
			if len(p.lines) > 1 {
				name += " " + p.columns[i].Name
			}
		}
		k, ok := p.series[name]
		if !ok {
			k = len(p.plot.Series)
			p.series[name] = k
			p.plot.Series = append(p.plot.Series, draw.Series{Name: name})
		}
		s := &p.plot.Series[k]
		s.X, s.Y = append(s.X, x), append(s.Y, realOf(row[i]))
	}
	return nil
}

// realOf is a value as a number, NaN for NULL.
func realOf(v value.Value) float64 {
	switch v.T {
	case value.Integer, value.Timestamp:
		return float64(v.Int())
	case value.Float:
		return v.Float()
	}
	return math.NaN()
}

func (p *plotRows) x(v value.Value) float64 {
	if t := p.columns[0].Type; numeric(t) || t == value.Timestamp {
		return realOf(v)
	}
	name := "NULL"
	if !v.IsNull() {
		name = v.String()
	}
	k, ok := p.place[name]
	if !ok {
		k = len(p.plot.Categories)
		p.place[name] = k
		p.plot.Categories = append(p.plot.Categories, name)
	}
	return float64(k)
}

// plots are what the rows show: one, but for a trace.
func (p *plotRows) plots() []*draw.Plot {
	if p.trace != nil {
		return p.trace.plots()
	}
	return []*draw.Plot{&p.plot}
}
