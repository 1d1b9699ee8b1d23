package operator

import (
	"context"

	"parlance/storage/value"
)

// Lookahead is an operator whose first batches can be looked at before they are consumed.
type Lookahead struct {
	batches []*value.Batch
	in      Operator
	done    bool // in has no more
}

// NewLookahead returns the rows of in.
func NewLookahead(in Operator) *Lookahead { return &Lookahead{in: in} }

// ReadAhead returns the next batch of the input, which Next yields later; nil at the end.
func (h *Lookahead) ReadAhead(ctx context.Context) (*value.Batch, error) {
	b, err := h.in.Next(ctx)
	if err != nil || b == nil {
		h.done = true
		return nil, err
	}
	h.batches = append(h.batches, b)
	return b, nil
}

func (h *Lookahead) Next(ctx context.Context) (*value.Batch, error) {
	if len(h.batches) == 0 && h.done {
		return nil, nil
	}
	if len(h.batches) == 0 {
		return h.in.Next(ctx)
	}
	b := h.batches[0]
	h.batches = h.batches[1:]
	return b, nil
}

func (h *Lookahead) Close() error { return h.in.Close() }
