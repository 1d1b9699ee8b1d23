package exec

import (
	"context"

	"parlance/storage/value"
)

// held yields batches that were read already, then those that are left.
type held struct {
	batches []*value.Batch
	in      Operator
	done    bool // in has no more
}

func newHeld(in Operator) *held { return &held{in: in} }

// ahead reads a batch that Next yields again later; nil at the end.
func (h *held) ahead(ctx context.Context) (*value.Batch, error) {
	b, err := h.in.Next(ctx)
	if err != nil || b == nil {
		h.done = true
		return nil, err
	}
	h.batches = append(h.batches, b)
	return b, nil
}

func (h *held) Next(ctx context.Context) (*value.Batch, error) {
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

func (h *held) Close() error { return h.in.Close() }
