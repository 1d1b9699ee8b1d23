package count

import (
	"context"
	"errors"
	"os"
	"sync"
)

// Options bound a counter.
type Options struct {
	Memory  int            // bytes, about; 0: 128 MB. Half is for what is not yet sorted, half for runs
	Workers int            // that sort and merge at once, 1 at least
	Keys    int            // keys that are expected, so that no buffer grows in steps; 0: not known
	Folder  string         // of temporary files; "": that of the system
	Report  func(Progress) // of sorted buffers and of merges; may be nil. Calls do not overlap

	create func() (*os.File, error) // of temporary files, for tests
	fanIn  int
}

// Progress is how far a counter is.
type Progress struct {
	Rows       int64 // that are in runs
	Merged, Of int64 // rows of the merge at hand; Of is 0 while keys are added
}

// Counter counts keys. Writers add them; when all are closed, counts can be read, as often as wanted, saved and loaded.
// Writers may be at work at once; all else is for one goroutine.
type Counter[K Key] struct {
	codec    *codec[K]
	workers  int
	limit    int // bytes of keys of a writer
	expected int // keys
	fanIn    int
	newSpool func() *spool
	progress *progress
	slots    chan struct{} // one for each buffer that is sorted aside
	sorting  sync.WaitGroup

	mu    sync.Mutex
	open  int // writers
	err   error
	spool *spool
	runs  []run[K]
	tail  list[K] // what a writer had when it closed
	free  [][]K   // buffers to use again
}

const defaultMemory = 128 << 20

// leastBytes is what a writer gathers at least.
const leastBytes = 4 << 10

// New returns an empty counter. Close frees what it holds.
func New[K Key](o Options) *Counter[K] {
	if o.Memory <= 0 {
		o.Memory = defaultMemory
	}
	if o.fanIn == 0 {
		o.fanIn = fanIn
	}
	if o.create == nil {
		o.create = func() (*os.File, error) { return TemporaryFile(o.Folder) }
	}
	w := max(o.Workers, 1)
	// Each of w writers has a buffer, w−1 are sorted aside, and each may have one beside it to sort into.
	c := &Counter[K]{codec: codecOf[K](), workers: w, limit: max(leastBytes, o.Memory/2/(2*(2*w-1))),
		fanIn: o.fanIn, expected: o.Keys, progress: &progress{report: o.Report}, slots: make(chan struct{}, w-1)}
	c.newSpool = func() *spool { return &spool{room: int64(o.Memory / 2), create: o.create} }
	c.spool = c.newSpool()
	return c
}

// Close frees memory and temporary files, after an error too.
func (c *Counter[K]) Close() error {
	c.sorting.Wait()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.runs, c.tail, c.free = nil, list[K]{}, nil
	if c.err == nil {
		c.err = errClosed
	}
	return c.spool.close()
}

var (
	errClosed = errors.New("the counter is closed")
	errOpen   = errors.New("a writer of the counter is open")
)

// Each yields the keys with a count of at least least by rising key, until yield returns false.
func (c *Counter[K]) Each(ctx context.Context, least uint64, yield func(k K, n uint64) bool) error {
	sources, err := c.all(ctx)
	if err != nil {
		return err
	}
	var all source[K]
	if len(sources) == 1 {
		all = sources[0]
	} else if all, err = merge(c.codec, sources); err != nil {
		return err
	}
	for err == nil {
		keys, counts, fault := all.next()
		if fault != nil || len(keys) == 0 {
			return fault
		}
		for i, k := range keys {
			if counts[i] >= least && !yield(k, counts[i]) {
				return nil
			}
		}
		err = ctx.Err()
	}
	return err
}

// Compact merges all runs into one, so that what is read several times is merged once.
func (c *Counter[K]) Compact(ctx context.Context) error {
	if err := c.settle(ctx); err != nil {
		return err
	}
	if len(c.runs) == 0 || len(c.runs) == 1 && len(c.tail.keys) == 0 {
		return nil
	}
	return c.replace(ctx, [][]run[K]{c.runs}, c.tail)
}

// all is readers of everything.
func (c *Counter[K]) all(ctx context.Context) ([]source[K], error) {
	if err := c.settle(ctx); err != nil {
		return nil, err
	}
	return within(c.codec, c.spool, c.runs, c.tail, bounds[K]{}), nil
}

// settle waits for what is sorted and merges runs until few enough are left to be merged at once.
func (c *Counter[K]) settle(ctx context.Context) error {
	c.sorting.Wait()
	c.mu.Lock()
	err, open := c.err, c.open
	c.free = nil
	c.mu.Unlock()
	if err == nil && open > 0 {
		err = errOpen
	}
	for err == nil && len(c.runs) > c.fanIn {
		var groups [][]run[K]
		for rest := c.runs; len(rest) > 0; {
			n := min(c.fanIn, len(rest))
			groups, rest = append(groups, rest[:n]), rest[n:]
		}
		tail := c.tail
		if err = c.replace(ctx, groups, list[K]{}); err == nil {
			c.tail = tail
		}
	}
	return errors.Join(err, ctx.Err())
}

// replace merges each group of runs, and the tail, into a run of a new spool.
func (c *Counter[K]) replace(ctx context.Context, groups [][]run[K], tail list[K]) error {
	to := c.newSpool()
	var merged []run[K]
	of := int64(len(tail.keys))
	for _, g := range groups {
		for _, r := range g {
			of += r.rows
		}
	}
	c.progress.begin(of)
	defer c.progress.begin(0)
	for _, g := range groups {
		r, err := c.join(ctx, g, tail, to)
		if err != nil {
			return errors.Join(err, to.close())
		}
		merged = append(merged, r)
	}
	old := c.spool
	c.mu.Lock()
	c.spool, c.runs, c.tail = to, merged, list[K]{}
	c.mu.Unlock()
	return old.close()
}

// add takes a run into the counter.
func (c *Counter[K]) add(r run[K], err error) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err != nil && c.err == nil {
		c.err = err
	}
	if err == nil && r.rows > 0 {
		c.runs = append(c.runs, r)
	}
	return c.err
}

// progress reports one at a time.
type progress struct {
	mu     sync.Mutex
	now    Progress
	report func(Progress)
}

func (p *progress) change(by func(*Progress)) {
	if p.report == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	by(&p.now)
	p.report(p.now)
}

func (p *progress) recorded(rows int) { p.change(func(n *Progress) { n.Rows += int64(rows) }) }
func (p *progress) merged(rows int)   { p.change(func(n *Progress) { n.Merged += int64(rows) }) }
func (p *progress) begin(of int64)    { p.change(func(n *Progress) { n.Merged, n.Of = 0, of }) }
