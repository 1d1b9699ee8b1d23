package layers

import (
	"slices"
	"strings"

	"parlance/algo/text"
	"parlance/storage/format/codec"
)

// Tags reads and writes spans as one tag a token.
type Tags struct {
	Scheme string // bio, iob1 or iobes, to write
	Label  string // of tags that name none, such as B and I; "" where tags name a label
}

// Is reports whether a tag marks a span or its absence.
func (t Tags) Is(tag string) bool {
	if tag == "O" || tag == "_" {
		return true
	}
	mark, label, ok := t.cut(tag)
	return ok && SpanMark(mark) && label != ""
}

// SpanMark reports whether a text is the mark of a tag, such as B.
func SpanMark(s string) bool { return len(s) == 1 && strings.Contains("BIESLUM", s) }

// cut divides a tag into its mark and label; ok is false for one outside of spans.
func (t Tags) cut(tag string) (mark, label string, ok bool) {
	if t.Label != "" && SpanMark(tag) {
		return tag, t.Label, true
	}
	return strings.Cut(tag, "-")
}

// join makes a tag of mark and label.
func (t Tags) join(mark, label string) string {
	if t.Label != "" && label == t.Label {
		return mark
	}
	return mark + "-" + label
}

// FirstAlternative cuts a tag such as B-person,B-group before its second alternative.
func FirstAlternative(tag string) string {
	first, second, ok := strings.Cut(tag, ",")
	if ok && (second == "O" || len(second) > 1 && second[1] == '-') {
		return first
	}
	return tag
}

// Spans reads one tag a token as conlleval does.
func (t Tags) Spans(toks *text.Layer, tags []string) []text.Span {
	var out []text.Span
	sent, tok := toks.Cols[0].Ints, toks.Cols[1].Ints
	open := false
	for i, tag := range tags {
		mark, label, ok := t.cut(tag)
		if !ok {
			open = false
			continue
		}
		last := len(out) - 1
		goesOn := open && last >= 0 && out[last].Label == label && out[last].Sent == sent[i]
		if goesOn && (mark == "I" || mark == "E" || mark == "L" || mark == "M") {
			out[last].Last = tok[i]
		} else {
			out = append(out, text.Span{Sent: sent[i], First: tok[i], Last: tok[i], Label: label})
		}
		open = mark == "B" || mark == "I" || mark == "M"
	}
	return out
}

// What writers report: what a column of tags cannot hold.
var (
	overlapping = codec.Topic{One: "1 span was left out: it overlaps another, and a column of tags holds one tag a token",
		Many: "%d spans were left out: they overlap others, and a column of tags holds one tag a token"}
	withoutTokens = codec.Topic{One: "1 span was left out: it covers no token",
		Many: "%d spans were left out: they cover no token"}
	widened = codec.Topic{One: "1 span was written as whole tokens, of which it covers a part",
		Many: "%d spans were written as whole tokens, of which they cover a part"}
)

// Tags writes the spans of a layer as tags, and calls tell for those that it cannot write as they are.
func (t Tags) Tags(d *text.Document, toks, l *text.Layer, tell func(what codec.Topic)) []string {
	out := make([]string, toks.N)
	for i := range out {
		out[i] = "O"
	}
	if l == nil {
		return out
	}
	row := make(map[[2]int32]int, toks.N)
	for i := range toks.N {
		row[[2]int32{toks.Cols[0].Ints[i], toks.Cols[1].Ints[i]}] = i
	}
	starts, ends := l.Ints("char_start"), l.Ints("char_end")
	for k, s := range l.Spans() {
		first, ok1 := row[[2]int32{s.Sent, s.First}]
		last, ok2 := row[[2]int32{s.Sent, s.Last}]
		switch {
		case !ok1 || !ok2:
			tell(withoutTokens)
			continue
		case out[first] != "O":
			tell(overlapping)
			continue
		case starts != nil && ends != nil &&
			(starts[k] != toks.Cols[2].Ints[first] || ends[k] != toks.Cols[3].Ints[last]):
			tell(widened)
		}
		for i := first; i <= last; i++ {
			out[i] = t.join(t.mark(out, toks, s, i, first, last), s.Label)
		}
	}
	return out
}

// mark is the mark of the tag at row i of a span of the rows first to last.
func (t Tags) mark(out []string, toks *text.Layer, s text.Span, i, first, last int) string {
	switch {
	case t.Scheme == "iobes" && first == last:
		return "S"
	case t.Scheme == "iobes" && i == last:
		return "E"
	case t.Scheme == "iob1":
		if i == first && first > 0 && toks.Cols[0].Ints[first-1] == s.Sent {
			if _, label, ok := t.cut(out[first-1]); ok && label == s.Label {
				return "B"
			}
		}
		return "I"
	case i == first:
		return "B"
	}
	return "I"
}

// SpanColumns are the layers of spans that may be columns of tags.
var SpanColumns = []string{"chunks", "entities", "segments"}

// IsSpanColumn reports whether a name is one of SpanColumns.
func IsSpanColumn(name string) bool { return slices.Contains(SpanColumns, name) }
