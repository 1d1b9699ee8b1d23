package coreference

import (
	"context"

	"parlance/algo/coref/linking"
	"parlance/algo/coref/mention"
	"parlance/algo/text"
)

// document is a document with the mentions that are to be grouped. Mention i is row i of its layer of mentions.
type document struct {
	text     *text.Document
	read     *mention.Document
	mentions []mention.Mention // in reading order, of those on the same tokens the first
	table    *linking.Table    // for the candidates of each mention
	gold     []int32           // cluster of each mention in training
	separate bool              // pronouns have weights of their own
	keys     []string          // words of mentions that constraints have asked for
	kb       *meanings         // what a knowledge base says of the mentions, nil without one
	vectors  *vectors          // of all pairs, of documents that are decoded with features merged; else nil
}

// newDocument describes the mentions of a document, the rows of its layer. It fails only when the context has ended.
func newDocument(ctx context.Context, d *text.Document, lex mention.Lexicons, limit int, separate bool,
) (*document, error) {
	d, err := ordered(ctx, d)
	if err != nil {
		return nil, err
	}
	out := &document{text: d, separate: separate}
	if out.read, out.mentions, err = mention.Of(ctx, d, lex); err != nil {
		return nil, err
	}
	out.table = linking.NewTable(len(out.mentions), window(len(out.mentions), limit))
	return out, nil
}

// mostPairs bounds the pairs of a document whose antecedents are not limited: their scores take 256 MB.
const mostPairs = 1 << 25

// window is how many antecedents the mentions of a document have at most, 0 for all: the limit, and without one all as
// long as the pairs are at most mostPairs.
func window(mentions, limit int) int {
	if limit > 0 || mentions*(mentions-1)/2 <= mostPairs {
		return limit
	}
	return mostPairs / mentions
}

// ordered is a view of a document whose mentions are in reading order and each on tokens of its own.
func ordered(ctx context.Context, d *text.Document) (*text.Document, error) {
	l := d.Layer(text.Mentions.Name)
	if l == nil {
		return d, nil
	}
	read, err := mention.Read(ctx, &text.Document{Text: d.Text, Layers: plain(d)})
	if err != nil {
		return nil, err
	}
	spans, rows := read.Spans(d)
	sound := len(spans) == l.N
	for i := range spans {
		sound = sound && int(rows[i]) == i && (i == 0 || spans[i] != spans[i-1])
	}
	if sound {
		return d, nil
	}
	var list []row
	names := clusterNames(l)
	for i, s := range spans {
		if i == 0 || s != spans[i-1] {
			list = append(list, row{s, names[rows[i]], l, rows[i]})
		}
	}
	v := *d
	v.SetLayer(layerOf(list))
	return &v, nil
}

// plain are the layers that say where tokens stand.
func plain(d *text.Document) (out []*text.Layer) {
	for _, l := range d.Layers {
		if l.Def == text.Tokens || l.Def == text.Sentences {
			out = append(out, l)
		}
	}
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
