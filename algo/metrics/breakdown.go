package metrics

import (
	"slices"

	"parlance/algo/text"
)

// Breakdown is a property of sentences, or of what is scored in them, by which scores are told apart.
type Breakdown struct {
	Name, Doc string
	Values    []string // in their order
}

var (
	byLength = Breakdown{"length", "tokens of the sentence", []string{"1-10", "11-20", "21-30", "31-40", "41-50", "51+"}}
	byArc    = Breakdown{"arc_length", "distance of a token from its gold head in tokens",
		[]string{"root", "1", "2", "3-6", "7+"}}
	bySide = Breakdown{"direction", "side of its gold head on which a token stands", []string{"root", "left", "right"}}
	bySpan = Breakdown{"span_length", "tokens of a span: of the gold one, and of the predicted one where it is wrong",
		[]string{"1", "2", "3", "4", "5+"}}
	byKind = Breakdown{"mention_kind", "kind of a mention, of the gold one where that has one, else of the predicted one",
		[]string{"pronoun", "name", "nominal", "verb", "other"}}
)

// AllBreakdowns lists the breakdowns of all scorers.
func AllBreakdowns() []Breakdown { return []Breakdown{byLength, byArc, bySide, bySpan, byKind} }

// Breakdowns lists those of the scorer of a layer, or of a column of it.
func Breakdowns(def *text.LayerDef, columns []string) []Breakdown {
	switch {
	case def.Spans:
		return []Breakdown{byLength, bySpan}
	case def == text.Mentions:
		return []Breakdown{byKind}
	case def == text.Dependencies:
		return []Breakdown{byLength, byArc, bySide}
	case def == text.Tokens && len(columns) > 0, def == text.Constituents, def == text.Roles, def == text.Edits:
		return []Breakdown{byLength}
	}
	return nil
}

// admits reports whether a value of a breakdown counts.
func (o *Options) admits(b *Breakdown, value string) bool {
	want, ok := o.Only[b.Name]
	return !ok || want == value
}

// parts reports whether only some items of a sentence count.
func (o *Options) parts() bool {
	for name := range o.Only {
		if name != byLength.Name {
			return true
		}
	}
	return false
}

// sentence reports whether sentences of n tokens count.
func (o *Options) sentence(n int) bool {
	return o.admits(&byLength, byLength.Values[min(max(n-1, 0)/10, len(byLength.Values)-1)])
}

// arc reports whether the arc from a head to a token counts.
func (o *Options) arc(head, tok int) bool {
	if len(o.Only) == 0 {
		return true
	}
	length, side := byArc.Values[0], bySide.Values[0]
	if head > 0 {
		n := max(head-tok, tok-head)
		length = byArc.Values[1+slices.IndexFunc([]int{1, 2, 6, n}, func(most int) bool { return n <= most })]
		if side = bySide.Values[2]; tok < head {
			side = bySide.Values[1]
		}
	}
	return o.admits(&byArc, length) && o.admits(&bySide, side)
}

// spans returns those of the spans that count, in sentences whose tokens lie between bounds.
func (o *Options) spans(list []text.Span, bounds []int32) []text.Span {
	if len(o.Only) == 0 {
		return list
	}
	var out []text.Span
	for _, s := range list {
		n := int(s.Last - s.First + 1)
		ok := o.admits(&bySpan, bySpan.Values[min(max(n-1, 0), len(bySpan.Values)-1)])
		if s.Sent >= 1 && int(s.Sent) < len(bounds) {
			ok = ok && o.sentence(int(bounds[s.Sent]-bounds[s.Sent-1]))
		}
		if ok {
			out = append(out, s)
		}
	}
	return out
}
