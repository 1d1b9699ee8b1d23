package layers

import (
	"strings"

	"parlance/algo/text"
)

// Builder gathers the tokens of a document and rebuilds its text.
type Builder struct {
	Text       strings.Builder
	Sent, Tok  []int32
	Start, End []int32
	SentStart  []int32
}

// Sentence begins a sentence; the text goes on in a new line.
func (b *Builder) Sentence() { b.SentenceAfter("\n") }

// SentenceAfter begins a sentence after what stands before it, if that is not the first.
func (b *Builder) SentenceAfter(gap string) {
	if b.Text.Len() > 0 {
		b.Text.WriteString(gap)
	}
	b.SentStart = append(b.SentStart, int32(b.Text.Len()))
}

// Lead writes what stands before the first token of the present sentence.
func (b *Builder) Lead(gap string) {
	b.Text.WriteString(gap)
	b.SentStart[len(b.SentStart)-1] = int32(b.Text.Len())
}

// Token adds a token to the present sentence.
func (b *Builder) Token(form string, glue bool) {
	gap := " "
	if glue || b.Next() == 1 {
		gap = ""
	}
	b.TokenAfter(form, gap)
}

// TokenAfter adds a token after what stands before it.
func (b *Builder) TokenAfter(form, gap string) {
	tok := b.Next()
	b.Text.WriteString(gap)
	b.Sent, b.Tok = append(b.Sent, int32(len(b.SentStart))), append(b.Tok, int32(tok))
	b.Start = append(b.Start, int32(b.Text.Len()))
	b.Text.WriteString(form)
	b.End = append(b.End, int32(b.Text.Len()))
}

// Document makes text, sentences and tokens.
func (b *Builder) Document(id string) (*text.Document, *text.Layer) {
	d := &text.Document{ID: id, Text: b.Text.String()}
	toks := text.NewLayer(text.Tokens)
	toks.N = len(b.Sent)
	for c, v := range [][]int32{b.Sent, b.Tok, b.Start, b.End} {
		toks.Cols[c].Ints = v
	}
	forms := make([]string, toks.N)
	for i := range forms {
		forms[i] = d.Text[b.Start[i]:b.End[i]]
	}
	toks.Cols[4].Strs = forms
	d.SetLayer(b.sentences())
	d.SetLayer(toks)
	return d, toks
}

func (b *Builder) sentences() *text.Layer {
	l := text.NewLayer(text.Sentences)
	l.N = len(b.SentStart)
	for c := range 3 {
		l.Cols[c].Ints = make([]int32, l.N)
	}
	for i, at := range b.SentStart {
		l.Cols[0].Ints[i], l.Cols[1].Ints[i], l.Cols[2].Ints[i] = int32(i+1), at, at
	}
	for i, s := range b.Sent {
		l.Cols[2].Ints[s-1] = b.End[i]
	}
	return l
}

// Next is the number of the next token of the present sentence.
func (b *Builder) Next() int {
	n := len(b.Sent)
	if n == 0 || b.Sent[n-1] != int32(len(b.SentStart)) {
		return 1
	}
	return int(b.Tok[n-1]) + 1
}

// Placed gives a builder whose text is there sentences and tokens, as bytes of it, both in reading order. A token
// before the first sentence begins one.
func (b *Builder) Placed(sentences, tokens [][2]int) {
	k := 0 // sentences that have begun
	for _, t := range tokens {
		for begun := false; k < len(sentences) && sentences[k][0] <= t[0]; k++ {
			if begun { // a sentence without tokens
				b.SentStart = b.SentStart[:len(b.SentStart)-1]
			}
			b.SentStart, begun = append(b.SentStart, int32(sentences[k][0])), true
		}
		if len(b.SentStart) == 0 {
			b.SentStart = append(b.SentStart, int32(t[0]))
		}
		tok := b.Next()
		b.Sent, b.Tok = append(b.Sent, int32(len(b.SentStart))), append(b.Tok, int32(tok))
		b.Start, b.End = append(b.Start, int32(t[0])), append(b.End, int32(t[1]))
	}
}
