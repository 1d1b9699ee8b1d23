package relation

import (
	"bytes"
	"context"

	"parlance/storage/value"
)

// fresh returns the view over generations that remember nothing of the file.
func (v *View) fresh() *View {
	out := &View{Types: v.Types, Cache: v.Cache}
	for _, g := range v.Generations {
		if !g.Unwritten() {
			g = &Generation{Rel: g.Rel, ID: g.ID, Rows: g.Rows, Gone: g.Gone, Small: g.Small}
		}
		out.Generations = append(out.Generations, g)
	}
	return out
}

// Count reads all blocks of rows from the file and returns the number of visible rows and the sum of their hashes.
func (v *View) Count(ctx context.Context, read func(func(Reader) error) error) (n int, sum Sum, err error) {
	v = v.fresh()
	var slots []int
	err = read(func(r Reader) error {
		k, err := v.Slots(r)
		for i := range k {
			slots = append(slots, i)
		}
		return err
	})
	if err != nil {
		return 0, sum, err
	}
	for len(v.Types) < len(slots) {
		v.Types = append(v.Types[:len(v.Types):len(v.Types)], value.Null)
	}
	err = v.Scan(ctx, read, slots, func(_ []uint64, b *value.Batch) error {
		n += b.N
		sum.Replace(b.N, nil, b.Columns())
		return nil
	})
	return n, sum, err
}

// CheckIndex compares the entries of an index in the file with the rows of each large generation, and reports whether
// they agree.
func (v *View) CheckIndex(ctx context.Context, read func(func(Reader) error) error, x *Index) (ok bool, err error) {
	ok = true
	own := func(f func(Reader) error) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		return read(f)
	}
	for _, g := range v.fresh().Generations {
		if g.Small {
			continue
		}
		// The index is written again, and its blocks are compared.
		err := BuildIndex(g, x, v.Types, own, func(k, want []byte) error {
			return own(func(r Reader) error {
				got := r.Get(k)
				if got == nil {
					return damaged("a block of an index of generation %d is missing", g.ID)
				}
				ok = ok && bytes.Equal(got, want)
				return nil
			})
		})
		if err != nil {
			return false, err
		}
	}
	return ok, nil
}
