package coreference

import (
	"slices"

	"parlance/algo/coref/linking"
	"parlance/algo/coref/mention"
	"parlance/algo/text"
)

// document is a document with the mentions that are to be grouped.
type document struct {
	text     *text.Document // its layer of mentions has the rows of the mentions
	read     *mention.Document
	mentions []mention.Mention // in reading order, of those on the same tokens the first
	table    *linking.Table    // for the candidates of each mention
	gold     []int32           // cluster of each mention in training
	separate bool              // pronouns have weights of their own
}

// newDocument describes the mentions of a document, the rows of its layer.
func newDocument(d *text.Document, lex mention.Lexicons, limit int, separate bool) *document {
	out := &document{text: d, separate: separate}
	out.read, out.mentions = mention.Of(d, lex)
	out.mentions = slices.CompactFunc(out.mentions, func(a, b mention.Mention) bool { return a.Span == b.Span })
	out.table = linking.NewTable(len(out.mentions), limit)
	return out
}

// part is the part of the weights that links of a mention are scored by: 1 of pronouns where they are apart, else 0.
func (d *document) part(i int) int {
	if d.separate && d.pronoun(i) {
		return 1
	}
	return 0
}

func (d *document) pronoun(i int) bool { return d.mentions[i].Type == mention.Pronoun }

// learn takes the clusters of the layer of mentions as gold: names by row. Mentions without a cluster are alone.
func (d *document) learn() {
	l := d.text.Layer(text.Mentions.Name)
	d.gold = make([]int32, len(d.mentions))
	var names []string
	if l != nil {
		names = l.Strs("cluster")
	}
	number := map[string]int32{}
	next := int32(0)
	for i, m := range d.mentions {
		if names != nil && names[m.Row] != "" {
			if c, ok := number[names[m.Row]]; ok {
				d.gold[i] = c
				continue
			}
			number[names[m.Row]] = next
		}
		d.gold[i] = next
		next++
	}
}

// right tells of the candidates of a mention which are of its cluster.
func (d *document) right(i int, out []bool) []bool {
	out = out[:0]
	for j := d.table.First(i); j < i; j++ {
		out = append(out, d.gold[j] == d.gold[i])
	}
	return out
}

// alone is how many clusters have one mention, and how many there are.
func (d *document) alone() (single, all int) {
	size := map[int32]int{}
	for _, c := range d.gold {
		size[c]++
	}
	for _, n := range size {
		if n == 1 {
			single++
		}
	}
	return single, len(size)
}
