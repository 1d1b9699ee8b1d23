package annotation

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"parlance/algo/option"
	"parlance/algo/text"
	"parlance/storage/files"
	"parlance/storage/format/codec"
	"parlance/storage/format/formattest"
	"parlance/storage/format/layers"
	"parlance/storage/format/offset"
	"parlance/storage/value"
)

// TestToolsReadWhatTheyWrite writes documents in each unit in which every span can be told, and reads them back.
func TestToolsReadWhatTheyWrite(t *testing.T) {
	for _, format := range []string{"doccano", "label_studio", "prodigy"} {
		t.Run(format, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				var docs []*text.Document
				for i := range 3 {
					d := formattest.ToolDocument(t, rapid.SampledFrom([]string{"%d", "d%d", "0%d", "-%d"}).Draw(t, "id"))
					d.ID = fmt.Sprintf(d.ID, i)
					switch format {
					case "prodigy": // relations need tokens
						d.DropLayer(text.Relations.Name)
						d.Fields = append(d.Fields, text.Field{Name: "answer", Value: value.Str("accept")})
					case "label_studio": // a task without layers has no annotation
						if d.Layer(text.Entities.Name) == nil {
							d.SetLayer(layers.Spans(d, text.Entities, nil))
						}
					}
					docs = append(docs, d)
				}
				unit := rapid.SampledFrom([]string{offset.CodePoints, offset.UTF16, offset.Bytes}).Draw(t, "unit")
				formattest.CheckDocuments(t, suite.Configure(t, format, formattest.Arg("offsets", value.Str(unit))), docs)
			})
		})
	}
}

// TestToolsWrite pins what is written, and what is told of what a tool does not hold.
func TestToolsWrite(t *testing.T) {
	d := &text.Document{ID: "7", Text: "A e\u0301 Ann ate",
		Fields: []text.Field{{Name: "year", Value: value.Int(2020)}, {Name: "none"}}}
	d.SetLayer(layers.Labels("x", "y"))
	d.SetLayer(layers.Spans(d, text.Entities, []layers.Span{{Start: 6, End: 9, Label: "PER"},
		{Start: 2, End: 3, Label: "E"}, {Start: 10, End: 13, Label: "V"}}))
	d.SetLayer(layers.Spans(d, text.Segments, []layers.Span{{Start: 0, End: 1, Label: "S"}}))
	d.SetLayer(layers.Relations([]layers.Relation{{Label: "r", SubjectStart: 6, SubjectEnd: 9, ObjectStart: 10,
		ObjectEnd: 13}, {Label: "s", SubjectStart: 0, SubjectEnd: 1, ObjectStart: 6, ObjectEnd: 9}}))
	for _, c := range []struct{ format, unit, want string }{
		{"doccano", offset.Graphemes, `{"id":7,"text":"A é Ann ate","year":2020,"entities":[{"id":1,"label":"PER","start_offset":4,` +
			`"end_offset":7},{"id":2,"label":"V","start_offset":8,"end_offset":11}],"relations":[{"id":1,"from_id":1,"to_id":2,` +
			`"type":"r"}],"cats":["x","y"]}
the layer segments of 1 document was left out, which doccano does not hold (the first in document 7)
1 span was left out: it begins or ends within what the offsets count as one character (the first in document 7)
1 relation was left out: its arguments are no entities of the document, which tools ask for (the first in document 7)
`},
		{"label_studio", offset.CodePoints, `{"annotations":[{"result":[{"from_name":"label","id":"1","to_name":"text","type":"labels",` +
			`"value":{"end":3,"labels":["E"],"start":2,"text":"e"}},{"from_name":"label","id":"2","to_name":"text",` +
			`"type":"labels","value":{"end":8,"labels":["PER"],"start":5,"text":"Ann"}},{"from_name":"label","id":"3",` +
			`"to_name":"text","type":"labels","value":{"end":12,"labels":["V"],"start":9,"text":"ate"}},{"direction":"right",` +
			`"from_id":"2","labels":["r"],"to_id":"3","type":"relation"},{"from_name":"choice","id":"4","to_name":"text",` +
			`"type":"choices","value":{"choices":["x","y"]}}]}],"data":{"text":"A é Ann ate","year":2020},"id":7}
the layer segments of 1 document was left out, which Label Studio does not hold (the first in document 7)
1 relation was left out: its arguments are no entities of the document, which tools ask for (the first in document 7)
`},
	} {
		of := suite.Configure(t, c.format, formattest.Arg("offsets", value.Str(c.unit)))
		got := formattest.Written(t, of, []*text.Document{d})
		notices := codec.Notices(of)
		slices.SortFunc(notices, func(a, b string) int { return strings.Compare(b, a) })
		for _, n := range notices {
			got += n + "\n"
		}
		if diff := cmp.Diff(c.want, strings.ReplaceAll(got, "e\u0301", "é")); diff != "" {
			t.Errorf("%s: %s", c.format, diff)
		}
	}
}

// TestProdigyWritesTokens: relations name last tokens, spans their first and last one; a span within a token has none,
// and a relation of it is told.
func TestProdigyWritesTokens(t *testing.T) {
	b := &layers.Builder{}
	b.Sentence()
	for _, w := range []string{"New", "York", "likes", "Ann"} {
		b.Token(w, false)
	}
	d, _ := b.Document("d")
	d.SetLayer(layers.Spans(d, text.Entities, []layers.Span{{Start: 0, End: 8, Label: "LOC"},
		{Start: 15, End: 18, Label: "PER"}, {Start: 9, End: 11, Label: "X"}}))
	d.SetLayer(layers.Relations([]layers.Relation{{Label: "r", SubjectStart: 0, SubjectEnd: 8, ObjectStart: 15,
		ObjectEnd: 18}, {Label: "s", SubjectStart: 9, SubjectEnd: 11, ObjectStart: 15, ObjectEnd: 18}}))
	d.SetLayer(layers.Labels("news"))
	of := suite.Configure(t, "prodigy")
	const want = `{"text":"New York likes Ann","id":"d","tokens":[` +
		`{"text":"New","start":0,"end":3,"id":0,"ws":true},{"text":"York","start":4,"end":8,"id":1,"ws":true},` +
		`{"text":"likes","start":9,"end":14,"id":2,"ws":true},{"text":"Ann","start":15,"end":18,"id":3,"ws":false}],` +
		`"spans":[{"start":0,"end":8,"token_start":0,"token_end":1,"label":"LOC"},{"start":9,"end":11,"label":"X"},` +
		`{"start":15,"end":18,"token_start":3,"token_end":3,"label":"PER"}],"relations":[{"head":1,"child":3,` +
		`"head_span":{"start":0,"end":8,"token_start":0,"token_end":1,"label":"LOC"},` +
		`"child_span":{"start":15,"end":18,"token_start":3,"token_end":3,"label":"PER"},"label":"r"}],"label":"news",` +
		`"answer":"accept"}` + "\n"
	if diff := cmp.Diff(want, formattest.Written(t, of, []*text.Document{d})); diff != "" {
		t.Error(diff)
	}
	told := []string{"1 relation was left out: its arguments are no whole tokens (the first in document d)"}
	if diff := cmp.Diff(told, codec.Notices(of)); diff != "" {
		t.Error(diff)
	}
}

// TestLongLists reads a list whose tasks span lines, and tells the line of a fault within it.
func TestLongLists(t *testing.T) {
	var b strings.Builder
	b.WriteString("\n[\n")
	for i := range 2000 {
		fmt.Fprintf(&b, "{\"id\": %d,\n\"data\": {\"text\": \"Ann\"},\n\"annotations\": [{\"result\": []}]},\n", i)
	}
	in := b.String()
	_, err := formattest.ReadString(suite.Configure(t, "label_studio"), in+"{\"id\":\n[}]", 1)
	want := "stdin:6004: no JSON: invalid character '}' looking for beginning of value"
	if err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
	got, err := formattest.ReadString(suite.Configure(t, "label_studio"), strings.TrimSuffix(in, ",\n")+"]", 1)
	if err != nil || len(got.Docs) != 2000 || got.Docs[1999].ID != "1999" || got.Places[1999] != "stdin:6002" {
		t.Errorf("%d documents, %v", len(got.Docs), err)
	}
}

// TestHFReadsWhatItWrites writes sentences with entities, as names and as numbers of classes, and reads them back.
func TestHFReadsWhatItWrites(t *testing.T) {
	classes := []string{"O", "B-PER", "I-PER", "B-LOC", "I-LOC"}
	rapid.Check(t, func(t *rapid.T) {
		var docs []*text.Document
		for i := range rapid.IntRange(1, 3).Draw(t, "documents") {
			b := &layers.Builder{}
			b.Sentence()
			for _, w := range rapid.SliceOfN(formattest.Name, 1, 5).Draw(t, "words") {
				b.Token(w, rapid.Bool().Draw(t, "glued"))
			}
			d, toks := b.Document(fmt.Sprintf("d%d", i))
			var spans []text.Span
			for at := int32(1); at <= int32(toks.N); {
				last := rapid.Int32Range(at, int32(toks.N)).Draw(t, "last")
				if rapid.Bool().Draw(t, "entity") {
					spans = append(spans, text.Span{Sent: 1, First: at, Last: last,
						Label: rapid.SampledFrom([]string{"PER", "LOC"}).Draw(t, "label")})
				}
				at = last + 1
			}
			d.SetLayer(d.SpanLayer(text.Entities, spans))
			if rapid.Bool().Draw(t, "parts of speech") {
				toks.SetStrs("xpos", rapid.SliceOfN(formattest.Name, toks.N, toks.N).Draw(t, "xpos"))
			}
			if rapid.Bool().Draw(t, "labelled") {
				d.SetLayer(layers.Labels(rapid.SliceOfNDistinct(formattest.Name, 1, 3, rapid.ID).Draw(t, "labels")...))
			}
			docs = append(docs, d)
		}
		var args []option.Arg
		if rapid.Bool().Draw(t, "numbers") {
			args = append(args, formattest.ListArg("classes", classes...))
		}
		formattest.CheckDocuments(t, suite.Configure(t, "hf", args...), docs)
	})
}

// TestHFWrites pins a record of classes, and what is told and refused.
func TestHFWrites(t *testing.T) {
	b := &layers.Builder{}
	b.Sentence()
	b.Token("Ann", false)
	b.Token("ate", false)
	b.Sentence()
	b.Token("Ben", false)
	d, _ := b.Document("d")
	d.SetLayer(d.SpanLayer(text.Entities, []text.Span{{Sent: 2, First: 1, Last: 1, Label: "PER"}}))
	d.SetLayer(layers.Labels("x"))
	of := suite.Configure(t, "hf", formattest.ListArg("classes", "O", "B-PER"))
	const want = `{"id":"d","text":"Ann ate\nBen","tokens":["Ann","ate","Ben"],"ner_tags":[0,0,1],"label":"x"}` + "\n"
	if diff := cmp.Diff(want, formattest.Written(t, of, []*text.Document{d})); diff != "" {
		t.Error(diff)
	}
	told := []string{"the sentences of 1 document were written as one, for a record has tokens alone (the first in " +
		"document d)"}
	if diff := cmp.Diff(told, codec.Notices(of)); diff != "" {
		t.Error(diff)
	}
	loose := &text.Document{ID: "e", Text: "Ann"}
	loose.SetLayer(layers.Spans(loose, text.Entities, []layers.Span{{Start: 0, End: 3, Label: "PER"}}))
	d.SetLayer(d.SpanLayer(text.Entities, []text.Span{{Sent: 2, First: 1, Last: 1, Label: "LOC"}}))
	for _, c := range []struct {
		d    *text.Document
		want string
	}{{d, "document d: B-LOC is none of the classes (O, B-PER)"},
		{loose, "document e: its entities have no tokens, which a record needs"}} {
		w, err := codec.NewDocumentWriter(of, io.Discard)
		if err == nil {
			err = w.Write(c.d)
		}
		if err == nil || err.Error() != c.want {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
}

// TestProdigyEndsWithItsContext: the documents of a file come at its end, but reading ends before.
func TestProdigyEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	line, n := []byte(`{"text":"Ann"}`+"\n"), 0
	in := readerFunc(func(p []byte) (int, error) {
		if n++; n == 1000 {
			cancel()
		}
		if n > 20_000 {
			return 0, io.EOF
		}
		return copy(p, line), nil
	})
	src, err := codec.OpenSources(files.Anywhere, nil, in, "utf-8")
	if err != nil {
		t.Fatal(err)
	}
	err = codec.ReadDocuments(ctx, suite.Configure(t, "prodigy"), src, 1,
		func([]*text.Document, []string) error { return nil })
	if !errors.Is(err, context.Canceled) || n > 1200 {
		t.Errorf("%v after %d lines, the context ended at line 1000", err, n)
	}
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }
