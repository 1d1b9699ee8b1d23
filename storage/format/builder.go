package format

import (
	"strings"

	"parlance/algo/text"
)

// builder gathers the tokens of a document and rebuilds its text.
type builder struct {
	text       strings.Builder
	sent, tok  []int32
	start, end []int32
	sentStart  []int32
}

// sentence begins a sentence; the text goes on in a new line.
func (b *builder) sentence() { b.sentenceAfter("\n") }

// sentenceAfter begins a sentence after what stands before it, if that is not the first.
func (b *builder) sentenceAfter(gap string) {
	if b.text.Len() > 0 {
		b.text.WriteString(gap)
	}
	b.sentStart = append(b.sentStart, int32(b.text.Len()))
}

// lead writes what stands before the first token of the present sentence.
func (b *builder) lead(gap string) {
	b.text.WriteString(gap)
	b.sentStart[len(b.sentStart)-1] = int32(b.text.Len())
}

// token adds a token to the present sentence.
func (b *builder) token(form string, glue bool) {
	gap := " "
	if glue || b.next() == 1 {
		gap = ""
	}
	b.tokenAfter(form, gap)
}

// tokenAfter adds a token after what stands before it.
func (b *builder) tokenAfter(form, gap string) {
	tok := b.next()
	b.text.WriteString(gap)
	b.sent, b.tok = append(b.sent, int32(len(b.sentStart))), append(b.tok, int32(tok))
	b.start = append(b.start, int32(b.text.Len()))
	b.text.WriteString(form)
	b.end = append(b.end, int32(b.text.Len()))
}

// document makes text, sentences and tokens.
func (b *builder) document(id string) (*text.Document, *text.Layer) {
	d := &text.Document{ID: id, Text: b.text.String()}
	toks := text.NewLayer(text.Tokens)
	toks.N = len(b.sent)
	for c, v := range [][]int32{b.sent, b.tok, b.start, b.end} {
		toks.Cols[c].Ints = v
	}
	forms := make([]string, toks.N)
	for i := range forms {
		forms[i] = d.Text[b.start[i]:b.end[i]]
	}
	toks.Cols[4].Strs = forms
	d.SetLayer(b.sentences())
	d.SetLayer(toks)
	return d, toks
}

func (b *builder) sentences() *text.Layer {
	l := text.NewLayer(text.Sentences)
	l.N = len(b.sentStart)
	for c := range 3 {
		l.Cols[c].Ints = make([]int32, l.N)
	}
	for i, at := range b.sentStart {
		l.Cols[0].Ints[i], l.Cols[1].Ints[i], l.Cols[2].Ints[i] = int32(i+1), at, at
	}
	for i, s := range b.sent {
		l.Cols[2].Ints[s-1] = b.end[i]
	}
	return l
}

// next is the number of the next token of the present sentence.
func (b *builder) next() int {
	n := len(b.sent)
	if n == 0 || b.sent[n-1] != int32(len(b.sentStart)) {
		return 1
	}
	return int(b.tok[n-1]) + 1
}

// placed gives a builder whose text is there sentences and tokens, as bytes of it, both in reading order. A token
// before the first sentence begins one.
func (b *builder) placed(sentences, tokens [][2]int) {
	k := 0 // sentences that have begun
	for _, t := range tokens {
		for begun := false; k < len(sentences) && sentences[k][0] <= t[0]; k++ {
			if begun { // a sentence without tokens
				b.sentStart = b.sentStart[:len(b.sentStart)-1]
			}
			b.sentStart, begun = append(b.sentStart, int32(sentences[k][0])), true
		}
		if len(b.sentStart) == 0 {
			b.sentStart = append(b.sentStart, int32(t[0]))
		}
		tok := b.next()
		b.sent, b.tok = append(b.sent, int32(len(b.sentStart))), append(b.tok, int32(tok))
		b.start, b.end = append(b.start, int32(t[0])), append(b.end, int32(t[1]))
	}
}
