package mention

import (
	"context"
	"slices"
	"strings"

	"parlance/algo/kind"
)

// longestQuotation is how many tokens a quotation may have; a longer one is taken for a missing mark.
const longestQuotation = 600

// readSpeakers reads who speaks: the attribute Speaker of tokens, and for what stands between quotation marks the
// subject of a verb of saying beside it.
func (d *Document) readSpeakers(ctx context.Context, misc []string) {
	d.Speakers, d.Quoted = make([]string, len(d.Forms)), make([]bool, len(d.Forms))
	for i, m := range misc {
		if kind.Ended(ctx, i) {
			return
		}
		if m != "" {
			d.Speakers[i] = feature(m, "Speaker")
		}
	}
	quotes := d.quotations()
	for _, q := range quotes {
		for t := q.Start; t < q.End; t++ {
			d.Quoted[t] = true
		}
	}
	for _, q := range quotes { // a quotation is looked for in whole sentences
		if ctx.Err() != nil {
			return
		}
		name := d.speakerOf(q)
		if name == "" {
			continue
		}
		for t := q.Start; t < q.End; t++ {
			d.Speakers[t] = name
		}
	}
}

// quotations are the rows between quotation marks.
func (d *Document) quotations() (out []Span) {
	open := int32(None)
	for i, f := range d.Forms {
		t := int32(i)
		opens, closes := false, false
		switch f {
		case "``", "“", "«", "„":
			opens = true
		case "''", "”", "»":
			closes = true
		case `"`:
			opens, closes = open == None, open != None
		}
		switch {
		case opens:
			open = t + 1
		case closes && open != None:
			if open < t && t-open <= longestQuotation {
				out = append(out, Span{open, t})
			}
			open = None
		}
	}
	return out
}

// speakerOf is the subject of the verb of saying that is nearest to a quotation, in the sentences where it begins and
// ends; "" without one.
func (d *Document) speakerOf(q Span) string {
	best, distance := int32(None), int32(12)
	look := func(from, to int32) {
		for t := from; t < to; t++ {
			if d.Quoted[t] || !d.says(t) {
				continue
			}
			away := q.Start - t
			if t >= q.End {
				away = t - q.End + 1
			}
			if away < distance {
				best, distance = t, away
			}
		}
	}
	first, last := d.Sents[q.Start], d.Sents[q.End-1]
	look(d.Bounds[first], q.Start)
	look(q.End, d.Bounds[last+1])
	if end := d.Bounds[last+1]; best == None && q.End+1 >= end && int(end) < len(d.Forms) { // the mark ends the sentence
		look(end, d.Bounds[last+2])
	}
	if best == None {
		return ""
	}
	if s := d.subject(best); s != None {
		return d.called(s)
	}
	return ""
}

func (d *Document) says(t int32) bool {
	if c := d.Class(t); c != "VERB" && c != "AUX" && d.Xpos[t] != "" {
		return false
	}
	lemma := d.Lemmas[t]
	if lemma == "" {
		lemma = d.Lower[t]
	}
	return words().saying[strings.ToLower(lemma)] || lemma == d.Lower[t] && d.Lower[t] == "said"
}

// subject is the subject of a verb by the tree, else the nearest noun or pronoun before or after.
func (d *Document) subject(verb int32) int32 {
	for _, c := range d.Children(verb) {
		if strings.HasPrefix(d.Rels[c], "nsubj") {
			return c
		}
	}
	if d.Heads[verb] != None {
		return None
	}
	s := d.Sents[verb]
	for away := int32(1); away <= 4; away++ {
		for _, t := range []int32{verb - away, verb + away} {
			if t < d.Bounds[s] || t >= d.Bounds[s+1] || d.Quoted[t] {
				continue
			}
			if c := d.Class(t); c == "PRON" || c == "PROPN" || c == "NOUN" {
				return t
			}
		}
	}
	return None
}

// called is a token with the names around it, a lone word in small letters.
func (d *Document) called(t int32) string {
	s := d.Sents[t]
	from, to := t, t+1
	if d.Class(t) == "PROPN" {
		for from > d.Bounds[s] && d.Class(from-1) == "PROPN" {
			from--
		}
		for to < d.Bounds[s+1] && d.Class(to) == "PROPN" {
			to++
		}
	}
	if to == from+1 && d.Class(t) != "PROPN" {
		return d.Lower[t]
	}
	return strings.Join(slices.Clone(d.Forms[from:to]), " ")
}
