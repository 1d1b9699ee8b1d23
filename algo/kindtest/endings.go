package kindtest

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"parlance/algo/kind"
	"parlance/algo/testutil/testtime"
	"parlance/algo/text"
	"parlance/storage/value"
)

// Whoever cancels a statement waits for it to end for at most this long.
const mostWait = time.Second

// largeInputs trains, annotates and reads relations on inputs that take long, and cancels in the middle of the longest
// step: all of it must end within a second. With PARLANCE_LARGE in the environment, inputs are as large as clients may
// send them, sentences of 2,000 tokens and documents of a million, which takes up to half a minute for each case; with
// PARLANCE_LARGE=only nothing else of the contract is tested.
func largeInputs(t *testing.T, c Case) {
	in := longInputs{tokens: 300, whole: 5000, rows: 2000, time: 100 * time.Millisecond}
	if os.Getenv("PARLANCE_LARGE") != "" {
		in = longInputs{tokens: 2000, whole: 1_000_000, rows: 100_000, time: 2 * time.Second}
	}
	if c.Tables != nil {
		now := c
		now.Tables = manyRows(c.Tables, in.rows)
		in.train(t, c, now, "long table")
		return
	}
	for _, x := range []struct {
		name   string
		tokens int
		as     shape
	}{
		{"flat sentence", in.tokens, flat}, {"long sentence", in.tokens, oneSentence},
		{"long document", in.whole, sentences},
	} {
		now, m := c, fresh(t, c)
		now.Train = large(m, c.Train, x.tokens, x.as)
		in.train(t, c, now, x.name)
		if len(c.Test) > 0 {
			all := large(m, c.gold, x.tokens, x.as)
			in.annotate(t, c, asked(m.Schema(), all[len(c.gold):]), x.name)
		}
	}
}

// longInputs says how long inputs are.
type longInputs struct {
	tokens, whole, rows int           // of a sentence, of a document, of a table
	time                time.Duration // after which each step is cancelled
}

// train trains on the input of a case until it is cancelled. Then it reads the relations of the model, or of that of
// the small case if the training did not end.
func (in longInputs) train(t *testing.T, small, c Case, name string) {
	t.Helper()
	var m kind.Model
	err := in.ends(t, "TRAIN on a "+name, func(ctx context.Context) error {
		m = fresh(t, c)
		return m.Train(ctx, training(c))
	})
	if err != nil {
		m = trained(t, small, 1)
	}
	for _, q := range c.allQueries(m) {
		in.ends(t, fmt.Sprintf("%s%v of a model of a %s", q.Relation, q.Args, name), func(ctx context.Context) error {
			_, _, err := rowsOf(ctx, c, m, q.Relation, q.Args)
			return err
		})
	}
}

// annotate annotates with the model of the case.
func (in longInputs) annotate(t *testing.T, c Case, docs []*text.Document, name string) {
	t.Helper()
	m := trained(t, c, 1)
	in.ends(t, "annotation of a "+name, func(ctx context.Context) error {
		for _, u := range units(m, views(docs)) {
			if err := m.Annotate(ctx, u, c.run(true, 0)); err != nil {
				return err
			}
		}
		return nil
	})
}

// allQueries are the relations that need no arguments, and those with the arguments of the case.
func (c Case) allQueries(m kind.Model) (out []Query) {
	for _, r := range m.Schema().Relations {
		if !wantsArgument(r) {
			out = append(out, Query{Relation: r.Name, Args: make([]value.Value, len(r.Args))})
		}
	}
	return append(out, c.Queries...)
}

// ends runs a step under a context that ends after the time, and once more, if it went for long without a look at its
// context, under one that ends in the middle of that.
func (in longInputs) ends(t *testing.T, what string, step func(context.Context) error) error {
	t.Helper()
	p := newProbe(in.time)
	err := p.run(t, what, step)
	from, gap := p.longest()
	if gap > testtime.Allow(mostWait)/2 {
		again := newProbe(from + gap/5)
		_ = again.run(t, fmt.Sprintf("%s (cancelled after %s, in a step of %s)", what, from+gap/5, gap), step)
	}
	return err
}

// probe is a context that ends after a time, and notes when it is looked at.
type probe struct {
	context.Context
	cancel context.CancelFunc
	after  time.Duration

	mu      sync.Mutex
	start   time.Time
	last    time.Duration // when it was looked at last, from the start
	from    time.Duration // when the longest time without a look began
	gap     time.Duration
	stopped bool
}

func newProbe(after time.Duration) *probe {
	ctx, cancel := context.WithCancel(background)
	return &probe{Context: ctx, cancel: cancel, after: after}
}

// Err notes the look.
func (p *probe) Err() error {
	p.look()
	return p.Context.Err()
}

// Done notes the look.
func (p *probe) Done() <-chan struct{} {
	p.look()
	return p.Context.Done()
}

func (p *probe) look() {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Since(p.start)
	if gap := now - p.last; gap > p.gap && !p.stopped {
		p.from, p.gap = p.last, gap
	}
	p.last = now
}

// longest is when the longest time without a look began, and how long it was.
func (p *probe) longest() (from, gap time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.from, p.gap
}

// run runs a step and measures how long it goes on after its context has ended.
func (p *probe) run(t *testing.T, what string, step func(context.Context) error) (err error) {
	t.Helper()
	p.start = time.Now()
	done := make(chan struct{})
	go func() {
		defer close(done)
		err = guarded(func() error { return step(p) })
		p.look()
	}()
	defer p.cancel()
	select {
	case <-done:
		return err
	case <-time.After(p.after):
	}
	p.look()
	p.mu.Lock()
	p.stopped = true
	p.mu.Unlock()
	p.cancel()
	w, most := testtime.Start(), testtime.Allow(mostWait)
	stack := ""
	for {
		select {
		case <-done:
			if stack != "" {
				t.Errorf("%s goes on for %s after it was cancelled:\n%s", what, w.Took(), stack)
			}
			return err
		case <-time.After(most / 20):
		}
		switch took := w.Took(); {
		case took > 20*most:
			t.Fatalf("%s does not end, %s after it was cancelled:\n%s", what, took, stack)
		case took > most && stack == "":
			stack = whereIs()
		}
	}
}

// whereIs lists the goroutines that are in code of kinds, their calls one a line.
func whereIs() string {
	all := make([]byte, 1<<20)
	all = all[:runtime.Stack(all, true)]
	var out strings.Builder
	for _, g := range strings.Split(string(all), "\n\n") {
		if !strings.Contains(g, "kindtest.guarded") {
			if !strings.Contains(g, "parlance/algo/") || strings.Contains(g, "kindtest.") {
				continue
			}
		}
		lines := strings.Split(g, "\n")
		for i := 1; i+1 < len(lines) && i < 40; i += 2 {
			call, _, _ := strings.Cut(lines[i], "(0x")
			place := strings.TrimSpace(lines[i+1])
			if k := strings.LastIndex(place, "/"); k >= 0 {
				place = place[k+1:]
			}
			fmt.Fprintf(&out, "\t%s %s\n", call, place)
		}
		out.WriteByte('\n')
	}
	return out.String()
}

// manyRows repeats the rows of tables, with other texts in each copy.
func manyRows(tables map[string][][]value.Value, least int) map[string][][]value.Value {
	out := map[string][][]value.Value{}
	for name, rows := range tables {
		list := rows
		for n := 1; len(rows) > 0 && len(list) < least; n++ {
			for _, row := range rows {
				other := make([]value.Value, len(row))
				for i, v := range row {
					if other[i] = v; v.T == value.Text && i != 1 {
						other[i] = value.Str(fmt.Sprintf("%s%d", v.S, n))
					}
				}
				list = append(list, other)
			}
		}
		out[name] = list
	}
	return out
}
