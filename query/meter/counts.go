package meter

import "sync"

// Counts counts events by the value of one label.
type Counts struct {
	mu sync.Mutex
	m  map[string]uint64
}

// Add notes one event.
func (c *Counts) Add(label string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.m == nil {
		c.m = map[string]uint64{}
	}
	c.m[label]++
}

// Metrics returns the counts as figures of the family.
func (c *Counts) Metrics(f *Family) []Metric {
	c.mu.Lock()
	defer c.mu.Unlock()
	var out []Metric
	for label, n := range c.m {
		out = append(out, f.Of(float64(n), label))
	}
	return out
}
