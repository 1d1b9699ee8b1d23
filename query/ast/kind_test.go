package ast

import "testing"

func TestKindOf(t *testing.T) {
	for _, c := range []struct {
		s    Statement
		want string
	}{
		{&Select{}, "SELECT"}, {&CreateIndex{}, "CREATE INDEX"}, {&CopyTo{}, "COPY"}, {&CopyModel{}, "COPY MODEL"},
		{&DiffModels{}, "DIFF MODEL"},
		{&AlterAddColumn{}, "ALTER"}, {&AlterSystem{}, "ALTER SYSTEM"}, {&ExplainPrediction{}, "EXPLAIN PREDICTION"},
		{&ClearCache{}, "CLEAR CACHE"}, {nil, ""},
	} {
		if got := KindOf(c.s); got != c.want || KindOf(c.s) != c.want {
			t.Errorf("%T is %q, want %q", c.s, got, c.want)
		}
	}
}
