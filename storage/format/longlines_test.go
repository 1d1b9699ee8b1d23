package format

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"parlance/algo/testutil/testtime"
	"parlance/algo/text"
	"parlance/storage/files"
	"parlance/storage/format/codec"
)

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
		src, err := codec.OpenSources(files.Anywhere, []string{path}, nil, "")
		if err != nil {
			t.Fatal(err)
		}
		ctx := &longest{Context: context.Background(), last: testtime.Start()}
		err = codec.ReadDocuments(ctx, suite.Configure(t, c.format), src, 1,
			func([]*text.Document, []string) error { return nil })
		if ctx.Err(); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		if ctx.most > testtime.Allow(most) {
			t.Errorf("%s: %v without a look at the context, before%s", c.name, ctx.most, ctx.at)
		}
		if src, err = codec.OpenSources(files.Anywhere, []string{path}, nil, ""); err != nil {
			t.Fatal(err)
		}
		over := &endsAfter{Context: context.Background(), looks: 500}
		err = codec.ReadDocuments(over, suite.Configure(t, c.format), src, 1,
			func([]*text.Document, []string) error { return nil })
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
