package triples

import (
	"context"
	"strings"
	"testing"

	"parlance/algo/kind"
	"parlance/storage/value"
)

// counting counts the scores that are asked for.
type counting struct {
	*table
	n int
}

func (c *counting) Scores(open Side, relation int32, given []int32, out []float64) {
	c.n += len(out)
	c.table.Scores(open, relation, given, out)
}

// TestMaxScored refuses what scores more triples than allowed before it scores one, and foretells how many are scored.
func TestMaxScored(t *testing.T) {
	d := read(t, small)
	n := d.Entities.Len()
	relations := d.Relations.Len()
	name := func(r int32) value.Value { return value.Str(d.Relations.Name(r)) }
	for _, c := range []struct {
		what string
		args []value.Value
		want int
	}{
		{"all", make([]value.Value, 3), relations * n * n},
		{"a relation", []value.Value{{}, name(0), {}}, n * n},
		{"a subject", []value.Value{value.Str(d.Entities.Name(0)), {}, {}}, relations * n},
	} {
		s := &counting{table: &table{entities: n, cells: make([]float64, relations*n*n)}}
		a := answers(t, d, s)
		if got, what := a.Estimate("complete", c.args); int(got) != c.want || what != "triples" {
			t.Errorf("%s: estimate %d %s, want %d triples", c.what, got, what, c.want)
		}
		lines(t, a, "complete", c.args, 1)
		if s.n != c.want {
			t.Errorf("%s: scored %d triples, want %d", c.what, s.n, c.want)
		}
		s.n = 0
		a = answers(t, d, s, arg("max_scored", value.Int(int64(c.want-1))))
		_, err := a.Open(context.Background(), "complete", c.args, &kind.Run{Workers: 1})
		if err == nil || !strings.Contains(err.Error(), "more than max_scored") || s.n > 0 {
			t.Errorf("%s: more than max_scored: %v after %d scores", c.what, err, s.n)
		}
		a = answers(t, d, s, arg("max_scored", value.Int(int64(c.want))))
		if r, err := a.Open(context.Background(), "complete", c.args, &kind.Run{Workers: 1}); err != nil {
			t.Errorf("%s: as many as max_scored: %v", c.what, err)
		} else {
			r.Close()
		}
	}
	a := answers(t, d, &table{entities: n, cells: make([]float64, relations*n*n)})
	both := []value.Value{value.Str(d.Entities.Name(0)), name(0), {}}
	if got, _ := a.Estimate("complete", both); got != 0 {
		t.Errorf("one open argument: estimate %d, want none", got)
	}
	if grouped(50112000000) != "50,112,000,000" || grouped(999) != "999" || grouped(1000) != "1,000" {
		t.Error("commas between thousands")
	}
}
