package format

import (
	"strconv"

	"parlance/algo/text"
)

// arcRows gathers heads and relations, one a token.
type arcRows struct {
	heads []int32
	rels  []string
	lines []int // of tokens in their block
	any   bool  // some token has a head
}

// add notes the head and relation of a token; _ is none.
func (a *arcRows) add(b *block, at int, head, rel string) error {
	n := 0
	if head != "_" {
		v, err := strconv.ParseInt(head, 10, 32)
		if err != nil || v < 0 {
			return b.fault(at, 0, "head %q is no token; 0 is the root", head)
		}
		n, a.any = int(v), true
	}
	if rel == "_" {
		rel = ""
	}
	if rel != "" {
		a.any = true
	}
	a.heads, a.rels, a.lines = append(a.heads, int32(n)), append(a.rels, rel), append(a.lines, at)
	return nil
}

// blind keeps that tokens without a head have none, if others have one.
func (a *arcRows) blind(words *wordRows, toks *text.Layer, rows []int) {
	for _, i := range rows {
		if a.any {
			words.add(int(toks.Cols[0].Ints[i]), itoa(toks.Cols[1].Ints[i])+headRow, "_")
		}
	}
}

// set gives the document its dependencies, if there are any.
func (a *arcRows) set(b *block, d *text.Document, toks *text.Layer) error {
	sent, tok := toks.Cols[0].Ints, toks.Cols[1].Ints
	bounds := d.SentenceTokens()
	for i, h := range a.heads {
		if s := sent[i]; h > bounds[s]-bounds[s-1] || h == tok[i] {
			return b.fault(a.lines[i], 0, "head %d is outside the sentence or the token itself", h)
		}
	}
	if !a.any {
		return nil
	}
	l := text.NewLayer(text.Dependencies)
	l.N = toks.N
	l.Cols[0].Ints, l.Cols[1].Ints = sent, tok
	l.SetInts("head", a.heads)
	l.SetStrs("deprel", a.rels)
	d.SetLayer(l)
	return nil
}

// arcCells is head and relation of token i as columns; without the layer both are _.
func arcCells(toks, dep *text.Layer, i int) (head, rel string) {
	if dep == nil || dep.N != toks.N || dep.Ints("head") == nil {
		return "_", "_"
	}
	return strconv.Itoa(int(dep.Ints("head")[i])), cellOf(dep.Strs("deprel"), i)
}
