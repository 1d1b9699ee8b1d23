package codec_test

import (
	"context"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"parlance/algo/option"
	"parlance/algo/text"
	"parlance/storage/files"
	"parlance/storage/format"
	"parlance/storage/format/codec"
	"parlance/storage/format/formattest"
	"parlance/storage/value"
)

// all is all formats.
var all = formattest.Suite(format.List())

// readChunks reads with chunks of some kilobytes, so that a short text has many, and counts them.
func readChunks(c codec.Codec, s string, workers int) (got formattest.Collected, chunks int, err error) {
	src, err := codec.OpenSources(files.Anywhere, nil, strings.NewReader(s), "")
	if err != nil {
		return got, 0, err
	}
	err = codec.ReadInChunks(context.Background(), c, src, workers, 4<<10,
		func(docs []*text.Document, places []string) error {
			got.Docs, got.Places = append(got.Docs, docs...), append(got.Places, places...)
			chunks++
			return nil
		})
	return got, chunks, err
}

func TestWorkersAgree(t *testing.T) {
	for _, f := range format.List() {
		if f.Target != codec.Documents || !f.Reads() {
			continue
		}
		if !codec.ReadsBlocks(f.New()) {
			continue
		}
		t.Run(f.Name, func(t *testing.T) {
			name := f.Name
			var args []option.Arg
			switch name {
			case "conll", "conll2000", "conll2002":
				args = append(args,
					option.Arg{Name: "columns", List: []option.Arg{{Value: value.Str("form")}, {Value: value.Str("xpos")},
						{Value: value.Str("chunks")}, {Value: value.Str("entities")}}})
				name = "conll2003"
			case "brown":
				args = append(args, formattest.Arg("document", value.Str("2")))
			case "text":
				args = append(args, formattest.Arg("document", value.Str(`^text`)))
			}
			in := formattest.Workload(name, 2000)
			one, chunks, err := readChunks(all.Configure(t, f.Name, args...), in, 1)
			if err != nil {
				t.Fatal(err)
			}
			if chunks < 10 || len(one.Docs) < 200 {
				t.Fatalf("%d documents in %d chunks", len(one.Docs), chunks)
			}
			four, _, err := readChunks(all.Configure(t, f.Name, args...), in, 4)
			if err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(one.Places, four.Places) {
				t.Fatal(cmp.Diff(one.Places, four.Places))
			}
			for i, d := range one.Docs {
				if !reflect.DeepEqual(d, four.Docs[i]) {
					t.Fatal(cmp.Diff(d, four.Docs[i]))
				}
			}
		})
	}
}

// The first fault of a file is reported for any number of workers.
func TestWorkersFault(t *testing.T) {
	in := formattest.Workload("conll2003", 2000)
	lines := strings.SplitAfter(in, "\n")
	for _, at := range []int{3001, 6001, 7001} {
		for strings.TrimSpace(lines[at]) == "" || strings.HasPrefix(lines[at], "-DOC") {
			at++
		}
		lines[at] = "broken\n"
	}
	in = strings.Join(lines, "")
	var want string
	for _, workers := range []int{1, 2, 4, 8} {
		_, _, err := readChunks(all.Configure(t, "conll2003"), in, workers)
		if err == nil || !regexp.MustCompile(`^stdin:300\d: 1 column, 4 are named`).MatchString(err.Error()) {
			t.Fatalf("%d workers: %v", workers, err)
		}
		if want == "" {
			want = err.Error()
		}
		if err.Error() != want {
			t.Errorf("%d workers: %v, one worker: %s", workers, err, want)
		}
	}
}
