package document

import (
	"slices"

	"parlance/algo/text"
	"parlance/query/draft"
)

// Refit makes the other layers of a document fit tokens into which a model has cut its text: sentences are those of the
// tokens, spans are aligned to them, and layers whose rows go by the number of a token are left out.
func Refit(d *text.Document) {
	toks := d.Layer(text.Tokens.Name)
	if toks == nil {
		return
	}
	layers := []*text.Layer{sentencesOf(toks)}
	for _, l := range d.Layers {
		switch {
		case l.Def == text.Sentences:
		case l.Def == text.Tokens || l.Def.Index("sent") < 0:
			layers = append(layers, l)
		case hasOwnOffsets(l.Def):
			layers = append(layers, withoutTokens(l))
			draft.Align(layers[len(layers)-1], toks)
		}
	}
	d.Layers = layers
}

// hasOwnOffsets reports whether the places of rows follow from their offsets in the text.
func hasOwnOffsets(d *text.LayerDef) bool {
	return d.Index("char_start") >= 0 && d.Index("node") < 0 && d.Index("predicate") < 0 || d == text.Relations
}

// sentencesOf are the sentences of the best tokens, from the first token of each to the last.
func sentencesOf(toks *text.Layer) *text.Layer {
	l := text.NewLayer(text.Sentences)
	sent, start, end := toks.Ints("sent"), toks.Ints("char_start"), toks.Ints("char_end")
	for i := range toks.N {
		if toks.Rank != nil && toks.Rank[i] > 1 {
			continue
		}
		if int(sent[i]) > l.N {
			l.N++
			l.Cols[0].Ints = append(l.Cols[0].Ints, sent[i])
			l.Cols[1].Ints = append(l.Cols[1].Ints, start[i])
			l.Cols[2].Ints = append(l.Cols[2].Ints, end[i])
		}
		l.Cols[2].Ints[l.N-1] = end[i]
	}
	return l
}

// withoutTokens is a copy of a layer whose rows belong to no sentence and no tokens yet.
func withoutTokens(l *text.Layer) *text.Layer {
	out := *l
	out.Cols = slices.Clone(l.Cols)
	for _, name := range []string{"sent", "tok_start", "tok_end"} {
		if l.Ints(name) != nil {
			out.SetInts(name, make([]int32, l.N))
		}
	}
	return &out
}
