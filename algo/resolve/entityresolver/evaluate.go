package entityresolver

import (
	"context"
	"errors"
	"fmt"

	"parlance/algo/kind"
	"parlance/algo/metrics"
)

// Evaluate compares the entities of records with gold. Records of the table alone count, on both sides; one that the
// model does not know is an entity of its own.
func (m *model) Evaluate(ctx context.Context, in kind.Input, run *kind.Run) ([]metrics.Metric, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	table, ok := in.Table(recordsTable)
	if !ok {
		return nil, errors.New("the input has no table of records")
	}
	index := m.index()
	var key, response []int32
	names, found := map[string]int32{}, map[int32]int32{}
	unknown, n := 0, 0
	for row, err := range table.Rows(ctx) {
		if err != nil {
			return nil, err
		}
		n++
		if row[0].IsNull() || row[1].IsNull() {
			continue
		}
		if _, ok := names[row[1].S]; !ok {
			names[row[1].S] = int32(len(names))
		}
		e := int32(-1) - int32(n)
		if i, ok := index.Find(row[0].S); ok {
			e = int32(m.labels[i])
		} else {
			unknown++
		}
		if _, ok := found[e]; !ok {
			found[e] = int32(len(found))
		}
		key, response = append(key, names[row[1].S]), append(response, found[e])
	}
	if len(key) == 0 {
		return nil, fmt.Errorf("%w: no record has an entity to compare with", kind.ErrNoData)
	}
	if unknown > 0 {
		run.Tell(plural(unknown, "record") + " of the gold table are unknown to the model and count as entities of one")
	}
	return metrics.Clusters(key, response, 1), nil
}
