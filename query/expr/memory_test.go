package expr

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"parlance/storage/value"
)

// heap is the bytes in use that a function's result holds.
func heap(make func() any) int {
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	x := make()
	runtime.GC()
	runtime.ReadMemStats(&after)
	runtime.KeepAlive(x)
	return int(after.HeapAlloc) - int(before.HeapAlloc)
}

// TestEstimatesOfRows compares what rows are counted for with what they hold, for short and long texts and for few and
// many columns: no less than three quarters, no more than twice as much.
func TestEstimatesOfRows(t *testing.T) {
	const n = 20_000
	for _, columns := range []int{1, 2, 9} {
		for _, length := range []int{0, 1, 30, 400} {
			var rows [][]value.Value
			real := heap(func() any {
				rows = make([][]value.Value, n)
				for i := range rows {
					rows[i] = make([]value.Value, columns)
					for k := range rows[i] {
						rows[i][k] = value.Int(int64(i))
						if length > 0 {
							rows[i][k] = value.Str(strings.Clone(fmt.Sprintf("%-*d", length, i%10)))
						}
					}
				}
				return rows
			})
			if got := RowsBytes(rows); 4*got < 3*real || got > 2*real {
				t.Errorf("%d columns of %d bytes: counted as %d, they hold %d", columns, length, got, real)
			}
			types := make([]value.Type, columns)
			for k := range types {
				types[k] = rows[0][k].T
			}
			b := value.FromRows(types, rows)
			if got, want := ValuesBytes(b.Cols, b.N), RowsBytes(rows); got < want*9/10 || got > want*11/10 {
				t.Errorf("%d columns of %d bytes: a batch is counted as %d, its rows as %d", columns, length, got, want)
			}
		}
	}
}

// TestReservation: what is taken counts until it is released, up to the limit exactly.
func TestReservation(t *testing.T) {
	m := &Memory{Limit: 100}
	a, b := Reservation{Of: m}, Reservation{Of: m}
	if err := a.Take(60); err != nil {
		t.Fatal(err)
	}
	if err := b.Take(40); err != nil {
		t.Errorf("all of the limit: %v", err)
	}
	if err := b.Take(1); err != ErrMemory {
		t.Errorf("one byte more: %v", err)
	}
	b.Release()
	if err := a.Take(40); err != nil {
		t.Errorf("after a release: %v", err)
	}
	a.Release()
	if err := a.Take(100); err != nil {
		t.Errorf("after both: %v", err)
	}
	var none *Memory
	if err := (&Reservation{Of: none}).Take(1 << 40); err != nil {
		t.Errorf("without a limit: %v", err)
	}
}
