package tokenizer

import (
	"strings"
	"unicode"

	"parlance/algo/segment"
	"parlance/algo/text"
)

// The labels of characters and of tokens.
const (
	begins = "B"
	inside = "I"
)

// labelColumn is the column of a document of characters, or of paragraphs, that is labelled.
const labelColumn = "upos"

// characterFeatures are templates over characters: form is the character, xpos its class, lemma what stands before it
// up to the start of the next run of letters and digits, and feats what it begins, up to the end of the next such run.
const characterFeatures = "bias, form[-3..3], xpos[-3..3], form[-1]|form[0], form[0]|form[1], " +
	"form[-2]|form[-1]|form[0], form[-1]|form[0]|form[1], form[0]|form[1]|form[2], form[-2]|form[-1]|form[0]|form[1], " +
	"form[-1]|form[0]|form[1]|form[2], xpos[-1]|xpos[0], xpos[0]|xpos[1], xpos[-1]|xpos[0]|xpos[1], " +
	"xpos[-2]|xpos[-1]|xpos[0], xpos[0]|xpos[1]|xpos[2], xpos[-2]|xpos[-1]|xpos[0]|xpos[1], " +
	"xpos[-2]|xpos[-1]|xpos[0]|xpos[1]|xpos[2], lemma[0], feats[0], lemma[0]|feats[0], lemma[0]|form[0], " +
	"form[-1]|feats[0], lemma[0]|xpos[0]|xpos[1], xpos[-1]|feats[0], bos[-1], eos, bos[-1]|form[0], eos|form[0], " +
	"eos|form[0]|lemma[0], eos|form[0]|form[-1], eos[1]|feats[0], eos[1]|form[0]|form[1]"

// address stands for the characters of URLs and e-mail addresses behind their first, which are seldom cut.
const address = "address"

// longestRun is the length in characters of what lemma and feats hold.
const longestRun = 12

// characters gathers chunks as a document: sentences are chunks, tokens their characters.
type characters struct {
	table
	chunks  []span
	classes []byte // of the characters of the chunk
	starts  []int
}

// add adds the chunk of a text; gold are the offsets where tokens begin, nil where they are sought.
func (c *characters) add(content string, chunk span, gold map[int32]bool) {
	c.chunks = append(c.chunks, chunk)
	word := content[chunk.from:chunk.to]
	c.classes, c.starts = c.classes[:0], c.starts[:0]
	for i, r := range word {
		c.classes, c.starts = append(c.classes, classOf(r)), append(c.starts, i)
	}
	c.starts = append(c.starts, len(word))
	within := c.within(word)
	lower := strings.Map(unicode.ToLower, word)
	if len(lower) != len(word) { // a character of another length in lower case
		lower = word
	}
	for i, class := range c.classes {
		from, to := c.starts[i], c.starts[i+1]
		label := inside
		if gold == nil || gold[chunk.from+int32(from)] {
			label = begins
		}
		c.row(int32(len(c.chunks)), int32(i+1), chunk.from+int32(from), chunk.from+int32(to))
		c.label = append(c.label, label)
		if within[from] {
			c.form, c.lemma, c.feats = append(c.form, address), append(c.lemma, ""), append(c.feats, "")
			c.xpos = append(c.xpos, address)
			continue
		}
		c.form = append(c.form, word[from:to])
		c.lemma = append(c.lemma, lower[c.starts[c.before(i)]:from])
		c.feats = append(c.feats, lower[from:c.starts[c.after(i)]])
		if class != other {
			c.xpos = append(c.xpos, string(rune(class)))
		} else {
			c.xpos = append(c.xpos, word[from:to])
		}
	}
}

// within are the bytes of a chunk that lie in a URL or an e-mail address, behind its first; nil without any.
func (c *characters) within(word string) map[int]bool {
	var out map[int]bool
	segment.Addresses(word, func(at, n int) {
		if out == nil {
			out = map[int]bool{}
		}
		for i := at + 1; i < at+n; i++ {
			out[i] = true
		}
	})
	return out
}

// before is the character from which on lemma of character i holds: marks, and letters or digits before them.
func (c *characters) before(i int) int {
	k := i
	for k > 0 && i-k < longestRun && c.classes[k-1] == other {
		k--
	}
	for k > 0 && i-k < longestRun && c.classes[k-1] != other {
		k--
	}
	return k
}

// after is the character up to which feats of character i holds: letters or digits, marks, and letters or digits.
func (c *characters) after(i int) int {
	k, n := i, len(c.classes)
	for _, wanted := range [3]bool{true, false, true} {
		for k < n && k-i < longestRun && (c.classes[k] != other) == wanted {
			k++
		}
	}
	return k
}

// The classes of characters.
const (
	capital = 'X'
	small   = 'x'
	digit   = '9'
	other   = 0
)

func classOf(r rune) byte {
	switch {
	case unicode.IsUpper(r):
		return capital
	case unicode.IsLetter(r) || unicode.IsMark(r):
		return small
	case unicode.IsDigit(r):
		return digit
	}
	return other
}

// tokens calls use with the tokens of the chunks by the labels of a document of them, with their scores: the product of
// the probabilities of their characters' labels and of the label after them. prob may be nil.
func (c *characters) tokens(labels []string, prob []float64, use func(chunk int, token span, prob float64)) {
	i := 0
	for n, chunk := range c.chunks {
		at := span{chunk.from, chunk.from}
		p := 1.0
		for ; i < len(c.form) && c.sent[i] == int32(n+1); i++ {
			if prob != nil {
				p *= prob[i]
			}
			if labels[i] == begins && at.to > at.from {
				use(n, at, p)
				at.from, p = at.to, 1
				if prob != nil {
					p = prob[i]
				}
			}
			at.to = c.end[i]
		}
		use(n, at, p)
	}
}

// table is the tokens of a document on its way.
type table struct {
	sent, tok, start, end []int32
	form, lemma, label    []string
	xpos, feats           []string
}

func (t *table) row(sent, tok, start, end int32) {
	t.sent, t.tok = append(t.sent, sent), append(t.tok, tok)
	t.start, t.end = append(t.start, start), append(t.end, end)
}

// document makes a document of the text with these tokens.
func (t *table) document(id, content string, labelled bool) *text.Document {
	l := text.NewLayer(text.Tokens)
	l.N = len(t.form)
	l.SetInts("sent", t.sent)
	l.SetInts("tok", t.tok)
	l.SetInts("char_start", t.start)
	l.SetInts("char_end", t.end)
	l.SetStrs("form", t.form)
	l.SetStrs("lemma", t.lemma)
	l.SetStrs("xpos", t.xpos)
	l.SetStrs("feats", t.feats)
	if labelled {
		l.SetStrs(labelColumn, t.label)
	}
	d := &text.Document{ID: id, Text: content}
	d.SetLayer(l)
	return d
}
