package picture

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"parlance/storage/format/codec"
	"parlance/storage/format/draw"
	"parlance/storage/value"
)

// traceRows gathers the progress of a training: rows of step and objective, of and note and held_out where they are
// there.
// A stage begins where steps begin again, or where there are other ones to come.
type traceRows struct {
	step, of, note int   // columns, -1 for none
	lines          []int // columns that are plots
	names          []string
	stages         []stage
	metric         int // column that says what held_out is
	measured       string
}

// stage is a part of a training.
type stage struct {
	of    value.Value
	step  []float64
	lines [][]float64
	notes []string
}

// newTraceRows is nil where columns are others.
func newTraceRows(columns []codec.Column) *traceRows {
	at := func(name string) int {
		return slices.IndexFunc(columns, func(c codec.Column) bool { return c.Name == name })
	}
	t := &traceRows{step: at("step"), of: at("of"), note: at("note"), metric: at("metric")}
	for _, name := range []string{"objective", "held_out"} {
		if i := at(name); i >= 0 && columns[i].Type == value.Float {
			t.lines, t.names = append(t.lines, i), append(t.names, name)
		}
	}
	if t.step < 0 || columns[t.step].Type != value.Integer || len(t.lines) == 0 {
		return nil
	}
	for _, c := range columns {
		if !slices.Contains([]string{"step", "of", "note", "objective", "held_out", "gap", "active", "metric", "seconds"},
			c.Name) {
			return nil
		}
	}
	return t
}

func (t *traceRows) add(row []value.Value) {
	x, of := realOf(row[t.step]), value.Value{}
	if t.of >= 0 {
		of = row[t.of]
	}
	if k := len(t.stages) - 1; k < 0 || x < t.stages[k].step[len(t.stages[k].step)-1] || of != t.stages[k].of {
		t.stages = append(t.stages, stage{of: of, lines: make([][]float64, len(t.lines))})
	}
	s := &t.stages[len(t.stages)-1]
	s.step = append(s.step, x)
	for k, i := range t.lines {
		s.lines[k] = append(s.lines[k], realOf(row[i]))
	}
	if t.note >= 0 && !row[t.note].IsNull() {
		s.notes = append(s.notes, row[t.note].String())
	}
	if t.metric >= 0 && !row[t.metric].IsNull() {
		t.measured = row[t.metric].String()
	}
}

// name is what the notes of a stage have in common; the last may say why it ended.
func (s *stage) name(number int) string {
	if len(s.notes) == 0 {
		return fmt.Sprint("stage ", number)
	}
	name := s.notes[0]
	for _, n := range s.notes[1:max(1, len(s.notes)-1)] {
		if n != name {
			name, _, _ = strings.Cut(name, ",")
			name, _, _ = strings.Cut(name, ":")
			break
		}
	}
	return name
}

// plots are the objective and the score of held-out data, where there are some; a line a stage.
func (t *traceRows) plots() (out []*draw.Plot) {
	for k, y := range t.names {
		p := &draw.Plot{X: "step", Y: y, Whole: true}
		if y == "held_out" && t.measured != "" {
			p.Y = "held-out " + t.measured
		}
		used := map[string]int{}
		for i := range t.stages {
			s := &t.stages[i]
			if !slices.ContainsFunc(s.lines[k], func(v float64) bool { return !math.IsNaN(v) }) {
				continue
			}
			name := s.name(i + 1)
			if used[name]++; used[name] > 1 {
				name += fmt.Sprintf(" (%d)", used[name])
			}
			p.Series = append(p.Series, draw.Series{Name: name, X: s.step, Y: s.lines[k]})
		}
		if len(p.Series) > 0 || k == 0 && len(t.names) == 1 {
			out = append(out, p)
		}
	}
	if out == nil {
		out = append(out, &draw.Plot{X: "step", Y: t.names[0]})
	}
	return out
}
