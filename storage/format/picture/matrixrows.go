package picture

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"parlance/storage/format/codec"
	"parlance/storage/format/draw"
	"parlance/storage/value"
)

// matrixRows gathers counts of what was taken for what: rows of gold, predicted and n, or those of EVALUATE whose
// metric is
// confusion.
type matrixRows struct {
	gold, predicted, n   int
	metric               int // -1 for rows of counts
	golds, predictedOnes []string
	counts               []int
	rows                 int
}

// newMatrixRows is nil where columns are others.
func newMatrixRows(columns []codec.Column) *matrixRows {
	at := func(name string, types ...value.Type) int {
		return slices.IndexFunc(columns, func(c codec.Column) bool {
			return c.Name == name &&
				slices.Contains(types, c.Type)
		})
	}
	m := &matrixRows{gold: at("gold", value.Text, value.Null), predicted: at("predicted", value.Text, value.Null),
		metric: -1}
	for _, name := range []string{"n", "count"} {
		if m.n = at(name, value.Integer); min(m.gold, m.predicted, m.n) >= 0 {
			return m
		}
	}
	m.metric, m.gold, m.n = at("metric", value.Text), at("label", value.Text), at("value", value.Float)
	if min(m.metric, m.gold, m.n) < 0 {
		return nil
	}
	return m
}

func (m *matrixRows) add(row []value.Value) error {
	m.rows++
	name := func(i int) string {
		if row[i].IsNull() {
			return ""
		}
		return row[i].String()
	}
	if m.metric < 0 {
		m.pair(name(m.gold), name(m.predicted), int(row[m.n].Int()))
		return nil
	}
	if name(m.metric) != "confusion" || row[m.n].IsNull() {
		return nil
	}
	gold, predicted, ok := strings.Cut(name(m.gold), ">")
	if !ok {
		return fmt.Errorf("the label %s of a confusion is not gold>predicted", name(m.gold))
	}
	m.pair(gold, predicted, int(row[m.n].Float()))
	return nil
}

func (m *matrixRows) pair(gold, predicted string, n int) {
	m.golds, m.predictedOnes, m.counts = append(m.golds, gold), append(m.predictedOnes, predicted), append(m.counts, n)
}

func (m *matrixRows) matrix() (*draw.Matrix, error) {
	if len(m.counts) == 0 && m.rows > 0 {
		return nil, errors.New("these rows hold no counts of what was taken for what; EVALUATE … WITH (confusion = true) " +
			"adds them")
	}
	return draw.NewMatrix(m.golds, m.predictedOnes, m.counts), nil
}
