package repl

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"parlance/db"
	"parlance/storage/value"
)

// evaluated are rows of EVALUATE: lines of metric, label, value and support.
func evaluated(lines ...string) panel {
	p := panel{}
	for _, c := range strings.Fields("model:text metric:text label:text value:float low:float " +
		"high:float support:integer") {
		name, typ, _ := strings.Cut(c, ":")
		p.columns = append(p.columns, db.Column{Name: name, Type: typ})
	}
	for _, l := range lines {
		f := strings.Split(l, " ")
		var v float64
		var n int64
		if _, err := fmt.Sscan(f[2]+" "+f[3], &v, &n); err != nil {
			panic(err)
		}
		p.list = append(p.list, []value.Value{value.Str("m@1"), value.Str(f[0]), value.Str(f[1]), value.Real(v), {}, {},
			value.Int(n)})
	}
	return p
}

func shown(t *testing.T, list []panel) string {
	t.Helper()
	var b bytes.Buffer
	for _, p := range list {
		if err := show(&b, &held{replayed: replayed{rows: noRows{}, first: p.list}, columns: p.columns}, newLook("table"),
			0); err != nil {
			t.Fatal(err)
		}
	}
	var lines []string
	for l := range strings.Lines(b.String()) {
		lines = append(lines, strings.TrimRight(l, " \n"))
	}
	return strings.Join(lines, "\n")
}

// noRows are rows without any.
type noRows struct{ rows }

func (noRows) Next() bool { return false }
func (noRows) Err() error { return nil }

// TestConfusionMatrix: the summary comes first, then a row a label, then what was taken for what.
func TestConfusionMatrix(t *testing.T) {
	got := shown(t, evaluation(evaluated("accuracy ALL 0.75 4", "f1 ALL 0.75 4", "f1 a>b 0.8 3", "f1 b 0.5 1",
		"confusion a>b>a>b 2 2", "confusion a>b>b 1 1", "confusion >b 3 3", "confusion b> 1 1")))
	const want = ` model │ metric   │ value │ low │ high │ support
───────┼──────────┼───────┼─────┼──────┼─────────
 m@1   │ accuracy │  0.75 │     │      │       4
(1 row)
 model │ label │   f1 │ f1.low │ f1.high │ support
───────┼───────┼──────┼────────┼─────────┼─────────
 m@1   │ ALL   │ 0.75 │        │         │       4
 m@1   │ a>b   │  0.8 │        │         │       3
 m@1   │ b     │  0.5 │        │         │       1
(3 rows)
 model │ gold \ predicted │ a>b │ b │ (none)
───────┼──────────────────┼─────┼───┼────────
 m@1   │ a>b              │   2 │ 1 │      0
 m@1   │ b                │   0 │ 0 │      1
 m@1   │ (none)           │   0 │ 3 │      0
(3 rows)`
	if got != want {
		t.Errorf("it is\n%s\nwant\n%s", got, want)
	}
}

// TestConfusionList: what was taken for what among many labels is a list, the most frequent first, right ones last.
func TestConfusionList(t *testing.T) {
	lines := []string{"f1 ALL 1 4"}
	for i := range 13 {
		lines = append(lines, fmt.Sprintf("f1 l%02d 1 1", i), fmt.Sprintf("confusion l%02d>l%02d 50 50", i, i))
	}
	lines = append(lines, "confusion l01>l02 2 2", "confusion l03>l02 7 7")
	list := evaluation(evaluated(lines...))
	last := list[len(list)-1].list
	if len(last) != 15 || last[0][1].S != "l03" || last[0][2].S != "l02" || last[1][3].Int() != 2 ||
		last[2][3].Int() != 50 {
		t.Errorf("%v", last)
	}
}
