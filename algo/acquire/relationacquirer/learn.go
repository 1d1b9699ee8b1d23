package relationacquirer

import (
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"slices"

	"parlance/algo/acquire/tuples"
	"parlance/algo/classify/svm/solver"
	"parlance/algo/kind"
	"parlance/algo/text"
)

// example is a candidate that the machine learns from.
type example struct {
	pair
	positive bool
	doc      string
	sent     int
	draw     uint64 // orders examples at random
	features []string
}

// harvest is the examples of some documents.
type harvest struct {
	good, bad []example
	sentences int
}

// gather makes training data: of each sort those that are drawn first, samples at most.
func (m *model) gather(ctx context.Context, t *kind.Training, top map[pair]bool) (good, bad []example, err error) {
	sentences := 0
	err = each(ctx, t, m.opt.ReaderOptions, func(r *tuples.Reader, d *text.Document, h *harvest) {
		var x scan
		for s := range kind.While(ctx, r.Sentences(d)) {
			h.sentences++
			if m.look(s, &x) {
				m.examplesOf(&x, d.ID, top, t.Seed, h)
			}
		}
	}, func(h *harvest) {
		good, bad = m.cut(append(good, h.good...)), m.cut(append(bad, h.bad...))
		sentences += h.sentences
	})
	switch {
	case err != nil:
		return nil, nil, err
	case sentences == 0:
		return nil, nil, fmt.Errorf("%w: no sentence has dependencies; a parser writes them: TRAIN depparser or "+
			"transition_parser, then TRAIN relation_acquirer … USING its name", kind.ErrNoData)
	case len(good) == 0 || len(bad) == 0:
		return nil, nil,
			fmt.Errorf("%w: of %d sentences %d have a pair of the first stage and a partial pattern, which makes %d "+
				"negative examples; the text that the first stage was trained on is wanted, and more of it",
				kind.ErrNoData, sentences,
				len(good), len(bad))
	}
	return good, bad, nil
}

// examplesOf makes the examples of a sentence.
func (m *model) examplesOf(x *scan, doc string, top map[pair]bool, seed uint64, h *harvest) {
	m.candidates(x, "both", func(a, b int) {
		if !top[pair{x.nouns[a], x.nouns[b]}] {
			return
		}
		draw := drawn(seed, doc, x.Number, x.Nouns[a], x.Nouns[b])
		h.good = append(h.good, m.example(x, a, b, doc, draw, true))
		if a, b, ok := exchange(x, a, b, draw, top); ok {
			h.bad = append(h.bad, m.example(x, a, b, doc, draw, false))
		}
	})
}

func (m *model) example(x *scan, a, b int, doc string, draw uint64, positive bool) example {
	e := example{pair: pair{x.nouns[a], x.nouns[b]}, positive: positive, doc: doc, sent: x.Number, draw: draw}
	m.describe(x, a, b, func(f string) { e.features = append(e.features, f) })
	slices.Sort(e.features)
	e.features = slices.Compact(e.features)
	return e
}

// exchange takes another noun of the sentence in place of the one that matches no partial pattern, where the other one
// does. There is no such pair if both match, or the one that is drawn is among the first pairs.
func exchange(x *scan, a, b int, draw uint64, top map[pair]bool) (int, int, bool) {
	ofX, ofY := x.match[0][a] != nil, x.match[1][b] != nil
	if ofX == ofY {
		return 0, 0, false
	}
	var others []int
	for k, n := range x.nouns {
		if k != a && k != b && n != x.nouns[a] && n != x.nouns[b] {
			others = append(others, k)
		}
	}
	if len(others) == 0 {
		return 0, 0, false
	}
	k := others[rand.New(rand.NewPCG(draw, 1)).IntN(len(others))]
	if ofX {
		b = k
	} else {
		a = k
	}
	return a, b, !top[pair{x.nouns[a], x.nouns[b]}]
}

// drawn is a random number of a place, the same whatever else is read.
func drawn(seed uint64, doc string, place ...int) uint64 {
	h := fnv.New64a()
	b := binary.LittleEndian.AppendUint64(nil, seed)
	for _, p := range place {
		b = binary.LittleEndian.AppendUint64(b, uint64(p))
	}
	h.Write(append(b, doc...))
	return rand.NewPCG(h.Sum64(), seed).Uint64()
}

// cut keeps the examples that are drawn first.
func (m *model) cut(list []example) []example {
	slices.SortFunc(list, func(a, b example) int {
		return cmp.Or(cmp.Compare(a.draw, b.draw), cmp.Compare(a.doc, b.doc), cmp.Compare(a.sent, b.sent),
			cmp.Compare(a.source, b.source), cmp.Compare(a.target, b.target))
	})
	return list[:min(len(list), m.opt.samples)]
}

// learn trains the machine.
func (m *model) learn(ctx context.Context, good, bad []example) error {
	m.examples = append(slices.Clone(good), bad...)
	m.features = nil
	total := 0
	for _, e := range m.examples {
		m.features = append(m.features, e.features...)
		total += len(e.features)
	}
	slices.Sort(m.features)
	m.features = slices.Clone(slices.Compact(m.features))
	m.index()
	x := &solver.Rows{Width: len(m.features), Offsets: []uint32{0}}
	var y []int8
	var ids []uint32
	for i, e := range m.examples {
		from := len(x.Columns)
		for _, f := range e.features {
			x.Columns = append(x.Columns, m.number[f])
		}
		slices.Sort(x.Columns[from:])
		x.Offsets, ids, y = append(x.Offsets, uint32(len(x.Columns))), append(ids, uint32(i)), append(y, -1)
		if e.positive {
			y[i] = 1
		}
		m.examples[i].features = nil
	}
	// Features are 0 or 1; γ is such that an example of the usual length has a product of 1 with itself.
	m.gamma = float64(len(m.examples)) / float64(total)
	machine := solver.Machine{Kernel: m.kernel(), C: m.opt.c, Epsilon: 1e-3, Shrinking: true, Cache: 256 << 20}
	found, err := machine.Train(ctx, x, ids, y, solver.NewColumnMap(x.Width))
	if err != nil {
		return err
	}
	var support []uint32
	m.beta, m.bias = nil, found.B
	for i, b := range found.Coef {
		if b != 0 {
			support, m.beta = append(support, uint32(i)), append(m.beta, b)
		}
	}
	m.pool = solver.NewPool(m.kernel(), x.Select(support))
	return ctx.Err()
}

func (m *model) kernel() solver.Kernel {
	return solver.Kernel{Shape: solver.Polynomial, Degree: m.opt.degree, Gamma: m.gamma, Coef0: 1}
}

// index numbers the features.
func (m *model) index() {
	m.number = make(map[string]uint32, len(m.features))
	for i, f := range m.features {
		m.number[f] = uint32(i)
	}
}

// score is f(x) = Σ β_i·K(x_i, x) + b.
func (m *model) score(q *solver.Query, features []uint32) float64 {
	m.pool.Kernels(q, features, nil)
	sum := m.bias
	for i, k := range q.Values {
		sum += m.beta[i] * k
	}
	return sum
}
