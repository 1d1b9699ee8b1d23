package entityresolver

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"parlance/algo/engine/partition"
	"parlance/algo/kind"
	"parlance/algo/resolve/record"
)

// input is what a training works on besides the state.
type input struct {
	m      *model
	store  *record.Store
	blocks []record.Block
	gold   []int32    // entity of each record, -1 for unknown
	must   []int32    // of each record the first record that it must be with; nil for none
	cannot [][2]int32 // records
	said   []said     // links with answers
	index  *record.Index[string]
}

// said is a link.
type said struct {
	a, b int32
	same bool
}

// read gathers the records of the earlier state and of the table, and makes blocks.
func (m *model) read(ctx context.Context, t *kind.Training) (*input, error) {
	in := &input{m: m}
	in.index = m.index()
	m.Info.Columns = m.opt.columns()
	m.Info.Features, m.weights = record.Features(m.opt.attributes), record.Weights(m.opt.attributes)
	m.Info.Bias = m.opt.bias
	if init, ok := t.Init.(*model); ok {
		if err := in.begin(init); err != nil {
			return nil, err
		}
	}
	if err := in.records(ctx, t); err != nil {
		return nil, err
	}
	if len(m.ids) == 0 {
		return nil, fmt.Errorf("%w: there are no records", kind.ErrNoData)
	}
	if err := in.links(ctx, t); err != nil {
		return nil, err
	}
	return in, in.build(ctx, t)
}

// begin takes the records and entities of an earlier state.
func (in *input) begin(init *model) error {
	m := in.m
	at := make([]int, len(m.Info.Columns))
	for c, name := range m.Info.Columns {
		if at[c] = slices.Index(init.Info.Columns, name); at[c] < 0 {
			return fmt.Errorf("init: the model has no column %s; it has %v", name, init.Info.Columns)
		}
	}
	row := make([]string, len(at))
	for i, id := range init.ids {
		for c, k := range at {
			row[c] = init.value(i, k)
		}
		if err := m.add(id, row); err != nil {
			return err
		}
		in.index.Add(int32(i))
		in.gold = append(in.gold, -1)
	}
	m.labels = slices.Clone(init.labels)
	return nil
}

// records reads the table. Records that are known have the values of the earlier state.
func (in *input) records(ctx context.Context, t *kind.Training) error {
	table, ok := t.On.Table(recordsTable)
	if !ok {
		return fmt.Errorf("%w: the input has no table of records", kind.ErrNoData)
	}
	columns := len(in.m.Info.Columns)
	entities := map[string]int32{}
	values := make([]string, columns)
	known, n, twice := len(in.m.ids), 0, 0
	seen := make([]bool, known)
	for row, err := range table.Rows(ctx) {
		if err != nil {
			return err
		}
		n++
		if row[0].IsNull() {
			return fmt.Errorf("row %d of the records has no id", n)
		}
		i, ok := in.index.Find(row[0].S)
		if !ok {
			for c := range values {
				if values[c] = ""; !row[1+c].IsNull() {
					values[c] = row[1+c].S
				}
			}
			i = int32(len(in.m.ids))
			id := strings.Clone(row[0].S) // of the batch nothing stays in memory
			if err := in.m.add(id, values); err != nil {
				return err
			}
			in.index.Add(i)
			in.m.labels, in.gold = append(in.m.labels, uint32(i)), append(in.gold, -1)
		} else if int(i) >= known || seen[i] {
			twice++
			continue
		}
		if int(i) < known {
			seen[i] = true
		}
		if e := row[1+columns]; !e.IsNull() && in.m.opt.weights != "hand" {
			k, ok := entities[e.S]
			if !ok {
				k = int32(len(entities))
				entities[strings.Clone(e.S)] = k
			}
			in.gold[i] = k
		}
	}
	if twice > 0 {
		t.Notice(plural(twice, "row") + " repeated the id of an earlier one and did not count")
	}
	return nil
}

// links reads what people say of pairs.
func (in *input) links(ctx context.Context, t *kind.Training) error {
	role := t.Roles[linksTable]
	if role == nil {
		return nil
	}
	table, ok := role.Table(linksTable)
	if !ok {
		return nil
	}
	var must, cannot [][2]int32
	unknown, example := 0, ""
	for row, err := range table.Rows(ctx) {
		if err != nil {
			return err
		}
		if row[0].IsNull() || row[1].IsNull() || row[2].IsNull() {
			continue
		}
		a, known := in.index.Find(row[0].S)
		b, both := in.index.Find(row[1].S)
		if !known || !both {
			if unknown++; unknown == 1 {
				example = row[0].S + ", " + row[1].S
			}
			continue
		}
		if a == b {
			if !row[2].Bool() {
				return fmt.Errorf("the links say that record %s is not of the entity of itself", row[0].S)
			}
			continue
		}
		in.said = append(in.said, said{a, b, row[2].Bool()})
		if row[2].Bool() {
			must = append(must, [2]int32{a, b})
		} else {
			cannot = append(cannot, [2]int32{a, b})
		}
	}
	if unknown > 0 {
		t.Notice(fmt.Sprintf("%s of records that are not there did not count, such as %s", plural(unknown, "link"),
			example))
	}
	return in.obey(ctx, must, cannot)
}

// obey makes groups of what must be together.
func (in *input) obey(ctx context.Context, must, cannot [][2]int32) error {
	groups, err := partition.Closure(ctx, len(in.m.ids), must, cannot)
	var c *partition.Contradiction
	if errors.As(err, &c) {
		first := c.Conflicts[0]
		chain := in.m.ids[first.Chain[0][0]]
		for _, p := range first.Chain {
			chain += " = " + in.m.ids[p[1]]
		}
		return fmt.Errorf("the links contradict each other: %s and %s are not of one entity, but %s (%s)",
			in.m.ids[first.Cannot[0]], in.m.ids[first.Cannot[1]], chain, plural(len(c.Conflicts), "such pair"))
	}
	if err != nil {
		return err
	}
	in.cannot = cannot
	if len(must) > 0 {
		first := make([]int32, 0, len(groups))
		in.must = groups
		for i, g := range groups {
			if int(g) == len(first) {
				first = append(first, int32(i))
			}
			in.must[i] = first[g]
		}
	}
	return nil
}

// build makes vectors and blocks.
func (in *input) build(ctx context.Context, t *kind.Training) error {
	m := in.m
	in.index = nil
	blocker, keys, at := record.NewBlocker(), []string(nil), map[string]int{}
	blocker.Most = m.opt.canopy
	for c, name := range m.Info.Columns {
		at[name] = c
	}
	without := 0
	for i := range m.ids {
		if i%chunk == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		keys = keys[:0]
		if m.opt.blocking == nil {
			keys = append(keys, "all\x00all records")
		} else {
			m.opt.blocking.Keys(func(c string) string { return m.value(i, at[c]) }, func(k string) {
				keys = append(keys,
					k)
			})
		}
		if len(keys) == 0 {
			without++
		}
		blocker.Add(keys)
	}
	dropped := 0
	in.blocks, dropped = blocker.Blocks(in.mustPairs())
	var err error
	if in.store, err = m.vectorsOf(ctx, in.order(), m.opt.weights == "hand"); err != nil {
		return err
	}
	in.tell(t, without, dropped)
	for _, b := range in.blocks {
		m.Info.Blocks = append(m.Info.Blocks, blockInfo{Key: b.Key, Records: len(b.Items), Keys: b.Distinct,
			Largest: b.Biggest})
	}
	return nil
}

// mustPairs are pairs that tie records which must be together.
func (in *input) mustPairs() (out [][2]int32) {
	for i, first := range in.must {
		if int(first) != i {
			out = append(out, [2]int32{first, int32(i)})
		}
	}
	return out
}

// order lays records of a block side by side.
func (in *input) order() []int32 {
	out := make([]int32, 0, len(in.m.ids))
	placed := make([]bool, len(in.m.ids))
	for _, b := range in.blocks {
		out = append(out, b.Items...)
		for _, i := range b.Items {
			placed[i] = true
		}
	}
	for i, p := range placed {
		if !p {
			out = append(out, int32(i))
		}
	}
	return out
}

// tell says what blocking does.
func (in *input) tell(t *kind.Training, without, dropped int) {
	if without > 0 {
		t.Notice(plural(without, "record") + " have no key of blocking and stay alone")
	}
	if dropped > 0 {
		t.Notice(fmt.Sprintf("%s of more than max_block = %d records not used", plural(dropped, "key"),
			in.m.opt.canopy))
	}
	if len(in.blocks) == 0 && len(in.m.ids) > 1 {
		t.Notice("blocking lets no two records be compared: each is an entity of its own")
	}
	for _, b := range in.blocks[:min(1, len(in.blocks))] {
		if len(b.Items) > 10000 {
			t.Notice(fmt.Sprintf("the largest block has %d records (%s); a narrower key in blocking compares fewer",
				len(b.Items), b.Key))
		}
	}
}
