package exec

import (
	"context"
	"strings"

	"parlance/query/expr"
	"parlance/storage/value"
)

// spliced is what an aggregate writes for the rows of a partition, one after the other.
type spliced struct {
	whole  string
	places []splicedPlace // of the rows that count
	before []int32        // how many rows count before each, and before the end
}

// splicedPlace is where what a row gives stands: behind what parts it from the one before.
type splicedPlace struct{ parted, from, to int }

// splice computes an aggregate whose values are parts of its value over all rows.
func (c *windowCall) splice(ctx context.Context, p *partition) error {
	s, err := c.write(ctx, p)
	if err != nil {
		return err
	}
	if err := c.held.Take(len(s.whole)); err != nil {
		return err
	}
	var last [3]rowSpan
	var v value.Value
	for i, row := range p.rows {
		if i&1023 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		now, err := c.spans(p, i)
		if err != nil {
			return err
		}
		if now != last {
			last = now
			n, texts := s.of(now)
			if v = (value.Value{}); n > 0 {
				if v, err = c.call.Agg.Splice.Text(n, texts); err != nil {
					return expr.Evaluated(c.call.Pos, err)
				}
			}
			if len(texts) != 1 || len(v.S) != len(texts[0]) {
				if err := c.held.Take(len(v.S)); err != nil {
					return err
				}
			}
		}
		c.out[row] = v
	}
	return nil
}

// write writes what the rows of a partition give.
func (c *windowCall) write(ctx context.Context, p *partition) (*spliced, error) {
	s := &spliced{before: make([]int32, len(p.rows)+1)}
	args := make([]value.Value, len(c.args))
	var b strings.Builder
	for i, row := range p.rows {
		if i&1023 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if c.read(int(row), args) {
			before, piece, err := c.call.Agg.Splice.Piece(args)
			if err != nil {
				return nil, expr.Evaluated(c.call.Pos, err)
			}
			at := splicedPlace{parted: b.Len(), from: b.Len() + len(before), to: b.Len() + len(before) + len(piece)}
			b.WriteString(before)
			b.WriteString(piece)
			s.places = append(s.places, at)
		}
		s.before[i+1] = int32(len(s.places))
	}
	s.whole = b.String()
	return s, nil
}

// of returns how many rows of some count, and the parts of the whole text that they gave.
func (s *spliced) of(rows [3]rowSpan) (n int, texts []string) {
	for _, r := range rows {
		if r.from >= r.to || s.before[r.from] == s.before[r.to] {
			continue
		}
		first, last := s.places[s.before[r.from]], s.places[s.before[r.to]-1]
		from := first.from
		if n > 0 {
			from = first.parted
		}
		n += int(s.before[r.to] - s.before[r.from])
		texts = append(texts, s.whole[from:last.to])
	}
	return n, texts
}
