package feature

import "context"

// Rows is the attributes of items in rows of compressed indices: item i has
// Attrs[Offsets[i]:Offsets[i+1]]. Values parallels Attrs; nil means that all are 1.
type Rows struct {
	Offsets []uint32
	Attrs   []uint32
	Values  []float32
}

// Reset empties the rows, keeping their memory.
func (r *Rows) Reset() {
	r.Offsets = append(r.Offsets[:0], 0)
	r.Attrs, r.Values = r.Attrs[:0], r.Values[:0]
}

// Len returns the number of items.
func (r *Rows) Len() int { return max(0, len(r.Offsets)-1) }

func (r *Rows) start() {
	if len(r.Offsets) == 0 {
		r.Offsets = append(r.Offsets, 0)
	}
}

func (r *Rows) end() { r.Offsets = append(r.Offsets, uint32(len(r.Attrs))) }

// Prune drops attributes that occur in fewer than least items, renumbering the others, and
// returns the alphabet of what is left. With least 0 or 1 everything stays. Rows of document
// sets are finished ones; with norm(l2) what is left of them has length 1 again, as Extract
// gives it. It ends with its context.
func Prune(ctx context.Context, a *Alphabet, r *Rows, least int) (*Alphabet, error) {
	if least <= 1 {
		return a, nil
	}
	count := make([]int, a.Len())
	for _, x := range r.Attrs {
		count[x]++
	}
	keep, number := make([]bool, a.Len()), make([]uint32, a.Len())
	next := uint32(0)
	for i, n := range count {
		if keep[i] = n >= least; keep[i] {
			number[i] = next
			next++
		}
	}
	w, from := 0, uint32(0)
	for i := 1; i < len(r.Offsets); i++ {
		if i%keepTurn == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		to := r.Offsets[i]
		for k := from; k < to; k++ {
			if x := r.Attrs[k]; keep[x] {
				r.Attrs[w] = number[x]
				if len(r.Values) > 0 {
					r.Values[w] = r.Values[k]
				}
				w++
			}
		}
		if len(r.Values) > 0 && a.set.norm == "l2" {
			normalise(r.Values[r.Offsets[i-1]:w])
		}
		r.Offsets[i], from = uint32(w), to
	}
	r.Attrs = r.Attrs[:w]
	if len(r.Values) > 0 {
		r.Values = r.Values[:w]
	}
	return a.Keep(ctx, keep)
}

// normalise makes values of length 1, unless all are 0.
func normalise(vals []float32) {
	var sum float64
	for _, v := range vals {
		sum += float64(v) * float64(v)
	}
	scale(vals, sum)
}
