package kindtest

import (
	"context"
	"sync"

	"parlance/algo/kind"
	"parlance/algo/option"
	"parlance/algo/text"
)

// Gate holds the trainings and annotations of SlowKind until it is opened or their context ends.
type Gate struct {
	Entered chan string // what has come to the gate: train or annotate
	one     chan struct{}
	open    chan struct{}
	once    sync.Once
}

// NewGate returns a closed gate; n may come to it before somebody reads Entered.
func NewGate(n int) *Gate {
	return &Gate{Entered: make(chan string, n), one: make(chan struct{}), open: make(chan struct{})}
}

// Open lets everything through from now on.
func (g *Gate) Open() { g.once.Do(func() { close(g.open) }) }

// Let waits for one to come and lets it through.
func (g *Gate) Let() {
	<-g.Entered
	g.one <- struct{}{}
}

func (g *Gate) pass(ctx context.Context, what string) error {
	select {
	case g.Entered <- what:
	case <-ctx.Done():
		return ctx.Err()
	case <-g.open:
	}
	select {
	case <-g.one:
	case <-g.open:
	case <-ctx.Done():
	}
	return ctx.Err()
}

// SlowKind labels documents with "slow" and is held by the gate when it trains and annotates.
func SlowKind(g *Gate) kind.Kind {
	return kind.Kind{Name: "slow", Doc: "labels documents when a gate lets it", Revision: 1,
		New: func() kind.Model { return &slow{gate: g} }}
}

type slow struct {
	kind.Base
	gate *Gate
	size int
}

func (m *slow) Options(s *option.Set) {
	s.Int(&m.size, "size", 0, 0, 1<<30, "bytes that the model says it takes in memory")
}

func (m *slow) Schema() kind.Schema {
	return kind.Schema{Reads: []kind.LayerUse{{Layer: "tokens", Columns: []string{"form"}}},
		Writes: []kind.LayerUse{{Layer: "labels"}}, Prob: kind.Marginal}
}

func (m *slow) Train(ctx context.Context, _ *kind.Training) error { return m.gate.pass(ctx, "train") }

func (m *slow) Annotate(ctx context.Context, docs []*text.Document, r *kind.Run) error {
	if err := m.gate.pass(ctx, "annotate"); err != nil {
		return err
	}
	for _, d := range docs {
		label(d, "slow", r.Prob)
	}
	return nil
}

// Bytes returns the option size.
func (m *slow) Bytes() int64 { return int64(m.size) }

func (m *slow) Encode(w *kind.Writer) error { return w.JSON("empty", 0) }

func (m *slow) Decode(r *kind.Reader) error {
	var n int
	return r.JSON("empty", &n)
}
