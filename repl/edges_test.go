package repl

import (
	"bytes"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"parlance/db"
	"parlance/storage/value"
)

// TestPictures: at both ends of each range of characters that would steer a terminal, and beside it.
func TestPictures(t *testing.T) {
	const broken = '\ufffd'
	for c, want := range map[rune]rune{0: '␀', '\r': -1, '\n': '␊', 0x1f: '␟', ' ': ' ', 0x7e: '~', 0x7f: '␡',
		0x80: broken, 0x9f: broken, 0xa0: 0xa0, 0x2029: 0x2029, 0x202a: broken, 0x202e: broken, 0x202f: 0x202f,
		0x2065: 0x2065,
		0x2066: broken, 0x2069: broken, 0x206a: 0x206a} {
		if got := picture(c); got != want {
			t.Errorf("%U is shown as %U, not %U", c, got, want)
		}
	}
}

// TestFigures: how figures and times are rounded, on both sides of where that changes.
func TestFigures(t *testing.T) {
	for in, want := range map[float64]float64{0.12346: 0.1235, -0.12346: -0.1235, 0.00104: 0.001, 0.0009996: 0.0009996,
		-0.0009996: -0.0009996, 0.001: 0.001, 12.00004: 12, 0: 0} {
		if got := rounded(value.Real(in)); got.Float() != want {
			t.Errorf("%v is rounded to %v, not %v", in, got, want)
		}
	}
	if got := rounded(value.Int(12345678)); got != value.Int(12345678) {
		t.Errorf("a whole number becomes %v", got)
	}
	for in, want := range map[float64]string{0: "0.00 s", 9.5: "9.50 s", 10: "10 s", 10.75: "11 s"} {
		if got := secondsOf(in); got != want {
			t.Errorf("%v seconds are %s, not %s", in, got, want)
		}
	}
	for in, want := range map[string]value.Value{"1.5": value.Real(1.5), "x": {}, "": {}, "-2": value.Real(-2)} {
		if got := figure(value.Str(in)); got != want {
			t.Errorf("%q is the figure %v, not %v", in, got, want)
		}
	}
}

// TestLongestOfHistory: a statement that fits, as it is written, is kept; one of a byte more is not.
func TestLongestOfHistory(t *testing.T) {
	h := newHistory(filepath.Join(t.TempDir(), "history"))
	for n, want := range map[int]int{longestKept - len(`""`): 1, longestKept - len(`""`) + 1: 0} {
		before := h.Len()
		if _, err := h.Write(strings.Repeat("x", n)); err != nil || h.Len()-before != want {
			t.Errorf("%d bytes: %d more entries, %v", n, h.Len()-before, err)
		}
	}
}

// TestWordsOfCopy reads words, signs and quoted texts, at the end of the line too.
func TestWordsOfCopy(t *testing.T) {
	for line, want := range map[string][]string{
		"t FROM 'a b' x": {"t", "FROM", "'a b'", "x"}, "(a,b)": {"(", "a", ",", "b", ")"}, "'a''b'c": {"'a''b'", "c"},
		"'it''s'": {"'it''s'"}, `"a""b"'`: {`"a""b"`, "'"}, "'open": {"'open"}, "'": {"'"}, "''": {"''"}, "'''": {"'''"},
		"'a''": {"'a''"}, " \t": nil, "": nil, "é_1.x ": {"é_1", ".", "x"}, "''''a": {"''''", "a"},
	} {
		var got []string
		rest := line
		for {
			n, token := nextWord(rest)
			if token == "" {
				break
			}
			got, rest = append(got, token), rest[n:]
		}
		if strings.Join(got, "|") != strings.Join(want, "|") {
			t.Errorf("%s: %q, not %q", line, got, want)
		}
	}
}

// TestWidestConfusions: as many labels as a matrix has room for are a matrix, one more a list.
func TestWidestConfusions(t *testing.T) {
	for n, list := range map[int]bool{widestMatrix - 1: false, widestMatrix: false, widestMatrix + 1: true} {
		var pairs []confusion
		for i := range n {
			label := "l" + strconv.Itoa(i)
			pairs = append(pairs, confusion{gold: label, predicted: label, count: value.Int(int64(i + 1))})
		}
		p := confusionPanel(nil, pairs)
		if is := len(p.columns) != n+1; is != list {
			t.Errorf("%d labels: %d columns", n, len(p.columns))
		}
		if list {
			continue
		}
		for i, row := range p.list { // labels stand in the order of their texts
			for k, v := range row[1:] {
				want := int64(0)
				if i == k {
					label, _ := strconv.Atoi(row[0].S[1:])
					want = int64(label + 1)
				}
				if v.Int() != want {
					t.Errorf("%d labels: row %d, column %d is %v, not %d", n, i, k, v, want)
				}
			}
		}
	}
}

// TestVerticalWidths: long values of vertical rows are broken where twelve cells or more are left beside the names.
func TestVerticalWidths(t *testing.T) {
	rows := func() rows {
		return &replayed{rows: &emptyRows{columns: []db.Column{{Name: "name", Type: "text"}, {Name: "n", Type: "text"}}},
			first: [][]value.Value{{value.Str("aaaaa bbbbb ccccc"), value.Str("x")}}}
	}
	for screen, lines := range map[int]int{18: 3, 19: 4, 24: 3, 0: 3} { // name, blank, line, blank: 7 cells
		var b bytes.Buffer
		if err := vertical(&b, rows(), look{}, screen); err != nil {
			t.Fatal(err)
		}
		if got := strings.Count(b.String(), "\n"); got != lines {
			t.Errorf("%d cells: %d lines, not %d:\n%s", screen, got, lines, b.String())
		}
	}
}

// emptyRows are columns without rows.
type emptyRows struct {
	rows
	columns []db.Column
}

func (e *emptyRows) Columns() []db.Column { return e.columns }
func (e *emptyRows) Next() bool           { return false }
func (e *emptyRows) Err() error           { return nil }
func (e *emptyRows) Close() error         { return nil }

// TestOddGroups: lines of the list of control groups that say nothing stand before one that does; limits of 0 and of
// what version 1 writes for none are none.
func TestOddGroups(t *testing.T) {
	const v1, v2 = "sys/fs/cgroup/memory/memory.limit_in_bytes", "sys/fs/cgroup/memory.max"
	for _, c := range []struct {
		groups, file, limit string
		want                int64
	}{
		{"odd\n4:memory:/\n", v1, "800", 800}, {"x:y\n0::/\n", v2, "700", 700}, {"0:cpu:/\n", v2, "700", 0},
		{"1::/\n", v2, "700", 0}, {"0::/\n", v2, "0", 0}, {"0::/\n", v2, "1", 1}, {"0::/\n", v2, "-1", 0},
		{"0::/\n", v2, strconv.Itoa(1 << 60), 0}, {"0::/\n", v2, strconv.Itoa(1<<60 - 1), 1<<60 - 1},
	} {
		root := fstest.MapFS{"proc/self/cgroup": {Data: []byte(c.groups)}, c.file: {Data: []byte(c.limit + "\n")}}
		if got := groupMemory(root); got != c.want {
			t.Errorf("%q with %s: %d, not %d", c.groups, c.limit, got, c.want)
		}
	}
}

// TestProgressOfShards: the share stands in the line once it is above nothing; without being asked, files get no line.
func TestProgressOfShards(t *testing.T) {
	for _, c := range []struct {
		asked bool
		share float64
		want  string
	}{{true, 0, "documents/s\n"}, {true, 0.005, "documents/s  0 %\n"}, {true, 0.5, "documents/s  50 %\n"}, {true, 1,
		"documents/s  100 %\n"}, {false, 1, ""}} {
		var b bytes.Buffer
		p := &shardProgress{asked: c.asked, w: &b, bar: &bar{w: &b}, total: 3, began: time.Now()}
		p.show(db.Progress{Step: 5, Share: c.share})
		if !strings.HasSuffix(b.String(), c.want) || c.want == "" && b.Len() > 0 {
			t.Errorf("asked %v, share %v: %q", c.asked, c.share, b.String())
		}
	}
}

// TestPauseOfWatch: from a tenth of a second to a day.
func TestPauseOfWatch(t *testing.T) {
	for pause, fits := range map[string]bool{"0.099": false, "0.1": true, "86400": true, "86401": false, "x": false,
		"-1": false} {
		sh := &shell{runner: &runner{}, src: &source{}}
		err := sh.watch(t.Context(), []string{"", pause})
		if is := err == nil || !strings.Contains(err.Error(), "takes seconds"); is != fits {
			t.Errorf("%s: %v", pause, err)
		}
	}
}
