package extract

import (
	"context"
	"slices"

	"parlance/algo/text"
)

// Path is the way between two tokens of a sentence through the dependency tree: Up arcs to
// heads, then Down arcs to dependents.
//
// Text names arcs and the tokens between them in turn, with < after an arc to a head and >
// before an arc to a dependent: nsubj<work>obl, nmod<owner<nsubj<, >obl>street>nmod.
type Path struct {
	From, To int32 // rows of tokens
	Up, Down int
	Text     string
}

// tree is the dependency tree of a document by row of tokens.
type tree struct {
	head     []int32 // row, -1 for a root
	children [][]int32
	rel      []string
	word     []string
}

func newTree(d *text.Document) *tree {
	toks, l := d.Layer("tokens"), d.Layer("dependencies")
	if toks == nil || l == nil {
		return nil
	}
	bounds := d.SentenceTokens()
	t := &tree{head: make([]int32, toks.N), children: make([][]int32, toks.N), rel: make([]string, toks.N),
		word: make([]string, toks.N)}
	copy(t.word, toks.Strs("form"))
	for i, lemma := range toks.Strs("lemma") {
		if lemma != "" {
			t.word[i] = lemma
		}
	}
	for i := range t.head {
		t.head[i] = -1
	}
	sent, tok, head, rel := l.Ints("sent"), l.Ints("tok"), l.Ints("head"), l.Strs("deprel")
	for i := range min(l.N, len(sent), len(tok), len(head)) {
		r, ok := row(bounds, sent[i], tok[i])
		h, ok2 := row(bounds, sent[i], head[i])
		if !ok {
			continue
		}
		if i < len(rel) {
			t.rel[r] = rel[i]
		}
		if ok2 && h != r && t.head[r] < 0 {
			t.head[r] = h
			t.children[h] = append(t.children[h], r)
		}
	}
	return t
}

// Paths returns the paths of at most most arcs between different tokens, by the first token,
// then by the second. With a layer, the ends are the heads of its spans: in each span the
// first token whose head lies outside. Errors are that of ctx and ErrTooMany.
func Paths(ctx context.Context, d *text.Document, layer string, most int) ([]Path, error) {
	t := newTree(d)
	if t == nil {
		return nil, nil
	}
	var ends []bool
	if layer != "" {
		ends = t.heads(d, layer)
	}
	end := func(r int32) bool { return ends == nil || ends[r] }
	var out []Path
	seen := make([]int32, len(t.head)) // the row plus one whose paths met a token last
	for from := range int32(len(t.head)) {
		if !end(from) {
			continue
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if len(out) > maxMatches {
			return nil, ErrTooMany
		}
		seen[from] = from + 1
		first := len(out)
		prefix := ""
		for top, up := from, 0; ; up++ {
			if up > 0 && end(top) {
				out = append(out, Path{from, top, up, 0, prefix})
			}
			at := prefix
			if up > 0 {
				at += t.word[top]
			}
			t.descend(Path{from, top, up, 0, at}, most, seen, func(p Path) {
				if end(p.To) {
					out = append(out, p)
				}
			})
			next := t.head[top]
			if next < 0 || up == most || seen[next] == from+1 {
				break
			}
			if up > 0 {
				prefix = at + "<"
			}
			prefix += t.rel[top] + "<"
			seen[next] = from + 1
			top = next
		}
		slices.SortFunc(out[first:], func(a, b Path) int { return int(a.To - b.To) })
	}
	return out, nil
}

// descend goes down from the end of p to what was not met yet.
func (t *tree) descend(p Path, most int, seen []int32, found func(Path)) {
	if p.Up+p.Down == most {
		return
	}
	for _, c := range t.children[p.To] {
		if seen[c] == p.From+1 {
			continue
		}
		seen[c] = p.From + 1
		next := Path{p.From, c, p.Up, p.Down + 1, p.Text + ">" + t.rel[c]}
		found(next)
		next.Text += ">" + t.word[c]
		t.descend(next, most, seen, found)
	}
}

// heads marks the heads of the spans of a layer.
func (t *tree) heads(d *text.Document, layer string) []bool {
	out := make([]bool, len(t.head))
	for from, ends := range spanEnds(d, spec{layer: layer}, d.SentenceTokens()) {
		for _, to := range ends {
			for r := from; r < to; r++ {
				if h := t.head[r]; h < from || h >= to {
					out[r] = true
					break
				}
			}
		}
	}
	return out
}
