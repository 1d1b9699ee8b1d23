package chain

// Constraints forbid labels at the ends of a sequence and transitions, as the BIO scheme
// does. Nothing is forbidden at first. It must not change once a decoder uses it.
type Constraints struct {
	labels int
	start  []uint64 // bit set of forbidden first labels
	end    []uint64
	pair   []uint64 // bit from·labels + to
}

// NewConstraints returns constraints for a number of labels.
func NewConstraints(labels int) *Constraints {
	words := (labels + 63) / 64
	return &Constraints{labels, make([]uint64, words), make([]uint64, words), make([]uint64, (labels*labels+63)/64)}
}

// Labels returns the number of labels.
func (c *Constraints) Labels() int { return c.labels }

// ForbidStart forbids a label for the first token.
func (c *Constraints) ForbidStart(label int) { c.start[label>>6] |= 1 << (label & 63) }

// ForbidEnd forbids a label for the last token.
func (c *Constraints) ForbidEnd(label int) { c.end[label>>6] |= 1 << (label & 63) }

// Forbid forbids a transition.
func (c *Constraints) Forbid(from, to int) {
	k := from*c.labels + to
	c.pair[k>>6] |= 1 << (k & 63)
}

// AllowedStart tells whether the first token may have the label.
func (c *Constraints) AllowedStart(label int) bool { return c.start[label>>6]>>(label&63)&1 == 0 }

// AllowedEnd tells whether the last token may have the label.
func (c *Constraints) AllowedEnd(label int) bool { return c.end[label>>6]>>(label&63)&1 == 0 }

// Allowed tells whether a label may follow another.
func (c *Constraints) Allowed(from, to int) bool {
	k := from*c.labels + to
	return c.pair[k>>6]>>(k&63)&1 == 0
}
