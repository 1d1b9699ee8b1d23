package format

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"parlance/algo/testutil/testtime"
	"parlance/algo/text"
	"parlance/storage/files"
)

// TestDecodeLarge: a value that is decoded token by token is what the library makes of the whole, and so are errors.
func TestDecodeLarge(t *testing.T) {
	never := func() error { return nil }
	for _, in := range []string{
		`{"a": [1, -2.5e300, "é\u00e9\ud800", null, true, {}], "a": 2, "b": {"c": []}}`, `[]`, `{}`,
		`"x"`, `1`, ``, ` `, `{`, `[`, `{"a"`, `{"a":`, `{"a":1`, `{"a":1,`, `{"a":1,}`, `[1,]`, `[1`, `[1 2]`,
		`{"a" 1}`, `{1: 2}`,
		`{"a": tru}`, `nul`, `"x`, `[1]]`, strings.Repeat("[", 9000) + strings.Repeat("]", 9000),
		strings.Repeat("[", 10002) + strings.Repeat("]", 10002), `{"a": 01}`, "{\"a\": \"\x01\"}"} {
		var want any
		dec := json.NewDecoder(strings.NewReader(in))
		dec.UseNumber()
		wrong := dec.Decode(&want)
		got, _, err := decodeLarge(in, never)
		if (err == nil) != (wrong == nil) || err == nil && !reflect.DeepEqual(got, want) {
			t.Errorf("%.40s: %v, %v, want %v, %v", in, got, err, want, wrong)
		}
		if err != nil && jsonFault(err).Error() != jsonFault(wrong).Error() && jsonFault(wrong) != wrong {
			t.Errorf("%.40s: %v, want %v", in, err, wrong)
		}
	}
}

// longest is a context that keeps the longest time that was computed between two looks at it, and where it ended.
type longest struct {
	context.Context
	last testtime.Watch
	most time.Duration
	at   string
}

func (l *longest) Err() error {
	if d := l.last.Took(); d > l.most {
		var pc [12]uintptr
		frames := runtime.CallersFrames(pc[:runtime.Callers(2, pc[:])])
		l.most, l.at = d, ""
		for f, more := frames.Next(); more; f, more = frames.Next() {
			l.at += fmt.Sprintf(" %s:%d", filepath.Base(f.File), f.Line)
		}
	}
	l.last = testtime.Start()
	return nil
}

// TestLongLinesLook: readers of annotations look at the context within a line. With PARLANCE_LARGE it has 100 MB, and
// no stretch between looks takes a second.
func TestLongLinesLook(t *testing.T) {
	testtime.Alone(t)
	size, most := 12<<20, 500*time.Millisecond
	if os.Getenv("PARLANCE_LARGE") != "" {
		size, most = 100<<20, time.Second
	}
	content := strings.Repeat("word ", 2000)
	spans := func(begin, each, end string) string {
		var b strings.Builder
		b.WriteString(begin)
		for i := 0; b.Len() < size; i++ {
			if i > 0 {
				b.WriteByte(',')
			}
			at := 5 * (i % 2000)
			fmt.Fprintf(&b, each, at, at+4)
		}
		return b.String() + end + "\n"
	}
	for _, c := range []struct {
		name, format, file string
	}{
		{"prodigy", "prodigy", spans(`{"text": "`+content+`", "spans": [`, `{"start": %d, "end": %d, "label": "X"}`,
			`], "answer": "accept"}`)},
		{"doccano", "doccano", spans(`{"text": "`+content+`", "label": [`, `[%d, %d, "X"]`, `]}`)},
		{"label_studio", "label_studio", spans(`[{"data": {"text": "`+content+`"}, "annotations": [{"result": [`,
			`{"type": "labels", "value": {"start": %d, "end": %d, "labels": ["X"]}}`, `]}]}]`)},
		{"spacy", "spacy", spans(`{"text": "`+content+`", "entities": [`, `[%d, %d, "X"]`, `]}`)},
		{"hf", "hf", spans(`{"id": 1, "tokens": [`, `"w%d-%d"`, `]}`)},
		{"jsonl", "jsonl", spans(`{"text": "`+content+`", "entities": [`,
			`{"start": %d, "end": %d, "label": "X"}`, `]}`)},
		{"jsonl, metadata", "jsonl", spans(`{"text": "x", "more": [`, `{"a": %d, "b": %d}`, `]}`)},
	} {
		path := filepath.Join(t.TempDir(), "long.jsonl")
		if err := os.WriteFile(path, []byte(c.file), 0o600); err != nil {
			t.Fatal(err)
		}
		src, err := OpenSources(files.Anywhere, []string{path}, nil, "")
		if err != nil {
			t.Fatal(err)
		}
		ctx := &longest{Context: context.Background(), last: testtime.Start()}
		err = ReadDocuments(ctx, configure(t, c.format), src, 1, func([]*text.Document, []string) error { return nil })
		if ctx.Err(); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		if ctx.most > testtime.Allow(most) {
			t.Errorf("%s: %v without a look at the context, before%s", c.name, ctx.most, ctx.at)
		}
		if src, err = OpenSources(files.Anywhere, []string{path}, nil, ""); err != nil {
			t.Fatal(err)
		}
		over := &endsAfter{Context: context.Background(), looks: 500}
		err = ReadDocuments(over, configure(t, c.format), src, 1, func([]*text.Document, []string) error { return nil })
		if err != context.Canceled {
			t.Errorf("%s: the load was to end, and it says %v", c.name, err)
		}
	}
}

// endsAfter is a context that has ended after some looks.
type endsAfter struct {
	context.Context
	looks int
}

func (e *endsAfter) Err() error {
	if e.looks--; e.looks < 0 {
		return context.Canceled
	}
	return nil
}

// TestEncodeJSON: values are written as the library writes them.
func TestEncodeJSON(t *testing.T) {
	for _, in := range []string{`{"b": [1, "<&>é\u2028", null, {}], "a": {"y": 2, "x": true}}`, `[]`, `[[[]]]`, `-1.5e3`} {
		v, _, err := decodeLarge(in, func() error { return nil })
		if err != nil {
			t.Fatal(err)
		}
		want, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := encodeJSON(nil, v, &lookout{}); err != nil || string(got) != string(want) {
			t.Errorf("%s, %v, want %s", got, err, want)
		}
	}
}

// TestSortSpans: many spans are sorted as few are, and equal ones stay in their order.
func TestSortSpans(t *testing.T) {
	spans := make([]charSpan, 5*fewSpans)
	for i := range spans {
		spans[i] = charSpan{start: i * 7 % 10, end: 10 + i*11%3, label: fmt.Sprint(i)}
	}
	want := slices.Clone(spans)
	slices.SortStableFunc(want, func(x, y charSpan) int {
		return cmp.Or(cmp.Compare(x.start, y.start), cmp.Compare(y.end, x.end))
	})
	if err := sortSpans(spans, nil); err != nil || !slices.Equal(spans, want) {
		t.Errorf("%v %v", spans[:5], err)
	}
}
