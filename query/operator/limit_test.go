package operator

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"parlance/query/plan"
	"parlance/storage/value"

	"pgregory.net/rapid"
)

// batches is an operator that yields batches of one column of numbers, then an error or the end. It counts how often it
// is asked and closed.
type batches struct {
	parts  [][]int64
	failed error
	asked  int
	closed int
	fault  error // of Close
}

func (b *batches) Next(ctx context.Context) (*value.Batch, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	b.asked++
	if len(b.parts) == 0 {
		return nil, b.failed
	}
	p := b.parts[0]
	b.parts = b.parts[1:]
	return &value.Batch{N: len(p), Cols: []value.Vec{{Type: value.Integer, Ints: p}}}, nil
}

func (b *batches) Close() error { b.closed++; return b.fault }

// drain reads an operator to its end and returns the numbers of its first column.
func drain(ctx context.Context, op Operator) ([]int64, error) {
	var out []int64
	for {
		b, err := op.Next(ctx)
		if err != nil || b == nil {
			return out, err
		}
		for i := range b.N {
			out = append(out, b.Cols[0].At(i).Int())
		}
	}
}

// cut divides numbers into batches, of which none is empty.
func cut(t *rapid.T, list []int64) (parts [][]int64) {
	for len(list) > 0 {
		n := rapid.IntRange(1, min(4, len(list))).Draw(t, "rows of a batch")
		parts, list = append(parts, list[:n]), list[n:]
	}
	return parts
}

// bounds are numbers of rows at their ends: none, one, about as many as there are, and as many as there can be.
var bounds = rapid.OneOf(rapid.Int64Range(0, 3), rapid.Int64Range(0, 3), rapid.Int64Range(0, 13),
	rapid.Int64Range(math.MaxInt64-3, math.MaxInt64))

// TestLimit: rows from offset on, at most as many as the limit, with those that tie with the last one; of each group,
// if there are groups. The batches in which the rows come make no difference, and an error of the input is handed on
// unless enough rows came before it.
func TestLimit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list := rapid.SliceOfN(rapid.Int64Range(0, 2), 0, 12).Draw(t, "rows")
		left := rapid.OneOf(bounds, bounds, bounds, rapid.Just(int64(-1))).Draw(t, "limit")
		offset := rapid.OneOf(rapid.Just(int64(0)), bounds).Draw(t, "offset")
		for _, how := range []string{"plain", "groups", "ties"} {
			n := &plan.Limit{}
			switch how {
			case "ties":
				slices.Sort(list)
				n.Ties = []plan.SortKey{{Col: 0}}
			case "groups":
				n.Per = []int{0}
			}
			want, ended := limited(how, list, left, offset)
			in := &batches{parts: cut(t, list)}
			if got, err := drain(t.Context(), NewLimit(in, n, left, offset)); err != nil || !slices.Equal(got, want) {
				t.Fatalf("%s: limit %d offset %d of %v gives %v, %v, want %v", how, left, offset, list, got, err, want)
			}
			in = &batches{parts: cut(t, list), failed: errors.New("the input fails")}
			if _, err := drain(t.Context(), NewLimit(in, n, left, offset)); (err == nil) != ended {
				t.Fatalf("%s: limit %d offset %d of %v before an error: %v", how, left, offset, list, err)
			}
		}
	})
}

// TestLimitTies: all limits and offsets of a few rows with ties, in batches of each size.
func TestLimitTies(t *testing.T) {
	list := []int64{0, 1, 1, 2, 2, 2, 3}
	for left := int64(-1); left <= int64(len(list))+1; left++ {
		for offset := range int64(len(list)) + 2 {
			want, _ := limited("ties", list, left, offset)
			for size := 1; size <= len(list); size++ {
				in := &batches{parts: slices.Collect(slices.Chunk(list, size))}
				l := NewLimit(in, &plan.Limit{Ties: []plan.SortKey{{Col: 0}}}, left, offset)
				if got, err := drain(t.Context(), l); err != nil || !slices.Equal(got, want) {
					t.Errorf("limit %d offset %d in batches of %d gives %v, %v, want %v", left, offset, size, got, err, want)
				}
			}
		}
	}
}

// limited is the definition of a limit, row by row. ended reports whether no row behind those of the list can be in the
// result.
func limited(how string, list []int64, left, offset int64) (want []int64, ended bool) {
	seen := map[int64]int64{} // rows of each group, or of all
	for _, v := range list {
		group := int64(0)
		if how == "groups" {
			group = v
		}
		at := seen[group] - offset // from 0 behind the offset
		seen[group]++
		switch {
		case at < 0:
		case left < 0 || at < left, how == "ties" && left > 0 && want[len(want)-1] == v:
			want = append(want, v)
		default:
			ended = how != "groups"
		}
	}
	switch how {
	case "plain":
		return want, ended || left == 0 || left > 0 && int64(len(want)) == left
	case "ties":
		return want, ended || left == 0
	}
	return want, false
}

// TestLimitAsksForNoMore: a limit that is reached asks its input for nothing.
func TestLimitAsksForNoMore(t *testing.T) {
	for left, want := range []int{0, 1, 1, 2} {
		in := &batches{parts: [][]int64{{1, 2}, {3, 4}, {5, 6}}}
		if _, err := drain(t.Context(), NewLimit(in, &plan.Limit{}, int64(left), 0)); err != nil || in.asked != want {
			t.Errorf("limit %d asks %d times, want %d; %v", left, in.asked, want, err)
		}
	}
}

// TestUnion: all rows of all parts in their order, then an error of the part that fails; each part is closed, and the
// first error of closing is returned.
func TestUnion(t *testing.T) {
	failed, first, second := errors.New("a part fails"), errors.New("first"), errors.New("second")
	parts := []*batches{{parts: [][]int64{{1}, {2, 3}}}, {fault: first},
		{parts: [][]int64{{4}}, failed: failed, fault: second}, {parts: [][]int64{{5}}}}
	u := NewUnion(parts[0], parts[1], parts[2], parts[3])
	if got, err := drain(t.Context(), u); !slices.Equal(got, []int64{1, 2, 3, 4}) || !errors.Is(err, failed) {
		t.Errorf("%v, %v", got, err)
	}
	if err := u.Close(); !errors.Is(err, first) || errors.Is(err, second) {
		t.Errorf("closing: %v", err)
	}
	for i, p := range parts {
		if p.closed != 1 {
			t.Errorf("part %d is closed %d times", i, p.closed)
		}
	}
	if got, err := drain(t.Context(), NewUnion()); got != nil || err != nil {
		t.Errorf("no parts: %v, %v", got, err)
	}
}
