package check

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"parlance/algo/text"
)

// withMentions covers tokens of the first sentence, given by first and last token.
func withMentions(d *text.Document, spans ...[2]int32) *text.Document {
	l, toks := text.NewLayer(text.Mentions), d.Layer("tokens")
	cols := map[string][]int32{}
	for i, x := range spans {
		row := map[string]int32{"mention": int32(i + 1), "sent": 1, "tok_start": x[0], "tok_end": x[1],
			"char_start": toks.Ints("char_start")[x[0]-1], "char_end": toks.Ints("char_end")[x[1]-1]}
		for name, v := range row {
			cols[name] = append(cols[name], v)
		}
	}
	l.N = len(spans)
	for name, col := range cols {
		l.SetInts(name, col)
	}
	d.SetLayer(l)
	return d
}

func withChunks(d *text.Document, spans ...text.Span) *text.Document {
	d.SetLayer(d.SpanLayer(text.Chunks, spans))
	return d
}

// unnumbered takes the numbers of the tokens of a span away, as in a text without tokens.
func unnumbered(d *text.Document, layer string, row int) *text.Document {
	return change(change(d, layer, "tok_start", row, 0), layer, "tok_end", row, 0)
}

// spanRules are the rules about spans of which counts are not kept.
const spanRules = "span-bounds span-empty span-offsets span-inside-token span-order span-duplicate span-crossing " +
	"span-nested span-label"

// advice is what messages say of the way out.
var advice = regexp.MustCompile(`; (delete it|a model|one must|tok_end is).*`)

// found lists what rules about spans find, by rule: place and message.
func found(t *testing.T, o Options, list []*text.Document) (out []string) {
	o.Rules = strings.Fields(spanRules)
	for _, f := range run(t, o, list).Findings() {
		out = append(out, strings.TrimPrefix(f.Rule, "span-")+" "+f.Document+" "+f.Place+": "+
			advice.ReplaceAllString(f.Message, ""))
	}
	return out
}

func TestSpans(t *testing.T) {
	one := span(1, 2, "X")
	ab := func() *text.Document { return withSpans(build("a", "ab cd ef|gh"), one) }
	for name, x := range map[string]struct {
		docs []*text.Document
		want []string
	}{
		"sound": {docs(ab()), nil},
		"mentions may cross, hold each other, stand twice, be out of order and have no label": {
			docs(withMentions(build("a", "ab cd ef"), [2]int32{2, 3}, [2]int32{1, 2}, [2]int32{1, 3}, [2]int32{1, 3})), nil},
		"mentions lie where they say": {
			docs(change(withMentions(build("a", "ab cd"), [2]int32{1, 1}, [2]int32{2, 2}), "mentions", "char_end", 1, 2)),
			[]string{"bounds a mentions sent 1, tok 2: the span lies outside the text of 5 bytes"}},
		"to the end of the text": {docs(withSpans(build("a", "ab cd"), span(2, 2, "X"))), nil},
		"beyond the text": {docs(change(withSpans(build("a", "ab cd"), span(2, 2, "X")), "entities", "char_end", 0, 6)),
			[]string{"bounds a entities sent 1, tok 2: the span lies outside the text of 5 bytes"}},
		"before the text": {docs(change(ab(), "entities", "char_start", 0, -1)),
			[]string{"bounds a entities sent 1, tok 1-2: the span lies outside the text of 11 bytes"}},
		"backwards": {docs(change(ab(), "entities", "char_start", 0, 6)),
			[]string{"bounds a entities sent 1, tok 1-2: the span lies outside the text of 11 bytes"}},
		"of no text": {docs(change(ab(), "entities", "char_start", 0, 5)),
			[]string{"empty a entities sent 1, tok 1-2: the span covers no text"}},
		"of no sentence": {docs(change(ab(), "entities", "sent", 0, 3)),
			[]string{"bounds a entities sent 3, tok 1-2: there is no sentence 3; the document has 2"}},
		"of the sentence before the first": {docs(change(ab(), "entities", "sent", 0, 0)),
			[]string{"bounds a entities sent 0, tok 1-2: there is no sentence 0; the document has 2"}},
		"tokens backwards": {docs(change(ab(), "entities", "tok_end", 0, 0)),
			[]string{"empty a entities sent 1, tok 1-0: the span ends before it begins"}},
		"token 0": {docs(change(ab(), "entities", "tok_start", 0, 0)),
			[]string{"bounds a entities sent 1, tok 0-2: the sentence has tokens 1 to 3"}},
		"token behind the last": {docs(change(ab(), "entities", "tok_end", 0, 4)),
			[]string{"bounds a entities sent 1, tok 1-4: the sentence has tokens 1 to 3"}},
		"last token":     {docs(change(change(ab(), "entities", "tok_end", 0, 3), "entities", "char_end", 0, 8)), nil},
		"without tokens": {docs(unnumbered(change(ab(), "entities", "char_end", 0, 4), "entities", 0)), nil},
		"tokens that are not numbered in order tell nothing": {
			docs(change(change(ab(), "tokens", "tok", 0, 5), "entities", "sent", 0, 7)), nil},
		"first token alone without number": {
			docs(change(change(ab(), "entities", "tok_start", 0, 0), "entities", "tok_end", 0, 1)),
			[]string{"bounds a entities sent 1, tok 0-1: the sentence has tokens 1 to 3"}},
		"second sentence": {
			docs(change(change(change(change(change(ab(), "entities", "sent", 0, 2), "entities", "tok_end", 0, 1),
				"entities", "tok_start", 0, 1),
				"entities", "char_start", 0, 9), "entities", "char_end", 0, 11)), nil},
		"of a part of its first token": {docs(change(ab(), "entities", "char_start", 0, 1)),
			[]string{"inside-token a entities sent 1, tok 1-2: the span 'b cd' covers a part of the tokens 'ab cd'"}},
		"of a part of its last token": {docs(change(ab(), "entities", "char_end", 0, 4)),
			[]string{"inside-token a entities sent 1, tok 1-2: the span 'ab c' covers a part of the tokens 'ab cd'"}},
		"from behind its first token": {docs(change(ab(), "entities", "char_start", 0, 2)),
			[]string{"offsets a entities sent 1, tok 1-2: the offsets cover ' cd', the tokens 'ab cd'"}},
		"to the begin of its last token": {docs(change(ab(), "entities", "char_end", 0, 3)),
			[]string{"offsets a entities sent 1, tok 1-2: the offsets cover 'ab ', the tokens 'ab cd'"}},
		"to behind its last token": {docs(change(ab(), "entities", "char_end", 0, 6)),
			[]string{"offsets a entities sent 1, tok 1-2: the offsets cover 'ab cd ', the tokens 'ab cd'"}},
		"from before its first token": {
			docs(change(change(ab(), "entities", "tok_start", 0, 2), "entities", "char_start", 0, 2)),
			[]string{"offsets a entities sent 1, tok 2: the offsets cover ' cd', the tokens 'cd'"}},
		"what lies nowhere neither crosses nor is out of order": {
			docs(change(withSpans(build("a", "ab cd ef"), span(2, 3, "X"), span(1, 2, "X")), "entities", "sent", 1, 9)),
			[]string{"bounds a entities sent 9, tok 1-2: there is no sentence 9; the document has 1"}},
		"nor what has tokens backwards": {
			docs(change(withSpans(build("a", "ab cd ef"), span(1, 2, "X"), span(2, 3, "X")), "entities", "tok_end", 1, 1)),
			[]string{"empty a entities sent 1, tok 2-1: the span ends before it begins"}},
		"nor what has too many": {
			docs(change(withSpans(build("a", "ab cd ef"), span(1, 2, "X"), span(2, 3, "X")), "entities", "tok_end", 1, 4)),
			[]string{"bounds a entities sent 1, tok 2-4: the sentence has tokens 1 to 3"}},
		"nor what covers another text than its tokens": {
			docs(change(withSpans(build("a", "ab cd ef"), span(1, 2, "X"), span(2, 3, "X")), "entities", "char_end", 0, 6)),
			[]string{"offsets a entities sent 1, tok 1-2: the offsets cover 'ab cd ', the tokens 'ab cd'"}},
		"one ends where the other begins": {
			docs(withSpans(change(build("a", "ab cd"), "tokens", "char_start", 1, 2), span(1, 1, "X"), span(2, 2, "X"))), nil},
		"without tokens, and crossing": {
			docs(unnumbered(unnumbered(withSpans(build("a", "ab cd ef"), span(1, 2, "X"), span(2, 3, "X")), "entities", 0),
				"entities", 1)),
			[]string{"crossing a entities sent 1, tok 0: the span 'cd ef' crosses 'ab cd'"}},
		"token behind the last of the second sentence": {
			docs(change(change(ab(), "entities", "sent", 0, 2), "entities", "tok_end", 0, 2)),
			[]string{"bounds a entities sent 2, tok 1-2: the sentence has tokens 1 to 1"}},
		"part of a token, and crossing": {
			docs(change(withSpans(build("a", "ab cd ef"), span(1, 2, "X"), span(2, 3, "X")), "entities", "char_end", 0, 4)),
			[]string{"inside-token a entities sent 1, tok 1-2: the span 'ab c' covers a part of the tokens 'ab cd'",
				"crossing a entities sent 1, tok 2-3: the span 'cd ef' crosses 'ab c'"}},
		"order is told once a document": {
			docs(withSpans(build("a", "ab cd ef"), span(3, 3, "X"), span(2, 2, "X"), span(1, 1, "X")),
				withSpans(build("b", "ab cd"), span(2, 2, "X"), span(1, 1, "X"))),
			[]string{"order a entities sent 1, tok 2: the span 'cd' stands after 'ef' and begins before it",
				"order b entities sent 1, tok 1: the span 'ab' stands after 'cd' and begins before it"}},
		"documents by themselves": {
			docs(withSpans(build("a", "ab cd ef"), span(1, 1, "X"), span(2, 3, "X")),
				withSpans(build("b", "ab cd ef"), span(1, 2, "X"), span(3, 3, "X"))), nil},
		"layers by themselves": {
			docs(withChunks(withSpans(build("a", "ab cd ef"), span(1, 2, "X")), span(2, 3, "X"))), nil},
		"same begin, longer second": {docs(withSpans(build("a", "ab cd"), span(1, 1, "X"), span(1, 2, "X"))),
			[]string{"nested a entities sent 1, tok 1: entities: 1 span lies within another, in 1 document; " +
				"first here: 'ab' in 'ab cd'"}},
		"same end": {docs(withSpans(build("a", "ab cd"), span(1, 2, "X"), span(2, 2, "X"))),
			[]string{"nested a entities sent 1, tok 2: entities: 1 span lies within another, in 1 document; " +
				"first here: 'cd' in 'ab cd'"}},
		"one by one": {docs(withSpans(build("a", "ab cd"), span(1, 1, "X"), span(2, 2, "X"))), nil},
		"other label": {
			docs(withSpans(build("a", "ab"), span(1, 1, "X"), span(1, 1, "Y"))),
			[]string{"nested a entities sent 1, tok 1: entities: 1 span lies within another, in 1 document; " +
				"first here: 'ab' in 'ab'"}},
		"in the innermost, of two layers": {
			docs(withChunks(withSpans(build("a", "a b c d"),
				span(1, 4, "X"), span(1, 3, "X"), span(2, 2, "X"), span(4, 4, "X")),
				span(1, 2, "X"), span(2, 2, "X")),
				withChunks(build("b", "a b"), span(1, 2, "X"), span(1, 1, "X"))),
			[]string{"nested a entities sent 1, tok 1-3: entities: 3 spans lie within another, in 1 document; " +
				"first here: 'a b c' in 'a b c d'",
				"nested a chunks sent 1, tok 2: chunks: 2 spans lie within another, in 2 documents; first here: 'b' in 'a b'"}},
		"crosses what an inner one has not closed": {
			docs(withSpans(build("a", "a b c d"), span(1, 3, "X"), span(2, 2, "X"), span(3, 4, "X"))),
			[]string{"crossing a entities sent 1, tok 3-4: the span 'c d' crosses 'a b c'",
				"nested a entities sent 1, tok 2: entities: 1 span lies within another, in 1 document; " +
					"first here: 'b' in 'a b c'"}},
		"crosses two": {docs(withSpans(build("a", "a b c d e"), span(1, 3, "X"), span(2, 4, "X"), span(3, 5, "X"))),
			[]string{"crossing a entities sent 1, tok 2-4: the span 'b c d' crosses 'a b c'",
				"crossing a entities sent 1, tok 3-5: the span 'c d e' crosses 'b c d'"}},
		"phrases may cover nothing": {
			docs(change(change(withPhrases(build("a", "a b"), [4]int32{1, 0, 1, 2}, [4]int32{2, 1, 2, 2},
				[4]int32{3, 1, 2, 2}),
				"constituents", "char_end", 1, 2), "constituents", "tok_end", 2, 1)), nil},
		"phrases lie in the text": {
			docs(change(withPhrases(build("a", "a b"), [4]int32{1, 0, 1, 2}), "constituents", "char_end", 0, 9)),
			[]string{"bounds a constituents sent 1, tok 1-2: the span lies outside the text of 3 bytes"}},
		"phrases lie on their tokens": {
			docs(change(withPhrases(build("a", "a b"), [4]int32{1, 0, 1, 2}), "constituents", "char_end", 0, 1)),
			[]string{"offsets a constituents sent 1, tok 1-2: the offsets cover 'a', the tokens 'a b'"}},
	} {
		t.Run(name, func(t *testing.T) {
			if got := found(t, defaults(), x.docs); !slices.Equal(got, x.want) {
				t.Errorf("found\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(x.want, "\n"))
			}
		})
	}
}

// TestSpansOfALayer: with a layer named, spans of others are not looked at, whatever stands before it.
func TestSpansOfALayer(t *testing.T) {
	d := withChunks(withSpans(build("a", "ab cd"), span(1, 1, "")), span(1, 2, ""))
	for layer, want := range map[string][]string{
		"": {"label a entities sent 1, tok 1: the span 'ab' has no label",
			"label a chunks sent 1, tok 1-2: the span 'ab cd' has no label"},
		"entities": {"label a entities sent 1, tok 1: the span 'ab' has no label"},
		"chunks":   {"label a chunks sent 1, tok 1-2: the span 'ab cd' has no label"},
		"segments": nil,
	} {
		o := defaults()
		o.Layer = layer
		if got := found(t, o, docs(d)); !slices.Equal(got, want) {
			t.Errorf("layer %q: %q, want %q", layer, got, want)
		}
	}
}

// TestSpansWithoutColumns: a layer that lacks one of the columns that say where a row lies is not looked at.
func TestSpansWithoutColumns(t *testing.T) {
	for _, column := range []string{"sent", "char_start", "char_end", "tok_start", "tok_end"} {
		d := withSpans(build("a", "ab cd"), span(2, 2, "X"), span(1, 1, ""))
		d.Layer("entities").SetInts(column, nil)
		if got := found(t, defaults(), docs(d)); got != nil {
			t.Errorf("without %s: %q", column, got)
		}
	}
}

// TestPhrasesNeedNoLabel: an empty label is a fault of entities and the like alone.
func TestPhrasesNeedNoLabel(t *testing.T) {
	d := withPhrases(build("a", "ab cd"), [4]int32{1, 0, 1, 2}, [4]int32{2, 1, 1, 1})
	d.Layer("constituents").SetStrs("label", []string{"NP", ""})
	if got := found(t, defaults(), docs(d)); got != nil {
		t.Errorf("found %q", got)
	}
}

// TestSpansOfTokensWithoutOffsets are compared with each other, and with no token.
func TestSpansOfTokensWithoutOffsets(t *testing.T) {
	for _, column := range []string{"char_start", "char_end"} {
		d := withSpans(build("a", "ab cd ef"), span(1, 2, "X"), span(2, 3, "X"))
		change(d, "entities", "char_end", 0, 4).Layer("tokens").SetInts(column, nil)
		want := []string{"crossing a entities sent 1, tok 2-3: the span 'cd ef' crosses 'ab c'"}
		if got := found(t, defaults(), docs(d)); !slices.Equal(got, want) {
			t.Errorf("without %s: %q, want %q", column, got, want)
		}
	}
}
