package entityresolver

import (
	"cmp"
	"context"
	"iter"
	"math"
	"slices"
	"sync"

	"parlance/algo/kind"
	"parlance/algo/resolve/record"
	"parlance/storage/value"
)

func column(name string, t value.Type, doc string) kind.Column {
	return kind.Column{Name: name, Type: t, Doc: doc}
}

var (
	entitiesRows = kind.Relation{Name: "entities",
		Doc: "records with the entity that they are, which has the name of its first record",
		Columns: []kind.Column{column("record", value.Text, "id"), column("entity", value.Text,
			"id of the first record of the entity"),
			column("prob", value.Float,
				"share of the sampled states in which other records of the entity are with it, of an entity of one "+
					"in which it is alone; NULL without samples"),
			column("size", value.Integer, "records of the entity")}}
	pairsRows = kind.Relation{Name: "pairs",
		Doc: "pairs of records that are of one entity, or were in a sampled state; those of a record where it is given",
		Columns: []kind.Column{column("record", value.Text, "id"), column("other", value.Text, "id of a later record"),
			column("prob", value.Float,
				"share of the sampled states in which both are of one entity; NULL without samples"),
			column("same", value.Boolean, "whether they are of one entity"),
			column("error", value.Float, "standard error of prob: from the chains where there are several, else "+
				"from batches of samples; NULL where there are too few")},
		Args: []kind.Arg{{Name: "record", Type: value.Text, Optional: true, Doc: "id of a record"}}}
	attributeRows = kind.Relation{Name: "entity_attributes",
		Doc: "the values of the records of each entity, the most frequent first",
		Columns: []kind.Column{column("entity", value.Text, "id of the first record of the entity"), column("attribute",
			value.Text, "column"),
			column("value", value.Text, "value"), column("records", value.Integer, "records with it"), column("rank",
				value.Integer, "from 1")},
		Args: []kind.Arg{{Name: "entity", Type: value.Text, Optional: true, Doc: "id of any record of an entity"}}}
	treeRows = kind.Relation{Name: "tree",
		Doc: "the tree of each entity: entities, sub-entities and records; of model = layered also super-entities",
		Columns: []kind.Column{column("entity", value.Text, "id of the first record of the tree"), column("node",
			value.Integer, "number of the node"),
			column("parent", value.Integer, "number of its parent, NULL of a root"), column("depth", value.Integer,
				"steps from the root"),
			column("record", value.Text, "id of a leaf, NULL of others")}}
	sweepRows = kind.Relation{Name: "sweeps", Doc: "what the sampler did, sweep by sweep of all blocks",
		Columns: []kind.Column{column("sweep", value.Integer, "from 1"), column("temperature", value.Float,
			"temperature"),
			column("proposals", value.Integer, "proposed changes"), column("accepted", value.Integer,
				"those that were made"),
			column("factors", value.Integer,
				"factors evaluated in it, in the first sweep those of matrices, too; a product with the sum of an "+
					"entity is one"),
			column("score", value.Float,
				"log score of the state, less that of the first one; an estimate from sampled factors")}}
	convergenceRows = kind.Relation{Name: "convergence",
		Doc: "how sure the samples are: means over the sampled states of what a state is as a whole; without samples " +
			"of the state that was found",
		Columns: []kind.Column{column("quantity", value.Text,
			"score: log score of the state less that of the first one; entities: their number"),
			column("mean", value.Float, "mean over the samples"),
			column("error", value.Float, "its standard error: from the chains where there are several, else from "+
				"batches of samples; NULL where there are too few"),
			column("rhat", value.Float, "potential scale reduction of the chains: near 1 where they agree, above 1.1 "+
				"they are too short; NULL for one chain"),
			column("chains", value.Integer, "chains"), column("samples", value.Integer, "sampled states of each")}}
	blocksRows = kind.Relation{Name: "blocks",
		Doc: "which records were compared: the blocks that keys of blocking make, the largest first",
		Columns: []kind.Column{column("block", value.Integer, "from 1"), column("key", value.Text, "its first key"),
			column("keys", value.Integer, "different keys"),
			column("records", value.Integer, "records"), column("largest", value.Integer,
				"records of its largest key"), column("entities", value.Integer, "entities found")}}
	compareRows = kind.Relation{Name: "compare",
		Doc: "why two records are taken for one entity or not: the features of the pair; the sum of the products is " +
			"its score",
		Columns: []kind.Column{column("feature", value.Text, "column and feature, or bias"), column("value",
			value.Float, "how far it holds of the pair"),
			column("weight", value.Float, "weight"), column("product", value.Float, "what it adds to the score")},
		Args: []kind.Arg{{Name: "record", Type: value.Text, Doc: "id of a record"}, {Name: "other", Type: value.Text,
			Doc: "id of another"}}}
	weightsRows = kind.Relation{Name: "weights", Doc: "the weights of the features of pairs, and the bias",
		Columns: []kind.Column{column("feature", value.Text, "column and feature"), column("weight", value.Float,
			"weight")}}
)

// relations are what the model answers.
var relations = []kind.Relation{entitiesRows, pairsRows, attributeRows, treeRows, sweepRows,
	convergenceRows, blocksRows,
	weightsRows, compareRows}

// Open opens a relation.
func (m *model) Open(ctx context.Context, name string, args []value.Value, _ *kind.Run) (kind.Rows, error) {
	switch name {
	case entitiesRows.Name:
		return kind.RowsOf(entitiesRows, m.entityRows()), nil
	case pairsRows.Name:
		return m.pairs(args[0])
	case attributeRows.Name:
		return m.attributes(args[0])
	case treeRows.Name:
		return kind.RowsOf(treeRows, m.treeRows()), nil
	case sweepRows.Name:
		return kind.RowsOf(sweepRows, m.sweepRows()), nil
	case convergenceRows.Name:
		return kind.RowsOf(convergenceRows, m.convergenceRows()), nil
	case blocksRows.Name:
		return kind.RowsOf(blocksRows, m.blockRows()), nil
	case compareRows.Name:
		return m.compare(ctx, args)
	case weightsRows.Name:
		return kind.RowsOf(weightsRows, m.weightRows()), nil
	}
	return nil, kind.ErrNoRelation
}

// members lists the records of each entity, by its first record.
func (m *model) members() map[uint32][]int32 {
	out := map[uint32][]int32{}
	for i, l := range m.labels {
		out[l] = append(out[l], int32(i))
	}
	return out
}

func real(x float64) value.Value {
	if math.IsNaN(x) {
		return value.Value{}
	}
	return value.Real(x)
}

func (m *model) entityRows() iter.Seq[[]value.Value] {
	return func(yield func([]value.Value) bool) {
		size := make([]int32, len(m.labels))
		for _, l := range m.labels {
			size[l]++
		}
		prob := m.membership(size)
		for i, l := range m.labels {
			if !yield([]value.Value{value.Str(m.ids[i]), value.Str(m.ids[l]), real(prob[i]),
				value.Int(int64(size[l]))}) {
				return
			}
		}
	}
}

// membership is how much the samples agree with the entity of each record: the mean share of its other records that
// are with it, and of an entity of one how often it is alone.
func (m *model) membership(size []int32) []float64 {
	out := make([]float64, len(m.labels))
	for _, s := range m.samples {
		together := map[[2]uint32]int32{} // records of an entity in an entity of the sample
		alone := make([]int32, len(s))
		for i, l := range s {
			together[[2]uint32{m.labels[i], l}]++
			alone[l]++
		}
		for i, l := range s {
			if n := size[m.labels[i]]; n > 1 {
				out[i] += float64(together[[2]uint32{m.labels[i], l}]-1) / float64(n-1)
			} else if alone[l] == 1 {
				out[i]++
			}
		}
	}
	for i := range out {
		out[i] /= float64(len(m.samples)) // NaN without samples
	}
	return out
}

// connected lists the records that states connect, groups by their first record.
func (m *model) connected() [][]int32 {
	root := slices.Clone(m.labels)
	find := func(i uint32) uint32 {
		for root[i] != i {
			root[i] = root[root[i]]
			i = root[i]
		}
		return i
	}
	for _, s := range m.samples {
		for i, l := range s {
			a, b := find(uint32(i)), find(l)
			if a < b {
				root[b] = a
			} else {
				root[a] = b
			}
		}
	}
	var out [][]int32
	at := map[uint32]int{}
	for i := range root {
		r := find(uint32(i))
		k, ok := at[r]
		if !ok {
			k = len(out)
			at[r] = k
			out = append(out, nil)
		}
		out[k] = append(out[k], int32(i))
	}
	return out
}

// attributes lists the values of entities.
func (m *model) attributes(name value.Value) (kind.Rows, error) {
	members := m.members()
	var order []uint32
	if !name.IsNull() {
		at := slices.Index(m.ids, name.S)
		if at < 0 {
			return nil, &kind.Unknown{What: "record", Name: name.S, Known: m.ids}
		}
		order = append(order, m.labels[at])
	} else {
		for i, l := range m.labels {
			if int(l) == i {
				order = append(order, l)
			}
		}
	}
	return kind.RowsOf(attributeRows, func(yield func([]value.Value) bool) {
		for _, e := range order {
			for c, name := range m.Info.Columns {
				for rank, v := range m.counted(members[e], c) {
					row := []value.Value{value.Str(m.ids[e]), value.Str(name), value.Str(v.text), value.Int(int64(v.n)),
						value.Int(int64(rank + 1))}
					if !yield(row) {
						return
					}
				}
			}
		}
	}), nil
}

// countedValue is a value with how many records have it.
type countedValue struct {
	text string
	n    int
}

// counted lists the values of a column, the most frequent first, then the longest.
func (m *model) counted(members []int32, c int) []countedValue {
	n := map[string]int{}
	for _, i := range members {
		if v := m.value(int(i), c); v != "" {
			n[v]++
		}
	}
	var out []countedValue
	for v, k := range n {
		out = append(out, countedValue{v, k})
	}
	slices.SortFunc(out, func(a, b countedValue) int {
		return cmp.Or(cmp.Compare(b.n, a.n), cmp.Compare(len(b.text), len(a.text)), cmp.Compare(a.text, b.text))
	})
	return out
}

// forest is the parents of records and inner nodes: those of trees, else an inner node for each entity.
func (m *model) forest() []uint32 {
	if len(m.parent) > 0 {
		return m.parent
	}
	parent := make([]uint32, len(m.labels))
	for i, l := range m.labels {
		if int(l) == i {
			parent[i] = uint32(len(parent))
			parent = append(parent, uint32(len(parent)))
		} else {
			parent[i] = parent[l]
		}
	}
	return parent
}

func (m *model) treeRows() iter.Seq[[]value.Value] {
	return func(yield func([]value.Value) bool) {
		parent := m.forest()
		root := make([]uint32, len(parent))
		depth := make([]int32, len(parent))
		first := make([]int32, len(parent)) // the first record of a root, plus one
		for i := range parent {
			k, d := uint32(i), int32(0)
			for parent[k] != k {
				k = parent[k]
				d++
			}
			root[i], depth[i] = k, d
			if i < len(m.ids) && first[k] == 0 {
				first[k] = int32(i) + 1
			}
		}
		for i, p := range parent {
			row := []value.Value{value.Value{}, value.Int(int64(i + 1)), value.Value{}, value.Int(int64(depth[i])),
				value.Value{}}
			if f := first[root[i]]; f > 0 {
				row[0] = value.Str(m.ids[f-1])
			}
			if int(p) != i {
				row[2] = value.Int(int64(p) + 1)
			}
			if i < len(m.ids) {
				row[4] = value.Str(m.ids[i])
			}
			if !yield(row) {
				return
			}
		}
	}
}

func (m *model) sweepRows() iter.Seq[[]value.Value] {
	return func(yield func([]value.Value) bool) {
		before, score := m.Info.Built, 0.0
		for i, s := range m.Info.Sweeps {
			factors := before + s.Factors
			before = 0
			score += s.Gain
			if !yield([]value.Value{value.Int(int64(i + 1)), value.Real(s.Temperature), value.Int(s.Proposals),
				value.Int(s.Accepted), value.Int(factors), value.Real(score)}) {
				return
			}
		}
	}
}

func (m *model) blockRows() iter.Seq[[]value.Value] {
	return func(yield func([]value.Value) bool) {
		for i, b := range m.Info.Blocks {
			if !yield([]value.Value{value.Int(int64(i + 1)), value.Str(b.Key), value.Int(int64(b.Keys)),
				value.Int(int64(b.Records)), value.Int(int64(b.Largest)), value.Int(int64(b.Entities))}) {
				return
			}
		}
	}
}

// compare lists the features of a pair.
func (m *model) compare(ctx context.Context, args []value.Value) (kind.Rows, error) {
	var at [2]int32
	for k, a := range args {
		i := slices.Index(m.ids, a.S)
		if i < 0 {
			return nil, &kind.Unknown{What: "record", Name: a.S, Known: m.ids}
		}
		at[k] = int32(i)
	}
	s, err := m.store(ctx)
	if err != nil {
		return nil, err
	}
	f := s.Products().Features(nil, at[0], at[1])
	return kind.RowsOf(compareRows, func(yield func([]value.Value) bool) {
		for i, v := range f {
			if v != 0 && !yield([]value.Value{value.Str(m.Info.Features[i]), value.Real(v), value.Real(m.weights[i]),
				value.Real(v * m.weights[i])}) {
				return
			}
		}
		yield([]value.Value{value.Str("bias"), value.Real(-1), value.Real(m.Info.Bias), value.Real(-m.Info.Bias)})
	}), nil
}

// vectors are those of the records, made when they are first asked for.
type vectors struct {
	sync.Mutex
	store *record.Store
}

// store is the vectors of the records.
func (m *model) store(ctx context.Context) (*record.Store, error) {
	m.vectors.Lock()
	defer m.vectors.Unlock()
	if m.vectors.store != nil {
		return m.vectors.store, nil
	}
	s, err := m.vectorsOf(ctx, nil, false)
	m.vectors.store = s
	return s, err
}

func (m *model) weightRows() iter.Seq[[]value.Value] {
	return func(yield func([]value.Value) bool) {
		for i, f := range m.Info.Features {
			if !yield([]value.Value{value.Str(f), value.Real(m.weights[i])}) {
				return
			}
		}
		yield([]value.Value{value.Str("bias"), value.Real(m.Info.Bias)})
	}
}
