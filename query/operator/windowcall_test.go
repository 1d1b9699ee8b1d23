package operator

import (
	"context"
	"errors"
	"strings"
	"testing"

	"parlance/query/expr"
	"parlance/query/fn/builtin"
	"parlance/query/plan"
	"parlance/storage/value"
)

// oneBatch yields a batch once.
type oneBatch struct{ b *value.Batch }

func (o *oneBatch) Next(context.Context) (*value.Batch, error) {
	b := o.b
	o.b = nil
	return b, nil
}

func (o *oneBatch) Close() error { return nil }

// joined computes string_agg over frames of n texts of 100 bytes, holding at most most bytes. The frames grow, or
// lose a row each.
func joined(t *testing.T, n int, anew bool, most int64) error {
	t.Helper()
	table, err := builtin.NewTable()
	if err != nil {
		t.Fatal(err)
	}
	b := &value.Batch{N: n, Cols: []value.Vec{{Type: value.Text}}}
	for range n {
		b.Cols[0].Strs = append(b.Cols[0].Strs, strings.Repeat("x", 100))
	}
	frame := plan.WindowFrame{Unit: plan.RowsFrame, From: plan.WindowBound{Open: true, Sign: -1}}
	if anew {
		frame = plan.WindowFrame{Unit: plan.RowsFrame, To: plan.WindowBound{Open: true, Sign: 1}}
	}
	text := &expr.Col{T: value.Text}
	call := plan.WindowCall{Agg: table.Aggregate("string_agg"), Args: []expr.Expr{text}, Frame: frame, T: value.Text}
	node := &plan.Window{Input: bareColumns{{Type: value.Text}}, Calls: []plan.WindowCall{call}}
	w := NewWindow(&oneBatch{b}, node, &expr.Env{Memory: &expr.Memory{Limit: most}}, NewBudget(1<<40, nil))
	defer w.Close()
	out, err := w.Next(t.Context())
	if err == nil && !anew && len(out.Cols[1].At(n-1).S) != 100*n {
		t.Errorf("the last text has %d bytes", len(out.Cols[1].At(n-1).S))
	}
	return err
}

// TestWindowTextsThatShareBytes: texts that grow in one buffer count once for each buffer that append has made, which
// is about five times the longest, besides the buffer itself; those of frames that are added up anew count in full.
func TestWindowTextsThatShareBytes(t *testing.T) {
	const n, longest = 500, 50_000
	for _, c := range []struct {
		anew bool
		most int64
		want error
	}{
		{false, 10 * longest, nil},
		{false, 4 * longest, expr.ErrMemory},
		{true, 100 * longest, expr.ErrMemory},
		{true, n * longest, nil},
	} {
		if err := joined(t, n, c.anew, c.most); !errors.Is(err, c.want) {
			t.Errorf("added up anew %t, in %d bytes: %v, want %v", c.anew, c.most, err, c.want)
		}
	}
}

func TestGrowingText(t *testing.T) {
	var g growingText
	for _, c := range []struct {
		text string
		want int
	}{{"", 0}, {"abcd", 4}, {"abcd", 0}, {"abcde", 1}, {"abcdef", 6}, {"xbcdefg", 7}, {"", 0}, {"x", 1}} {
		if got := g.add(c.text); got != c.want {
			t.Errorf("%q needs %d bytes, want %d", c.text, got, c.want)
		}
	}
}
