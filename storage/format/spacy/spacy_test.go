package spacy

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"parlance/algo/text"
	"parlance/storage/format/codec"
	"parlance/storage/format/formattest"
	"parlance/storage/format/layers"
	"parlance/storage/value"
)

// TestSpacyHash: numbers of texts and of spaCy's own names, as files of spaCy have them.
func TestSpacyHash(t *testing.T) {
	for s, want := range map[string]uint64{"coffee": 3197928453018144401, "": 0, "PERSON": 380, "GPE": 384, "DATE": 391,
		"nsubj": 429, "NOUN": 92, "PROPN": 96, "VERB": 100, "TAG": attrTAG, "HEAD": attrHEAD, "SENT_START": attrSENTSTART} {
		if got := spacyHash(s); got != want {
			t.Errorf("%s is %d, want %d", s, got, want)
		}
	}
}

// binBytes is what the writer makes of documents.
func binBytes(t rapid.TB, c codec.Codec, docs []*text.Document) string {
	t.Helper()
	var b bytes.Buffer
	w, err := codec.NewDocumentWriter(c, &b)
	for i := 0; err == nil && i < len(docs); i++ {
		err = w.Write(docs[i])
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestSpacyReadsWhatItWrites writes documents as a DocBin, with any blanks between tokens, and reads them back.
func TestSpacyReadsWhatItWrites(t *testing.T) {
	words := rapid.OneOf(formattest.Word.Filter(func(s string) bool { return strings.TrimSpace(s) != "" }),
		rapid.SampledFrom(
			[]string{"PERSON", "number", "TAG", "nsubj", "NOUN"}))
	rapid.Check(t, func(t *rapid.T) {
		var docs []*text.Document
		for i := range rapid.IntRange(1, 3).Draw(t, "documents") {
			b, blank := layers.Builder{}, rapid.SampledFrom([]string{"", " ", "  ", "\n", " \n\n ", "\t"})
			for range rapid.IntRange(1, 3).Draw(t, "sentences") {
				b.SentenceAfter(blank.Draw(t, "before"))
				for range rapid.IntRange(1, 4).Draw(t, "tokens") {
					b.TokenAfter(words.Draw(t, "form"), map[bool]string{false: blank.Draw(t, "gap")}[b.Next() == 1])
				}
			}
			b.Text.WriteString(blank.Draw(t, "end"))
			d, toks := b.Document(fmt.Sprintf("stdin:%d", i+1))
			for _, c := range []string{"lemma", "upos", "xpos", "feats"} {
				if rapid.Bool().Draw(t, c) {
					toks.SetStrs(c, rapid.SliceOfN(words, toks.N, toks.N).Draw(t, c))
				}
			}
			if rapid.Bool().Draw(t, "entities") {
				formattest.SpanLayer(t, d, text.Entities)
			}
			if rapid.Bool().Draw(t, "arcs") {
				formattest.Arcs(t, d, toks)
			}
			if rapid.Bool().Draw(t, "labelled") {
				names := rapid.SliceOfNDistinct(formattest.Name, 1, 3, rapid.ID).Draw(t, "labels")
				slices.Sort(names)
				d.SetLayer(layers.Labels(names...))
			}
			docs = append(docs, d)
		}
		file := binBytes(t, suite.Configure(t, "spacy"), docs)
		got, err := formattest.ReadString(suite.Configure(t, "spacy"), file, 1)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range docs {
			if d.Layer(text.Entities.Name) != nil {
				formattest.PlacesAlone(d, text.Entities)
			}
		}
		if diff := cmp.Diff(formattest.Dumps(docs), formattest.Dumps(got.Docs)); diff != "" {
			t.Fatal(diff)
		}
	})
}

// TestSpacyJSON reads pairs, objects, lists of them and the data of version 2, and writes objects.
func TestSpacyJSON(t *testing.T) {
	const in = `["🍞 Ann left", {"entities": [[2, 5, "PER"]], "cats": {"news": 1.0, "sport": 0.0}}]
{"text": "Ben", "entities": [], "year": 2020}
[["Ann", {"entities": []}], {"id": 7, "text": "Bob", "ents": [{"start": 0, "end": 3, "label": "PER"}]}]
[{"id": 3, "paragraphs": [{"raw": "New  York is big.\nYes", "sentences": [{"tokens": [
{"orth": "New", "tag": "NNP", "head": 1, "dep": "compound", "ner": "B-LOC"},
{"orth": "York", "tag": "NNP", "head": 1, "dep": "nsubj", "ner": "L-LOC"},
{"orth": "is", "tag": "VBZ", "head": 0, "dep": "ROOT", "ner": "O"}, {"orth": "big", "head": -1, "dep": "acomp", "ner": "-"},
{"orth": ".", "head": -2, "dep": "punct", "ner": "O"}]}, {"tokens": [{"orth": "Yes", "ner": "U-X"}]}],
"cats": [{"label": "geo", "value": 1}], "entities": [[0, 1, "NONSENSE"]]}]}]
`
	const want = `stdin:1 at stdin:1: "🍞 Ann left"
  labels label="news"
  entities start=5 end=8 label="PER" text="Ann"
stdin:2 at stdin:2: "Ben"
  field year integer "2020"
stdin:3 at stdin:3: "Ann"
7 at stdin:3: "Bob"
  entities start=0 end=3 label="PER" text="Bob"
3 at stdin:9: "New  York is big.\nYes"
  sentences sent=1 start=0 end=17
  sentences sent=2 start=18 end=21
  tokens sent=1 tok=1 start=0 end=3 form="New" xpos="NNP"
  tokens sent=1 tok=2 start=5 end=9 form="York" xpos="NNP"
  tokens sent=1 tok=3 start=10 end=12 form="is" xpos="VBZ"
  tokens sent=1 tok=4 start=13 end=16 form="big"
  tokens sent=1 tok=5 start=16 end=17 form="."
  tokens sent=2 tok=1 start=18 end=21 form="Yes"
  entities start=0 end=9 label="LOC" text="New  York"
  entities start=18 end=21 label="X" text="Yes"
  dependencies sent=1 tok=1 head=2 deprel="compound"
  dependencies sent=1 tok=2 head=3 deprel="nsubj"
  dependencies sent=1 tok=3 head=0 deprel="root"
  dependencies sent=1 tok=4 head=3 deprel="acomp"
  dependencies sent=1 tok=5 head=3 deprel="punct"
  labels label="geo"
`
	got, err := formattest.ReadString(suite.Configure(t, "spacy"), in, 1)
	var b strings.Builder
	for i, d := range got.Docs {
		formattest.Dump(&b, d, got.Places[i])
	}
	if diff := cmp.Diff(want, b.String()); diff != "" || err != nil {
		t.Error(err, diff)
	}
	const lines = `{"id":"stdin:1","text":"🍞 Ann left","entities":[[2,5,"PER"]],"cats":{"news":1}}
{"id":"stdin:2","text":"Ben","entities":[],"year":2020}
`
	got.Docs[1].SetLayer(layers.Spans(got.Docs[1], text.Entities, nil))
	c := suite.Configure(t, "spacy", formattest.Arg("json", value.Bool(true)))
	if diff := cmp.Diff(lines, binBytes(t, c, got.Docs[:2])); diff != "" {
		t.Error(diff)
	}
}

// packed makes a DocBin of tokens with a number for each attribute.
func packed(attrs []uint64, strings []string, groups []byte, rows ...[]uint64) string {
	m := newMsgWriter()
	var tokens []byte
	for _, row := range rows {
		for _, v := range row {
			tokens = binary.LittleEndian.AppendUint64(tokens, v)
		}
	}
	m.object(6)
	m.text("attrs")
	m.list(len(attrs))
	for _, a := range attrs {
		m.number(a)
	}
	m.text("tokens")
	m.bytes(tokens)
	m.text("spaces")
	m.bytes(bytes.Repeat([]byte{1}, len(rows)))
	m.text("lengths")
	m.bytes(binary.LittleEndian.AppendUint32(nil, uint32(len(rows))))
	m.text("strings")
	m.list(len(strings))
	for _, s := range strings {
		m.text(s)
	}
	m.text("span_groups")
	m.list(1)
	m.bytes(groups)
	return formattest.Zipped(m.b.Bytes())
}

// group is a group of spans of one span, of tokens 0 to 2.
func group(name string) []byte {
	g, all := newMsgWriter(), newMsgWriter()
	g.object(3)
	g.text("name")
	g.text(name)
	g.text("attrs")
	g.object(0)
	g.text("spans")
	g.list(1)
	span := binary.BigEndian.AppendUint64(make([]byte, 16), spacyHash("ORG"))
	for _, n := range []uint32{0, 2, 0, 7} {
		span = binary.BigEndian.AppendUint32(span, n)
	}
	g.bytes(span)
	all.object(1)
	all.bytes(g.b.Bytes())
	all.list(1)
	all.text(name)
	return all.b.Bytes()
}

// TestSpacyGroupsAndNumbers reads a group of spans, tells of one that is not asked for, and of numbers without a name.
func TestSpacyGroupsAndNumbers(t *testing.T) {
	in := packed([]uint64{attrORTH, attrTAG, attrENTKBID}, []string{"Ann", "left"}, group("sc"),
		[]uint64{spacyHash("Ann"), 12, 0}, []uint64{spacyHash("left"), spacyHash("VERB"), 0}, []uint64{384, 0, 0})
	for spans, want := range map[string]string{"": "stdin:1: \"Ann left GPE \"",
		"sc": "stdin:1: \"Ann left GPE \" Ann left ORG"} {
		c := suite.Configure(t, "spacy", formattest.Arg("spans", value.Str(spans)))
		got, err := formattest.ReadString(c, in, 1)
		if err != nil {
			t.Fatal(err)
		}
		d := got.Docs[0]
		text := fmt.Sprintf("%s: %q", d.ID, d.Text)
		if l := d.Layer("entities"); l != nil && l.N > 0 {
			text += " " + l.Strs("text")[0] + " " + l.Strs("label")[0]
		}
		told := strings.Join(codec.Notices(c), "\n")
		if text != want || strings.Contains(told, "1 group of spans was left out") != (spans == "") ||
			!strings.Contains(told, "1 value was left out: it is a number of spaCy's own") {
			t.Errorf("%q: %s, told %s", spans, text, told)
		}
	}
}

// TestSpacyFaults: what is wrong with a file is told; nothing in it makes the reader take memory that it has no data
// for.
func TestSpacyFaults(t *testing.T) {
	word := spacyHash("Ann")
	for in, want := range map[string]string{
		"Ann":    "the file is neither a DocBin nor JSON",
		"x\x00y": "no DocBin: it begins as zlib does, but is not of it",
		packed([]uint64{attrORTH}, nil, nil, []uint64{word})[:20]: "the DocBin is cut short or damaged: unexpected EOF",
		formattest.Zipped([]byte{0xdd, 0xff, 0xff, 0xff,
			0xff}): "no DocBin: 4294967295 values of MessagePack are more than the data " +
			"that is left",
		formattest.Zipped(bytes.Repeat([]byte{0x91}, 100)): "no DocBin: values of MessagePack lie more than 32 deep",
		formattest.Zipped(make([]byte, 20<<20)):            "the DocBin unpacks to more than 500 times its size",
		formattest.Zipped([]byte{0x80}):                    "no DocBin: it has no list attrs",
		packed([]uint64{attrTAG}, nil, nil):                "no DocBin: its tokens have no ORTH, attribute 65",
		packed([]uint64{attrORTH}, nil, nil, []uint64{word}): fmt.Sprintf("document 1: the strings have no text of the "+
			"number %d", word),
		packed([]uint64{attrORTH}, nil, nil, []uint64{12}): "document 1: token 1 is spaCy's own number 12, whose name is " +
			"not known here",
		packed([]uint64{attrORTH, attrHEAD}, []string{"Ann"}, nil, []uint64{word, 1}): "document 1: token 1 has a head " +
			"that is no token of the document",
		packed([]uint64{attrORTH}, []string{"Ann"}, nil, []uint64{word, word}): "no DocBin: 16 bytes of tokens are not 1 " +
			"tokens of 1 attributes",
		"[1]":                                "an object or a pair of a text and an object is wanted",
		`["a", 1]`:                           `pairs such as ["text", {"entities": […]}] are wanted`,
		"{}":                                 `the object has no text "text"`,
		`{"text": "a"`:                       "no JSON: unexpected EOF",
		`["a", {"entities": [[0, 2, "X"]]}]`: "entities: the span 0 to 2 is no part of the text, which has 1 code points",
		`{"paragraphs": [{"raw": "b", "sentences": [{"tokens": [{"orth": "a"}]}]}]}`: `token "a" does not follow in the ` +
			"text of its paragraph, raw",
	} {
		_, err := formattest.ReadString(suite.Configure(t, "spacy"), in, 1)
		if err == nil || err.Error() != "stdin:1: "+want {
			t.Errorf("%.40q: %v, want %s", in, err, want)
		}
	}
	c, err := codec.NewDocumentWriter(suite.Configure(t, "spacy"), io.Discard)
	if err == nil {
		err = c.Write(&text.Document{ID: "d", Text: "Ann"})
	}
	if err == nil || errors.Is(err, io.EOF) || err.Error() != "document d has no tokens, which a DocBin needs" {
		t.Error(err)
	}
}

func FuzzSpacy(f *testing.F) {
	for _, s := range []string{`["a b", {"entities": [[0, 1, "X"]]}]`, "{\"text\": \"a\", \"cats\": {\"x\": 1}}\n",
		`[{"paragraphs": [{"sentences": [{"tokens": [{"orth": "a", "head": 0, "ner": "U-X"}]}]}]}]`} {
		f.Add([]byte(s), false)
	}
	m := newMsgWriter()
	m.object(1)
	m.text("attrs")
	m.list(1)
	m.number(attrORTH)
	f.Add(m.b.Bytes(), true)
	raw, err := io.ReadAll(func() io.Reader {
		z, err := zlib.NewReader(strings.NewReader(packed([]uint64{attrORTH, attrHEAD, attrENTIOB}, []string{"Ann"},
			group("sc"), []uint64{spacyHash("Ann"), 0, 3})))
		if err != nil {
			f.Fatal(err)
		}
		return z
	}())
	if err != nil {
		f.Fatal(err)
	}
	f.Add(raw, true)
	f.Fuzz(func(t *testing.T, in []byte, bin bool) {
		s := string(in)
		if bin {
			s = formattest.Zipped(in)
		}
		suite.CheckRead(t, s, "spacy")
		suite.CheckRead(t, s, "spacy", formattest.Arg("spans", value.Str("sc")))
	})
}
