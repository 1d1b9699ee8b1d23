package picture

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"

	"parlance/algo/text"
	"parlance/storage/format/draw"
)

// partners finds the documents that links of alignments lead to: those that stand beside the document that has them. A
// document with
// links waits for the next one.
type partners struct {
	last, held, next *text.Document
}

// draw calls one with each document in turn; d is nil at the end. Of the documents beside it, other tells that with an
// id.
func (p *partners) draw(d *text.Document, one func(*text.Document) error) error {
	if held := p.held; held != nil {
		p.held, p.next = nil, d
		if err := one(held); err != nil {
			return err
		}
		p.last, p.next = held, nil
	}
	if d == nil {
		return nil
	}
	if l := d.Layer(text.Alignments.Name); l != nil && l.N > 0 && p.other(strAt(l.Strs("other_doc"), 0)) == nil {
		p.held = d
		return nil
	}
	err := one(d)
	p.last = d
	return err
}

// other is a document beside the one that is drawn, or nil.
func (p *partners) other(id string) *text.Document {
	for _, d := range []*text.Document{p.last, p.next} {
		if d != nil && d.ID == id {
			return d
		}
	}
	return nil
}

// linkFigures draws alignments, a figure a sentence.
func (p *partners) linkFigures(d *text.Document, l *text.Layer) (out []sentenceFigure) {
	p.eachLinks(d, l, func(sent int, upper, lower []draw.Word, list []draw.Link) {
		out = append(out, sentenceFigure{sent, draw.Links(upper, lower, list)})
	})
	return out
}

// eachLinks calls with the words of each sentence, those of the sentences of other documents that it is linked to, and
// the
// links. Words of a document that is not beside this one are their numbers.
func (p *partners) eachLinks(d *text.Document, l *text.Layer, each func(sent int, upper, lower []draw.Word,
	list []draw.Link)) {
	sentences := sentencesOfTokens(d)
	labels := l.Strs("label")
	bySentence(l, func(sent int, rows []int) {
		s := sentences[sent]
		if s == nil {
			return
		}
		lower, at := p.lower(l, rows)
		var links []draw.Link
		for _, i := range rows {
			of, t := at[linkedTo(l, i)], intAt(l.Ints("other_tok"), i, 0)
			if t < 1 || t > of.words {
				continue
			}
			links = append(links, draw.Link{From: intAt(l.Ints("tok"), i, 0) - 1, To: of.begin + t - 1,
				Possible: strings.HasPrefix(strings.ToLower(strAt(labels, i)), "p")})
		}
		each(sent, s.words, lower, links)
	})
}

// place is a sentence of another document.
type place struct {
	doc  string
	sent int
}

func linkedTo(l *text.Layer, row int) place {
	return place{strAt(l.Strs("other_doc"), row), intAt(l.Ints("other_sent"), row, 1)}
}

// span is where the words of a sentence begin among others, and how many there are.
type span struct{ begin, words int }

// mostNumbers bounds the words of a sentence that is not there.
const mostNumbers = 1000

// lower are the words of the sentences that rows lead to, in order, and where each sentence stands among them.
func (p *partners) lower(l *text.Layer, rows []int) (words []draw.Word, at map[place]span) {
	most := map[place]int{} // the last token that is linked
	for _, i := range rows {
		k := linkedTo(l, i)
		most[k] = max(most[k], min(mostNumbers, intAt(l.Ints("other_tok"), i, 0)))
	}
	places := slices.SortedFunc(maps.Keys(most), func(a, b place) int {
		return cmp.Or(strings.Compare(a.doc, b.doc), cmp.Compare(a.sent, b.sent))
	})
	at = map[place]span{}
	for _, k := range places {
		begin := len(words)
		if s := p.sentence(k); s != nil {
			words = append(words, s.words...)
		} else {
			for i := range most[k] {
				words = append(words, draw.Word{Form: strconv.Itoa(i + 1)})
			}
		}
		at[k] = span{begin, len(words) - begin}
	}
	return words, at
}

// sentence is one of a document beside, or nil.
func (p *partners) sentence(k place) *stretch {
	if o := p.other(k.doc); o != nil {
		return sentencesOfTokens(o)[k.sent]
	}
	return nil
}
