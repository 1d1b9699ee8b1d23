package fn

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"parlance/storage/value"

	"pgregory.net/rapid"
)

// call evaluates a built-in function.
func call(t testing.TB, name string, args ...value.Value) (value.Value, error) {
	t.Helper()
	table, err := NewTable()
	if err != nil {
		t.Fatal(err)
	}
	f := table.Scalar(name)
	if f == nil {
		t.Fatalf("there is no function %s", name)
	}
	return f.Call(context.Background(), args)
}

// TestSimilarity checks published values.
func TestSimilarity(t *testing.T) {
	for _, c := range []struct {
		name, a, b string
		want       float64
	}{
		{"jaro", "MARTHA", "MARHTA", 0.944444}, {"jaro_winkler", "MARTHA", "MARHTA", 0.961111},
		{"jaro_winkler", "DWAYNE", "DUANE", 0.84}, {"jaro_winkler", "DIXON", "DICKSONX", 0.813333},
		{"jaro_winkler", "", "", 1}, {"jaro_winkler", "a", "", 0}, {"jaro_winkler", "Zoë", "Zoë", 1},
		{"trigram_similarity", "word", "two words", 0.363636}, {"trigram_similarity", "Word!", "word", 1},
		{"jaccard", "a b c", "b c d", 0.5}, {"jaccard", "", " ", 1}, {"jaccard", "a", "A", 0},
	} {
		got, err := call(t, c.name, value.Str(c.a), value.Str(c.b))
		if err != nil || math.Abs(got.Float()-c.want) > 1e-6 {
			t.Errorf("%s(%s, %s) = %v %v, want %v", c.name, c.a, c.b, got, err, c.want)
		}
	}
	for word, want := range map[string]string{"Robert": "R163", "Rupert": "R163", "Rubin": "R150", "Ashcraft": "A261", "Ashcroft": "A261", "Tymczak": "T522",
		"Pfister": "P236", "Honeyman": "H555", "Lee": "L000", "Jackson": "J250", "Gutierrez": "G362", "": "", "12": "", "O'Hara": "O600"} {
		if got, _ := call(t, "soundex", value.Str(word)); got.S != want {
			t.Errorf("soundex(%s) = %s, want %s", word, got.S, want)
		}
	}
}

// TestSimilarityBounds checks symmetry, identity and range.
func TestSimilarityBounds(t *testing.T) {
	word := rapid.StringMatching(`[abcX ]{0,8}`)
	rapid.Check(t, func(rt *rapid.T) {
		a, b := value.Str(word.Draw(rt, "a")), value.Str(word.Draw(rt, "b"))
		for _, name := range []string{"jaro", "jaro_winkler", "trigram_similarity", "jaccard"} {
			ab, _ := call(t, name, a, b)
			ba, _ := call(t, name, b, a)
			aa, _ := call(t, name, a, a)
			if math.Abs(ab.Float()-ba.Float()) > 1e-12 || ab.Float() < 0 || ab.Float() > 1 || aa.Float() != 1 {
				rt.Fatalf("%s: %v %v %v", name, ab, ba, aa)
			}
		}
	})
}

// TestSpanAlgebra compares span functions with sets of positions.
func TestSpanAlgebra(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		draw := func(name string) (value.Value, value.Value, map[int64]bool) {
			from := rapid.Int64Range(0, 6).Draw(rt, name)
			to := from + rapid.Int64Range(1, 4).Draw(rt, name)
			set := map[int64]bool{}
			for i := from; i < to; i++ {
				set[i] = true
			}
			return value.Int(from), value.Int(to), set
		}
		a, b, x := draw("first")
		c, d, y := draw("second")
		common, all := int64(0), int64(len(y))
		for i := range x {
			if y[i] {
				common++
			} else {
				all++
			}
		}
		gap := int64(-1) // positions between, -1 where they overlap
		if common == 0 {
			gap = 0
			for i := min(b.Int(), d.Int()); i < max(a.Int(), c.Int()); i++ {
				gap++
			}
		}
		k := rapid.Int64Range(0, 3).Draw(rt, "k")
		check := func(name string, want value.Value, args ...value.Value) {
			if got, err := call(t, name, args...); err != nil || got != want {
				rt.Fatalf("%s(%v) = %v %v, want %v", name, args, got, err, want)
			}
		}
		distance := value.Int(gap)
		if gap < 0 {
			distance = value.Value{}
		}
		check("span_distance", distance, a, b, c, d)
		check("token_distance", distance, a, value.Int(b.Int()-1), c, value.Int(d.Int()-1))
		check("adjacent", value.Bool(gap == 0), a, b, c, d)
		check("overlaps", value.Bool(common > 0), a, b, c, d)
		check("overlap_length", value.Int(common), a, b, c, d)
		check("span_jaccard", value.Real(float64(common)/float64(all)), a, b, c, d)
		check("precedes", value.Bool(gap >= 0 && a.Int() < c.Int()), a, b, c, d)
		check("precedes", value.Bool(gap >= 0 && a.Int() < c.Int() && gap <= k), a, b, c, d, value.Int(k))
		check("follows", value.Bool(gap >= 0 && c.Int() < a.Int() && gap <= k), a, b, c, d, value.Int(k))
		check("span_union", jsonSpan(min(a.Int(), c.Int()), max(b.Int(), d.Int())), a, b, c, d)
	})
}

func TestTimes(t *testing.T) {
	at := func(s string) value.Value {
		v, err := value.Cast(value.Str(s), value.Timestamp)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	for _, c := range []struct {
		unit, from, to string
		want           int64
	}{
		{"day", "2024-02-28", "2024-03-01", 2}, {"month", "2024-01-31", "2024-02-29", 1}, {"month", "2024-01-31", "2024-02-28", 0}, {"year", "2020-02-29", "2021-02-28", 1},
		{"year", "2020-03-01", "2021-02-28", 0}, {"quarter", "2020-01-01", "2020-12-31", 3}, {"week", "2024-01-01", "2024-01-14", 1}, {"second", "2024-01-02", "2024-01-01", -86400},
		{"month", "2024-03-01", "2024-01-31", -1}, {"hour", "2024-01-01 00:30", "2024-01-01 02:29", 1},
	} {
		got, err := call(t, "date_diff", value.Str(c.unit), at(c.from), at(c.to))
		if err != nil || got.Int() != c.want {
			t.Errorf("date_diff(%s, %s, %s) = %v %v, want %d", c.unit, c.from, c.to, got, err, c.want)
		}
	}
	// What is n units later is n units away, but for days that a month lacks.
	rapid.Check(t, func(rt *rapid.T) {
		unit := rapid.SampledFrom([]string{"second", "minute", "hour", "day", "week", "month", "quarter", "year"}).Draw(rt, "unit")
		n := rapid.Int64Range(-200, 200).Draw(rt, "n")
		from := value.Value{T: value.Timestamp, N: uint64(rapid.Int64Range(0, 2e15).Draw(rt, "time"))}
		to, err := call(t, "date_add", value.Str(unit), value.Int(n), from)
		if err != nil {
			rt.Fatal(err)
		}
		got, err := call(t, "date_diff", value.Str(unit), from, to)
		if err != nil || got.Int() != n && (n > 0 || from.Time().Day() <= 28) {
			rt.Fatalf("%s %d from %s is %s, %v away (%v)", unit, n, from, to, got, err)
		}
	})
	rapid.Check(t, func(rt *rapid.T) {
		v := value.Value{T: value.Timestamp, N: uint64(rapid.Int64Range(-62135596800000000, 253402300799999999).Draw(rt, "time"))}
		for _, format := range []string{"%Y-%m-%dT%H:%M:%S.%f", "%d. %B %Y, %I:%M:%S %p 100%% .%f", "%Y%m%d%H%M%S%f", "%a %b %d %Y %H.%M.%S %f", "%Y/%j %H %M %S %f"} {
			s, err := call(t, "strftime", value.Str(format), v)
			if err != nil {
				rt.Fatal(err)
			}
			back, err := call(t, "strptime", s, value.Str(format))
			if err != nil || back != v {
				rt.Fatalf("%s as %s reads back as %s (%v)", v, s, back, err)
			}
		}
	})
	for _, c := range [][2]string{{"x", "%Y"}, {"2024-13", "%Y-%m"}, {"2024", "%Y-%m"}, {"2024x", "%Y"}, {"2024", "%Q"}, {"2024", "%Y%"}} {
		if v, err := call(t, "strptime", value.Str(c[0]), value.Str(c[1])); err == nil {
			t.Errorf("strptime(%s, %s) = %v", c[0], c[1], v)
		}
	}
}

func TestJSON(t *testing.T) {
	doc := `{"a": [1, {"b c": "x\"y"}, null], "n": 1.50, "é": true}`
	for _, c := range [][3]string{
		{"json_extract", "$.a[1]", `{"b c": "x\"y"}`}, {"json_value", `$.a[1]["b c"]`, `x"y`}, {"json_value", "$.n", "1.50"}, {"json_value", "$.a[-1]", ""},
		{"json_extract", "$.a[-1]", "null"}, {"json_value", "$.é", "true"}, {"json_value", "$.a.b", ""}, {"json_extract", "$", doc}, {"json_value", "$.a[7]", ""},
	} {
		got, err := call(t, c[0], value.Str(doc), value.Str(c[1]))
		if err != nil || got.String() != c[2] {
			t.Errorf("%s %s = %q %v, want %q", c[0], c[1], got, err, c[2])
		}
	}
	for _, path := range []string{"", "a", "$a", "$.", "$[", "$[x]", `$["a]`, `$["a"`, "$..a"} {
		if v, err := call(t, "json_extract", value.Str(doc), value.Str(path)); err == nil || !strings.Contains(err.Error(), "a path is") {
			t.Errorf("path %s gives %v %v", path, v, err)
		}
	}
	if _, err := call(t, "json_get", value.Str("{"), value.Str("a")); err == nil {
		t.Error("{ is JSON")
	}
}

func FuzzJSONPath(f *testing.F) {
	for _, s := range []string{"$.a[0]", `$["\"é"].b`, "$[-1].", "$[99999999999999999999]"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		_, _ = call(t, "json_extract", value.Str(`{"a":[1]}`), value.Str(s))
		_, _ = call(t, "strptime", value.Str(s), value.Str(s))
	})
}

// TestParts compares parts of times, and times cut to parts, with those of PostgreSQL 15.
func TestParts(t *testing.T) {
	at := value.Time(time.Date(2027, 1, 3, 10, 20, 30, 456_000_000, time.UTC)) // a Sunday
	for part, want := range map[string]float64{"quarter": 1, "week": 53, "isoyear": 2026, "doy": 3, "dow": 0, "isodow": 7, "milliseconds": 30456, "microseconds": 30456000, "second": 30.456} {
		if v, err := datePart([]value.Value{value.Str(part), at}); err != nil || v.Float() != want {
			t.Errorf("%s is %v, %v, not %v", part, v, err, want)
		}
	}
	for part, want := range map[string]string{"week": "2026-12-28 00:00:00", "quarter": "2027-01-01 00:00:00", "second": "2027-01-03 10:20:30"} {
		if v, err := dateTrunc([]value.Value{value.Str(part), at}); err != nil || v.String() != want {
			t.Errorf("cut to %s it is %v, %v, not %s", part, v, err, want)
		}
	}
}

// TestLongComparisonsEnd cancels comparisons of texts that take them long.
func TestLongComparisonsEnd(t *testing.T) {
	table, err := NewTable()
	if err != nil {
		t.Fatal(err)
	}
	args := []value.Value{value.Str(strings.Repeat("ab", 8000)), value.Str(strings.Repeat("cd", 8000))}
	for _, name := range []string{"levenshtein", "jaro", "jaro_winkler"} {
		if _, err := table.Scalar(name).Call(&looks{Context: context.Background()}, args); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", name, err)
		}
	}
	args = []value.Value{value.Str(strings.Repeat("é", 2<<20))}
	for _, name := range []string{"upper", "lower"} {
		if v, err := table.Scalar(name).Call(context.Background(), args); err != nil || len(v.S) != 4<<20 || !strings.EqualFold(v.S[:4096], args[0].S[:4096]) {
			t.Errorf("%s: %d bytes, %v", name, len(v.S), err)
		}
		if _, err := table.Scalar(name).Call(&looks{Context: context.Background()}, args); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
