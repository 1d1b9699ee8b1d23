package cooccurrence

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"parlance/algo/kind"
	"parlance/storage/value"
)

func read(rows [][]value.Value) (*Matrix, error) {
	t, _ := kind.Tables{"counts": rows}.Table("counts")
	return Read(context.Background(), t)
}

func row(word, context string, count float64) []value.Value {
	return []value.Value{value.Str(word), value.Str(context), value.Real(count)}
}

// TestRead compares with a map: what comes twice is added, rows are in order, columns rise, and the
// transpose of the transpose is the same.
func TestRead(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want, rows, words := map[[2]string]float64{}, [][]value.Value(nil), []string(nil)
		for range rapid.IntRange(1, 60).Draw(t, "rows") {
			w, c := rapid.SampledFrom([]string{"a", "b", "c", ""}).Draw(t, "word"),
				fmt.Sprint("f", rapid.IntRange(0, 9).Draw(t, "context"))
			n := float64(rapid.IntRange(0, 3).Draw(t, "count"))
			rows = append(rows, row(w, c, n))
			if n > 0 {
				want[[2]string{w, c}] += n
				words = append(words, w)
			}
		}
		m, err := read(rows)
		if len(want) == 0 {
			if !errors.Is(err, kind.ErrNoData) {
				t.Fatal(err)
			}
			return
		}
		if err != nil || m.Words[0] != words[0] {
			t.Fatalf("%v, %q", err, m.Words)
		}
		if got := cells(t, m); !maps.Equal(got, want) {
			t.Fatalf("%v, want %v", got, want)
		}
		again := *m
		again.Rows = m.Rows.Transpose(len(m.Contexts)).Transpose(len(m.Words))
		if got := cells(t, &again); !maps.Equal(got, want) {
			t.Fatalf("transposed twice: %v, want %v", got, want)
		}
	})
}

func cells(t *rapid.T, m *Matrix) map[[2]string]float64 {
	out := map[[2]string]float64{}
	for i, w := range m.Words {
		ids, counts := m.Rows.Row(i)
		for k, f := range ids {
			if k > 0 && f <= ids[k-1] {
				t.Fatal("columns do not rise")
			}
			out[[2]string{w, m.Contexts[f]}] = counts[k]
		}
	}
	return out
}

func TestFaults(t *testing.T) {
	for _, c := range []struct {
		row  []value.Value
		want string
	}{
		{row("a", "f", -1), "row 2 of the counts: the count of 'a' with 'f' is -1"},
		{[]value.Value{value.Str("a"), {}, value.Real(1)}, "row 2 of the counts: word, context and count may not be NULL"},
	} {
		if _, err := read([][]value.Value{row("a", "f", 1), c.row}); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%v: %v", c.row, err)
		}
	}
}

// TestEncode writes whole and broken counts and reads them back.
func TestEncode(t *testing.T) {
	for _, last := range []float64{4, 0.3, 1 << 40} {
		m, err := read([][]value.Value{row("a", "f", 1), row("b", "g", last), row("a", "g", 2)})
		if err != nil {
			t.Fatal(err)
		}
		sections := map[string][]byte{}
		if err := m.Encode(kind.NewWriter(func(name string, p []byte) error {
			sections[name] = append(sections[name], p...)
			return nil
		})); err != nil {
			t.Fatal(err)
		}
		again, err := Decode(kind.NewReader(func(name string) ([]byte, error) { return sections[name], nil }))
		if err != nil {
			t.Fatal(err)
		}
		if fmt.Sprint(again.Rows, again.Words, again.Contexts) != fmt.Sprint(m.Rows, m.Words, m.Contexts) {
			t.Errorf("%v, want %v", again.Rows, m.Rows)
		}
		if i, ok := again.Find("b"); !ok || i != 1 {
			t.Error("the words are not indexed")
		}
	}
}
