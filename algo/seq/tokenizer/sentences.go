package tokenizer

import (
	"strings"

	"parlance/algo/text"
)

// sentenceFeatures are templates over the tokens of a paragraph: xpos tells what stands before the token, nothing, a
// blank or, where line feeds count, a line feed.
const sentenceFeatures = "bias, form[-2..2], lower[-3..3], short_shape[-2..2], shape[-1], shape[0], " +
	"form[-1]|form[0], lower[-1]|short_shape[0], form[-1]|xpos[0]|short_shape[0], short_shape[-1]|short_shape[0], " +
	"lower[-2]|lower[-1], short_shape[-1]|short_shape[0]|short_shape[1], " +
	"short_shape[-2]|short_shape[-1]|short_shape[0], xpos[0], form[-1]|xpos[0], form[-1]|xpos[0]|xpos[-1], " +
	"form[-2]|form[-1]|short_shape[0], form[-1]|short_shape[0]|short_shape[1], lower[0]|short_shape[0]|short_shape[1], " +
	"lower[0]|lower[1], lower[0]|short_shape[0]|short_shape[-1], xpos[0]|short_shape[-1]|lower[0], suffix(3)[0], " +
	"suffix(2)[-1]|short_shape[0], suffix(3)[-1], is_punct[-1]|lower[0], " +
	"is_punct[-1]|is_punct[-2]|form[-1]|short_shape[0], length[-1]|form[-1]|short_shape[0], bos[-2..0], eos[0..2]"

// paragraphs gathers the tokens of a text as a document: sentences are paragraphs.
type paragraphs struct {
	table
	lines bool // line feeds are told from blanks
	whole bool // the text is one paragraph
	count int32
	last  int32
}

// add adds a token of the text. It begins a paragraph where a blank line stands before it.
func (p *paragraphs) add(content string, token span, form, label string) {
	gap := content[p.last:max(p.last, token.from)]
	if p.count == 0 || !p.whole && strings.Count(gap, "\n") > 1 {
		p.count++
		p.row(p.count, 1, token.from, token.to)
	} else {
		p.row(p.count, p.tok[len(p.tok)-1]+1, token.from, token.to)
	}
	before := "0"
	switch {
	case p.lines && strings.Contains(gap, "\n"):
		before = "n"
	case gap != "":
		before = "1"
	}
	p.form, p.lemma, p.feats = append(p.form, form), append(p.lemma, ""), append(p.feats, "")
	p.xpos, p.label = append(p.xpos, before), append(p.label, label)
	p.last = token.to
}

// layer is the tokens of the paragraphs as a layer whose sentences begin where a label says so, and with each
// paragraph.
func (p *paragraphs) layer(labels []string) *text.Layer {
	l := text.NewLayer(text.Tokens)
	l.N = len(p.form)
	sent, tok := make([]int32, l.N), make([]int32, l.N)
	for i := range sent {
		switch {
		case i == 0:
			sent[i], tok[i] = 1, 1
		case labels[i] == begins || p.sent[i] != p.sent[i-1]:
			sent[i], tok[i] = sent[i-1]+1, 1
		default:
			sent[i], tok[i] = sent[i-1], tok[i-1]+1
		}
	}
	l.SetInts("sent", sent)
	l.SetInts("tok", tok)
	l.SetInts("char_start", p.start)
	l.SetInts("char_end", p.end)
	l.SetStrs("form", p.form)
	return l
}
