package conll

import (
	"strconv"

	"parlance/algo/text"
	"parlance/storage/format/codec"
	"parlance/storage/format/layers"
)

// relRow is the id of a row of words, after the number of the token, that holds the relation of a token without a
// head: the layer of dependencies has rows of heads alone.
const relRow = " DEPREL"

// arcRows gathers heads and relations of tokens. A token without a head, _, has no row: it is neither the root nor
// below it.
type arcRows struct {
	heads []int32 // of each token, headless for none
	rels  []string
	lines []int // of tokens in their block
	rows  int   // tokens with a head
}

// headless is the head of a token that has none.
const headless = -1

// add notes the head and relation of a token; _ is none.
func (a *arcRows) add(b *codec.Block, at int, head, rel string) error {
	n := int32(headless)
	if head != "_" {
		v, err := strconv.ParseInt(head, 10, 32)
		if err != nil || v < 0 {
			return b.Fault(at, 0, "head %q is no token; 0 is the root", head)
		}
		n = int32(v)
		a.rows++
	}
	if rel == "_" {
		rel = ""
	}
	a.heads, a.rels, a.lines = append(a.heads, n), append(a.rels, rel), append(a.lines, at)
	return nil
}

// keep notes the relations of tokens without a head, for writing back.
func (a *arcRows) keep(words *layers.Words, toks *text.Layer) {
	for i, h := range a.heads {
		if h == headless && a.rels[i] != "" {
			words.Add(int(toks.Cols[0].Ints[i]), itoa(toks.Cols[1].Ints[i])+relRow, a.rels[i])
		}
	}
}

// set gives the document its dependencies, if there are any.
func (a *arcRows) set(b *codec.Block, d *text.Document, toks *text.Layer) error {
	bounds := d.SentenceTokens()
	var ints [3][]int32
	rels := make([]string, 0, a.rows)
	for i, h := range a.heads {
		s, tok := toks.Cols[0].Ints[i], toks.Cols[1].Ints[i]
		if h > bounds[s]-bounds[s-1] || h == tok {
			return b.Fault(a.lines[i], 0, "head %d is outside the sentence or the token itself", h)
		}
		if h == headless {
			continue
		}
		for c, v := range []int32{s, tok, h} {
			ints[c] = append(ints[c], v)
		}
		rels = append(rels, a.rels[i])
	}
	if a.rows == 0 {
		return nil
	}
	l := text.NewLayer(text.Dependencies)
	l.N = a.rows
	l.SetInts("sent", ints[0])
	l.SetInts("tok", ints[1])
	l.SetInts("head", ints[2])
	l.SetStrs("deprel", rels)
	d.SetLayer(l)
	return nil
}

// headColumns are heads and relations as columns of the tokens of a document.
type headColumns struct {
	heads []int32 // by row of the tokens
	rels  []string
}

// arcsOf reads the layer of dependencies. A token of which it has no row has no head; of several trees of a sentence
// the best counts. Relations of tokens without a head are those that the layer words keeps.
func arcsOf(d *text.Document, toks *text.Layer, words layers.KeptWords) headColumns {
	a := headColumns{heads: make([]int32, toks.N), rels: make([]string, toks.N)}
	at := make(map[[2]int32]int, toks.N)
	for i := range a.heads {
		a.heads[i] = headless
		at[[2]int32{toks.Cols[0].Ints[i], toks.Cols[1].Ints[i]}] = i
	}
	if l := d.Layer(text.Dependencies.Name); l != nil && l.Ints("head") != nil {
		sent, tok, head, rel := l.Ints("sent"), l.Ints("tok"), l.Ints("head"), l.Strs("deprel")
		for k := range l.N {
			i, ok := at[[2]int32{sent[k], tok[k]}]
			if !ok || l.Rank != nil && l.Rank[k] != 1 {
				continue
			}
			a.heads[i] = head[k]
			if rel != nil {
				a.rels[i] = rel[k]
			}
		}
	}
	for i, h := range a.heads {
		id := itoa(toks.Cols[1].Ints[i])
		sent := toks.Cols[0].Ints[i]
		if _, old := words.Rows[layers.KeptKey{Sent: sent, Id: id + headRow}]; old && h == 0 {
			a.heads[i] = headless
			continue
		}
		if h == headless {
			a.rels[i] = words.Rows[layers.KeptKey{Sent: sent, Id: id + relRow}]
		}
	}
	return a
}

// cells is head and relation of the token of a row as columns of a file, _ for none.
func (a headColumns) cells(row int) (head, rel string) {
	head = "_"
	if a.heads[row] != headless {
		head = itoa(a.heads[row])
	}
	return head, orBar(a.rels[row])
}
