package metrics

import (
	"fmt"

	"parlance/algo/text"
	"parlance/algo/text/treebank"
)

// Verdict says whether a predicted row is right.
type Verdict uint8

// The verdicts.
const (
	Unjudged Verdict = iota // there is no gold to compare with
	Wrong
	Correct
)

func verdict(right bool) Verdict {
	if right {
		return Correct
	}
	return Wrong
}

// Verdicts judges every predicted row of a layer by all that the model says in it: a span by its ends and label, a
// token by the column, a word that a model cuts by its ends and tag, an arc by head and, where relations are predicted,
// relation, a correction by the tokens that it changes and what they become, for any annotator. Other layers have none.
func Verdicts(def *text.LayerDef, columns []string, gold, predicted *text.Document) ([]Verdict, error) {
	p := predicted.Layer(def.Name)
	if p == nil {
		return nil, nil
	}
	out := make([]Verdict, p.N)
	switch {
	case def.Spans:
		judgeSpans(out, gold.Layer(def.Name), p)
	case def == text.Tokens && len(columns) > 0:
		g := gold.Layer(def.Name)
		if g == nil || g.N != p.N {
			return nil, fmt.Errorf("document %s: gold and prediction have different tokens", gold.ID)
		}
		judgeTexts(out, g.Strs(columns[0]), p.Strs(columns[0]))
	case def == text.Tokens:
		judgeWords(out, gold.Layer(def.Name), p)
	case def == text.Labels:
		judgeLabels(out, labelsOf(gold), p.Strs("label"))
	case def == text.Dependencies:
		judgeArcs(out, gold, p)
	case def == text.Edits:
		return out, judgeEdits(out, gold, predicted)
	default:
		return nil, nil
	}
	return out, nil
}

func judgeSpans(out []Verdict, gold, predicted *text.Layer) {
	if gold == nil {
		return
	}
	known := map[text.Span]bool{}
	for _, s := range gold.Spans() {
		known[s] = true
	}
	for i, s := range predicted.Spans() {
		out[i] = verdict(known[s])
	}
}

func judgeTexts(out []Verdict, gold, predicted []string) {
	for i, g := range gold {
		if g != "" {
			out[i] = verdict(i < len(predicted) && predicted[i] == g)
		}
	}
}

// judgeWords judges words by their ends and, where both sides have tags, by their tags.
func judgeWords(out []Verdict, gold, predicted *text.Layer) {
	if gold == nil {
		return
	}
	both := func(c string) bool { return gold.Strs(c) != nil && predicted.Strs(c) != nil }
	column := TagColumn(both("upos"), both("xpos"))
	tagged := both(column)
	known := map[[2]int32]string{}
	start, end := gold.Ints("char_start"), gold.Ints("char_end")
	for i := range gold.N {
		known[[2]int32{start[i], end[i]}] = pick(gold.Strs(column), i)
	}
	start, end = predicted.Ints("char_start"), predicted.Ints("char_end")
	for i := range out {
		tag, ok := known[[2]int32{start[i], end[i]}]
		out[i] = verdict(ok && (!tagged || tag == predicted.Strs(column)[i]))
	}
}

func judgeLabels(out []Verdict, gold map[string]bool, predicted []string) {
	if len(gold) == 0 {
		return
	}
	for i, l := range predicted {
		out[i] = verdict(gold[l])
	}
}

func judgeArcs(out []Verdict, gold *text.Document, predicted *text.Layer) {
	type arc struct {
		head int32
		rel  string
	}
	known := map[[2]int32]arc{}
	for s := range treebank.Sentences(gold) {
		for k := 1; k < len(s.Heads); k++ {
			if s.Heads[k] != treebank.Missing {
				known[[2]int32{int32(s.Number), int32(k)}] = arc{s.Heads[k], s.Labels[k]}
			}
		}
	}
	sent, tok := predicted.Ints("sent"), predicted.Ints("tok")
	head, rel := predicted.Ints("head"), predicted.Strs("deprel")
	for i := range out {
		if a, ok := known[[2]int32{sent[i], tok[i]}]; ok {
			out[i] = verdict(head[i] == a.head && (rel == nil || rel[i] == a.rel))
		}
	}
}

// judgeEdits judges corrections; one of the type noop, which says that nothing is wrong, is not judged.
func judgeEdits(out []Verdict, gold, predicted *text.Document) error {
	if gold.Layer(text.Edits.Name) == nil {
		return nil
	}
	if err := sameTokens(gold, predicted); err != nil {
		return err
	}
	known, err := editsOf(gold)
	if err != nil {
		return err
	}
	l, toks, bounds := predicted.Layer(text.Edits.Name), predicted.Layer(text.Tokens.Name), sentenceBounds(predicted)
	if toks == nil {
		toks = text.NewLayer(text.Tokens)
	}
	sent, start, end := l.Ints("sent"), l.Ints("char_start"), l.Ints("char_end")
	for i := range out {
		k := int(sent[i])
		if k < 1 || k >= len(bounds) {
			return fmt.Errorf("document %s: edit %d lies in no sentence", predicted.ID, i+1)
		}
		if pick(l.Strs("type"), i) == noop {
			continue
		}
		e := overTokens(predicted, toks, int(bounds[k-1]), int(bounds[k]), int(start[i]), int(end[i]),
			pick(l.Strs("correction"), i))
		out[i] = Wrong
		if k >= len(known.edits) {
			continue
		}
		for _, g := range known.edits[k] {
			if g.kind != noop && g.accepts(change{from: e.from, to: e.to, words: e.alternatives[0]}) {
				out[i] = Correct
			}
		}
	}
	return nil
}
