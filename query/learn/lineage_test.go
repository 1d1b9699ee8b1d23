package learn

import (
	"testing"
	"time"

	"parlance/algo/text"
	"parlance/query/exec"
	"parlance/query/parse"
	"parlance/query/score"
	"parlance/storage/value"

	"github.com/google/go-cmp/cmp"
)

// TestWithValues prints statements whose parameters were filled in; the statement stays.
func TestWithValues(t *testing.T) {
	params := []value.Value{value.Str("it's"), value.Int(-3), value.Real(0.5), value.Bool(true), {},
		value.Time(time.Unix(0, 0))}
	for in, want := range map[string]string{
		"TRAIN crf ON docs WHERE split = $1 AND n IN ($2, $3) WITH (a = $4, b " +
			"= ($2, $5))": "TRAIN crf ON docs WHERE split = 'it''s' AND n IN (-3, 0.5) WITH (a = TRUE, b = (-3, NULL))",
		"TRAIN crf ON docs WHERE t > $6 AND id IN (SELECT id FROM x WHERE y = " +
			"$1 LIMIT $2)": "TRAIN crf ON docs WHERE t > $6 AND id IN (SELECT id FROM x WHERE y = 'it''s' LIMIT -3)",
		"TRAIN crf ON docs WHERE a = $9": "TRAIN crf ON docs WHERE a = $9",
	} {
		s, err := parse.Parse(in)
		if err != nil {
			t.Fatal(err)
		}
		before := s.String()
		if got := exec.WithValues(s, params).String(); got != want {
			t.Errorf("%s\ngives %s\nwant  %s", in, got, want)
		}
		if s.String() != before {
			t.Errorf("%s became %s", before, s)
		}
	}
}

// TestVerdict decides by hand-made differences; 0.702 − 0.7 is a little less than 0.002.
func TestVerdict(t *testing.T) {
	a, b, margin := 0.702, 0.7, 0.002
	for _, tc := range []struct {
		than               int
		difference, margin float64
		refused            bool
	}{
		{1, a - b, margin, false}, {1, 0.0019, margin, true}, {1, 0, 0, true}, {1, 1e-15, 0, false}, {1, -0.1, 0, true},
		{2, 0.5, 0, true},
	} {
		if refused, note := score.Verdict("f1", "production", tc.than, 2, tc.difference, tc.margin); refused != tc.refused ||
			note == "" {
			t.Errorf("%+v: %v, %s", tc, refused, note)
		}
	}
}

// spans is a document with entities of one sentence: start, end, label.
func spans(rows ...[3]any) *text.Document {
	l := text.NewLayer(text.Entities)
	cols := map[string][]int32{}
	var labels []string
	for _, r := range rows {
		start, end := int32(r[0].(int)), int32(r[1].(int))
		for name, x := range map[string]int32{"sent": 1, "char_start": start, "char_end": end, "tok_start": start + 1,
			"tok_end": end} {
			cols[name] = append(cols[name], x)
		}
		labels = append(labels, r[2].(string))
	}
	l.N = len(rows)
	for name, c := range cols {
		l.SetInts(name, c)
	}
	l.SetStrs("label", labels)
	return &text.Document{ID: "d", Text: "éabcdefgh", Layers: []*text.Layer{l}}
}

// TestComparison compares two sets of spans by hand: one the same, one relabelled, one with
// other bounds, and two labels on one span.
func TestComparison(t *testing.T) {
	c := score.NewComparison(text.Entities, nil, 3)
	c.Add(spans([3]any{0, 2, "PER"}, [3]any{2, 3, "LOC"}, [3]any{4, 6, "ORG"}, [3]any{7, 8, "A"}, [3]any{7, 8, "B"}),
		spans([3]any{0, 2, "PER"}, [3]any{2, 3, "ORG"}, [3]any{4, 7, "ORG"}, [3]any{7, 8, "B"}, [3]any{7, 8, "C"}))
	want := map[string]map[string]int{"same": {"": 2, "PER": 1, "B": 1}, "changed": {"": 2, "LOC>ORG": 1, "A>C": 1},
		"lost": {"": 1, "ORG": 1}, "gained": {"": 1, "ORG": 1}}
	if d := cmp.Diff(want, c.Counts); d != "" {
		t.Error(d)
	}
	if len(c.Examples) != 3 {
		t.Fatalf("%d examples", len(c.Examples))
	}
	if e := c.Examples[0]; e.CharStart.Int() != 1 || e.CharEnd.Int() != 2 || e.Text.S != "a" || e.A != "LOC" ||
		e.B != "ORG" {
		t.Errorf("example %+v", e)
	}
	c.Add(&text.Document{ID: "without"}, spans([3]any{0, 2, "PER"}))
	if c.Counts["gained"]["PER"] != 1 {
		t.Errorf("counts %v", c.Counts)
	}
}

// TestLargest keeps the largest changes in order, whatever the order of arrival.
func TestLargest(t *testing.T) {
	l := &score.Largest{Limit: 2}
	for i := range 5000 {
		k := i * 2741 % 5000
		l.Add(score.Change{Key: string(rune('a' + k%7)), A: 0, B: float64(k) * float64(1-2*(k%2))})
	}
	if got := l.Sorted(); l.N != 5000 || len(got) != 2 || got[0].B != -4999 || got[1].B != 4998 {
		t.Errorf("%d of %d: %v", len(got), l.N, got)
	}
}
