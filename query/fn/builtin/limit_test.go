package builtin

import (
	"context"
	"errors"
	"strings"
	"testing"

	"parlance/query/fn"
	"parlance/storage/value"
)

// TestTextLimit refuses texts and arrays that would be too long; those at the limit are made.
func TestTextLimit(t *testing.T) {
	text, items := fn.MaxTextBytes, fn.MaxItems
	defer func() { fn.MaxTextBytes, fn.MaxItems = text, items }()
	fn.MaxTextBytes, fn.MaxItems = 1000, 100
	table, err := NewTable()
	if err != nil {
		t.Fatal(err)
	}
	x := func(n int) value.Value { return value.Str(strings.Repeat("x", n)) }
	for _, tc := range []struct {
		name     string
		args     []value.Value
		fits     bool
		tooLarge error
	}{
		{"replace", []value.Value{x(10), x(1), x(100)}, true, nil},
		{"replace", []value.Value{x(10), x(1), x(101)}, false, fn.ErrTooLong},
		{"concat", []value.Value{x(500), x(500)}, true, nil},
		{"concat", []value.Value{x(500), x(501)}, false, fn.ErrTooLong},
		{"concat_ws", []value.Value{x(10), x(495), x(495)}, true, nil},
		{"concat_ws", []value.Value{x(11), x(495), x(495)}, false, fn.ErrTooLong},
		{"format", []value.Value{value.Str("%1$s%1$s"), x(500)}, true, nil},
		{"format", []value.Value{value.Str("%1$s %1$s"), x(500)}, false, fn.ErrTooLong},
		{"format", []value.Value{value.Str("%*s"), value.Int(1000), x(0)}, true, nil},
		{"format", []value.Value{value.Str("%*s"), value.Int(1001), x(0)}, false, fn.ErrTooLong},
		{"lpad", []value.Value{x(1), value.Int(1000)}, true, nil},
		{"lpad", []value.Value{x(1), value.Int(1001)}, false, fn.ErrTooLong},
		{"regexp_replace", []value.Value{x(400), value.Str("x+"), value.Str("$0$0")}, true, nil},
		{"regexp_replace", []value.Value{x(400), value.Str("x+"), value.Str("$0$0$0")}, false, fn.ErrTooLong},
		{"regexp_replace", []value.Value{x(10), value.Str("x"), x(101)}, false, fn.ErrTooLong},
		{"json_build_array", []value.Value{x(996)}, true, nil},
		{"json_build_array", []value.Value{x(997)}, false, fn.ErrTooLong},
		{"string_to_array", []value.Value{value.Str(strings.Repeat(",", 99)), value.Str(",")}, true, nil},
		{"string_to_array", []value.Value{value.Str(strings.Repeat(",", 100)), value.Str(",")}, false, fn.ErrItems},
		{"cardinality", []value.Value{{T: value.JSON, S: "[1" + strings.Repeat(",1", 99) + "]"}}, true, nil},
		{"cardinality", []value.Value{{T: value.JSON, S: "[1" + strings.Repeat(",1", 100) + "]"}}, false, fn.ErrItems},
	} {
		v, err := table.Scalar(tc.name).Call(t.Context(), tc.args)
		if tc.fits && (err != nil || v.IsNull()) || !tc.fits && !errors.Is(err, tc.tooLarge) {
			t.Errorf("%s with texts of %d bytes: %.20v, %v", tc.name, len(tc.args[0].S), v, err)
		}
	}
	for _, name := range []string{"string_agg", "array_agg"} {
		acc, err := table.Aggregate(name).New(), error(nil)
		for n := 0; err == nil && n < 20; n++ {
			err = acc.Add([]value.Value{x(100), value.Str(",")})
		}
		if !errors.Is(err, fn.ErrTooLong) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestLongArraysEnd cancels functions before they begin; each notices among many members.
func TestLongArraysEnd(t *testing.T) {
	table, err := NewTable()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	const n = 2 * fn.CheckInterval
	list := value.Value{T: value.JSON, S: "[1" + strings.Repeat(",1", n) + "]"}
	braced := value.Str("{a" + strings.Repeat(",a", n) + "}")
	for _, tc := range []struct {
		name string
		args []value.Value
	}{
		{"string_to_array", []value.Value{value.Str(strings.Repeat("x,", n)), value.Str(",")}},
		{"array_to_string", []value.Value{list, value.Str(",")}},
		{"cardinality", []value.Value{list}},
		{"cardinality", []value.Value{braced}},
		{"array_position", []value.Value{list, value.Int(2)}},
		{"array_append", []value.Value{list, value.Int(2)}},
		{"array_remove", []value.Value{list, value.Int(2)}},
		{"split_part", []value.Value{value.Str(strings.Repeat("x,", n)), value.Str(","), value.Int(n)}},
		{"feat", []value.Value{value.Str(strings.Repeat("a=b|", n)), value.Str("c")}},
		{"reverse", []value.Value{value.Str(strings.Repeat("x", 2*fn.ChunkBytes))}},
		{"initcap", []value.Value{value.Str(strings.Repeat("x", 2*fn.ChunkBytes))}},
	} {
		if _, err := table.Scalar(tc.name).Call(ctx, tc.args); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", tc.name, err)
		}
		if _, err := table.Scalar(tc.name).Call(t.Context(), tc.args); err != nil {
			t.Errorf("%s: %v", tc.name, err)
		}
	}
}

// quick are the functions over texts without Long: they read a text once without looking at its parts, or refuse long
// ones.
var quick = strings.Fields(`
	abs age ascii bit_count bit_length bm25 bucket char_length coalesce concat concat_ws convert_from convert_to cosine
	date_add date_bin date_diff date_part date_trunc div dot ends_with get_bit get_byte greatest isfinite justify_days
	justify_hours justify_interval l2_distance least left length lpad make_timestamptz match md5 norm nullif
	num_nonnulls num_nulls octet_length overlay pg_char_to_encoding pg_typeof position repeat replace right rpad
	same_sentence set_bit set_byte sha224 sha256 sha384 sha512 split starts_with strpos substr substring timezone typeof
	vector_add vector_dims vector_scale vector_sub
`)

// TestLongTextsAreWatched lists the functions that take texts: those that are not quick end with their context.
func TestLongTextsAreWatched(t *testing.T) {
	table, err := NewTable()
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]bool{}
	for _, name := range quick {
		known[name] = true
		if f := table.Scalar(name); f == nil || f.Long != nil {
			t.Errorf("%s needs no entry", name)
		}
	}
	for _, f := range table.Scalars() {
		texts := false
		for _, a := range f.Args {
			texts = texts || a != value.Integer && a != value.Float && a != value.Boolean
		}
		if texts && !f.Host && f.Long == nil && !known[f.Name] {
			t.Errorf("%s takes texts: it has Long, or is quick", f.Name)
		}
	}
}

// TestLongTextsEnd cancels functions that look at words, members or keys before they begin.
func TestLongTextsEnd(t *testing.T) {
	table, err := NewTable()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	const n = 3 * fn.CheckInterval
	json := func(s string) value.Value { return value.Value{T: value.JSON, S: s} }
	object, list := json(`{"a":1`+strings.Repeat(`,"k":1`, n)+"}"), json("[1"+strings.Repeat(",1", n)+"]")
	words, large := value.Str(strings.Repeat("b ", n)), value.Str(strings.Repeat("é", fn.ChunkBytes))
	for name, args := range map[string][]value.Value{
		"json_get":                {object, value.Str("a")},
		"json_get_text":           {list, value.Int(-1)},
		"json_extract":            {object, value.Str("$.a")},
		"json_value":              {object, value.Str("$.a")},
		"json_keys":               {object},
		"jsonb_extract_path":      {json("[1]"), list},
		"jsonb_extract_path_text": {object, value.Str("{a}")},
		"cardinality":             {value.Str("1" + strings.Repeat(" 1", n))},
		"jaccard":                 {value.Str("a"), words},
		"trigram_similarity":      {value.Str("a"), words},
		"json_build_array":        {value.Int(1), large},
		"json_build_object":       {value.Str("k"), large},
		"btrim":                   {value.Str("a"), large},
		"encode":                  {value.Blob(make([]byte, 2*fn.ChunkBytes)), value.Str("escape")},
		"ltrim":                   {value.Str(strings.Repeat(" ", fn.ChunkBytes))},
	} {
		f := table.Scalar(name)
		if f.Long == nil {
			t.Errorf("%s has no Long", name)
			continue
		}
		if _, err := f.Long(ctx, args); !errors.Is(err, context.Canceled) {
			t.Errorf("%s does not notice that its context has ended: %v", name, err)
		}
		if _, err := f.Call(t.Context(), args); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
