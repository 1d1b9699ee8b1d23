package meter

import (
	"sync"
	"sync/atomic"
	"time"
)

// bounds of the latency histogram; an observation above the last has a bucket of its own.
var bounds = [...]time.Duration{
	10 * time.Microsecond, 30 * time.Microsecond, 100 * time.Microsecond, 300 * time.Microsecond,
	time.Millisecond, 3 * time.Millisecond, 10 * time.Millisecond, 30 * time.Millisecond, 100 * time.Millisecond,
	300 * time.Millisecond,
	time.Second, 3 * time.Second, 10 * time.Second, 30 * time.Second, 100 * time.Second, 1000 * time.Second,
}

// Unparsed is the kind under which texts with syntax errors are counted.
const Unparsed = "UNPARSED"

// Statements counts statements. The zero value is ready; a nil one counts nothing.
type Statements struct {
	started atomic.Uint64
	ended   atomic.Uint64
	kinds   sync.Map // string → *statementKind
}

// statementKind counts the statements of one kind.
type statementKind struct {
	ok      atomic.Uint64
	rows    atomic.Uint64
	nanos   atomic.Uint64
	buckets [len(bounds) + 1]atomic.Uint64
	mu      sync.Mutex
	failed  map[string]uint64 // by code
}

// Start counts a statement that begins and returns its number, from 1.
func (s *Statements) Start() uint64 {
	if s == nil {
		return 0
	}
	return s.started.Add(1)
}

// End counts a statement that has ended: its rows, its time, and its SQLSTATE, "" for success.
func (s *Statements) End(kind, code string, rows int64, took time.Duration) {
	if s == nil {
		return
	}
	k := s.kind(kind)
	if code == "" {
		k.ok.Add(1)
	} else {
		k.fail(code)
	}
	if rows > 0 {
		k.rows.Add(uint64(rows))
	}
	took = max(took, 0)
	i := 0
	for i < len(bounds) && took > bounds[i] {
		i++
	}
	k.buckets[i].Add(1)
	k.nanos.Add(uint64(took))
	s.ended.Add(1)
}

func (s *Statements) kind(name string) *statementKind {
	if k, ok := s.kinds.Load(name); ok {
		return k.(*statementKind)
	}
	k, _ := s.kinds.LoadOrStore(name, &statementKind{failed: map[string]uint64{}})
	return k.(*statementKind)
}

func (k *statementKind) fail(code string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.failed[code]++
}

// Metrics returns the figures of the kinds that have occurred.
func (s *Statements) Metrics() []Metric {
	if s == nil {
		return nil
	}
	var out []Metric
	s.kinds.Range(func(name, k any) bool {
		out = append(out, k.(*statementKind).metrics(name.(string))...)
		return true
	})
	ended := s.ended.Load() // read before started, so that the difference cannot be negative
	return append(out, StatementsRunning.Of(float64(s.started.Load()-ended)))
}

func (k *statementKind) metrics(name string) []Metric {
	h := Metric{Family: StatementSeconds, Values: []string{name}, Sum: time.Duration(k.nanos.Load()).Seconds()}
	for i := range k.buckets {
		h.Count += k.buckets[i].Load()
		b := Bucket{Count: h.Count}
		if i < len(bounds) {
			b.Bound = bounds[i].Seconds()
			h.Buckets = append(h.Buckets, b)
		}
	}
	out := []Metric{h, RowsTotal.Of(float64(k.rows.Load()), name)}
	if n := k.ok.Load(); n > 0 {
		out = append(out, StatementsTotal.Of(float64(n), name, ""))
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	for code, n := range k.failed {
		out = append(out, StatementsTotal.Of(float64(n), name, code))
	}
	return out
}
