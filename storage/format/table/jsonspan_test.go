package table

import (
	"encoding/json"
	"strconv"
	"testing"

	"parlance/storage/format/layers"
)

// TestSpansOfJSON: a span by its tokens, by its offsets or by both, at the ends of a text of two sentences, "é bc" of
// two tokens and "d" of one, and beyond them. Offsets go in as code points and come out as bytes.
func TestSpansOfJSON(t *testing.T) {
	bd := layers.Builder{}
	bd.Sentence()
	bd.Token("é", false)
	bd.Token("bc", false)
	bd.Sentence()
	bd.Token("d", false)
	d, _ := bd.Document("x")
	if d.Text != "é bc d" && d.Text != "é bc\nd" {
		t.Fatalf("the text is %q", d.Text)
	}
	number := func(n int) any { return json.Number(strconv.Itoa(n)) }
	tokens := func(sent, first, last int) map[string]any {
		return map[string]any{"label": "L", "sent": number(sent), "tok_start": number(first), "tok_end": number(last)}
	}
	chars := func(from, to int) map[string]any {
		return map[string]any{"label": "L", "start": number(from), "end": number(to)}
	}
	without := func(m map[string]any, name string) map[string]any {
		delete(m, name)
		return m
	}
	with := func(m map[string]any, name string, v any) map[string]any {
		m[name] = v
		return m
	}
	for _, c := range []struct {
		name string
		m    map[string]any
		want [5]int32 // sentence, bytes, tokens
		ok   bool
	}{
		{"first token", tokens(1, 1, 1), [5]int32{1, 0, 2, 1, 1}, true},
		{"first sentence", tokens(1, 1, 2), [5]int32{1, 0, 5, 1, 2}, true},
		{"last token", tokens(1, 2, 2), [5]int32{1, 3, 5, 2, 2}, true},
		{"last sentence", tokens(2, 1, 1), [5]int32{2, 6, 7, 1, 1}, true},
		{"sentence 0", tokens(0, 1, 1), [5]int32{}, false},
		{"sentence 3", tokens(3, 1, 1), [5]int32{}, false},
		{"token 0", tokens(1, 0, 1), [5]int32{}, false},
		{"token 3 of two", tokens(1, 1, 3), [5]int32{}, false},
		{"token 2 of one", tokens(2, 1, 2), [5]int32{}, false},
		{"turned", tokens(1, 2, 1), [5]int32{}, false},
		{"no first token", without(tokens(1, 1, 1), "tok_start"), [5]int32{}, false},
		{"no last token", without(tokens(1, 1, 1), "tok_end"), [5]int32{}, false},
		{"no label", without(tokens(1, 1, 1), "label"), [5]int32{}, false},
		{"an empty label", with(tokens(1, 1, 1), "label", ""), [5]int32{}, false},
		{"offsets", chars(0, 1), [5]int32{0, 0, 2, 0, 0}, true},
		{"the whole text", chars(0, 6), [5]int32{0, 0, 7, 0, 0}, true},
		{"nothing at the end", chars(6, 6), [5]int32{0, 7, 7, 0, 0}, true},
		{"beyond the end", chars(0, 7), [5]int32{}, false},
		{"before the start", chars(-1, 1), [5]int32{}, false},
		{"offsets turned", chars(2, 1), [5]int32{}, false},
		{"no start", without(chars(0, 1), "start"), [5]int32{}, false},
		{"no end", without(chars(0, 1), "end"), [5]int32{}, false},
		{"tokens and a part of them", with(with(tokens(1, 1, 2), "start", number(0)), "end", number(3)),
			[5]int32{1, 0, 4, 1, 2}, true},
		{"tokens and half of the offsets", with(tokens(1, 1, 2), "start", number(0)), [5]int32{}, false},
	} {
		row, label, err := jsonSpan(d, c.m)
		if (err == nil) != c.ok {
			t.Errorf("%s: %v", c.name, err)
		} else if c.ok && (row != c.want || label != "L") {
			t.Errorf("%s: %v %s, not %v", c.name, row, label, c.want)
		}
	}
}
