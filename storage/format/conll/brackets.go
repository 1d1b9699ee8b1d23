package conll

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"parlance/algo/text"
	"parlance/storage/format/layers"
)

// labelled is a labelled range of tokens of a sentence, 1-based, last inclusive.
type labelled struct {
	label       string
	first, last int32
}

// bracketColumn reads spans written as (LABEL, * and ), one cell a token; spans nest.
type bracketColumn struct {
	spans []labelled // in the order in which they open
	open  []int
}

// blankCell reports whether a cell means nothing at all.
func blankCell(s string) bool { return s == "" || s == "-" || s == "_" }

// cell reads the cell of a token; false if its brackets do not fit.
func (c *bracketColumn) cell(s string, tok int32) bool {
	if blankCell(s) {
		return true
	}
	for i := 0; i < len(s); {
		switch s[i] {
		case '(':
			n := strings.IndexAny(s[i+1:], "(*)")
			if n < 1 {
				return false
			}
			c.open = append(c.open, len(c.spans))
			c.spans = append(c.spans, labelled{label: s[i+1 : i+1+n], first: tok})
			i += n + 1
		case ')':
			k := len(c.open) - 1
			if k < 0 {
				return false
			}
			c.spans[c.open[k]].last = tok
			c.open = c.open[:k]
			i++
		case '*':
			i++
		default:
			return false
		}
	}
	return true
}

// bracketCells writes spans as one cell a token of n; false if they cross.
func bracketCells(spans []labelled, n int32) ([]string, bool) {
	out := make([]string, n)
	sorted := slices.Clone(spans)
	slices.SortStableFunc(sorted, func(a, b labelled) int {
		return cmp.Or(cmp.Compare(a.first, b.first), cmp.Compare(b.last, a.last))
	})
	var open []labelled
	for tok := int32(1); tok <= n; tok++ {
		cell := ""
		for len(sorted) > 0 && sorted[0].first == tok {
			s := sorted[0]
			sorted = sorted[1:]
			if len(open) > 0 && s.last > open[len(open)-1].last || s.last < tok || strings.ContainsAny(s.label, "(*)\t\r\n") ||
				s.label == "" {
				return nil, false
			}
			cell += "(" + s.label
			open = append(open, s)
		}
		cell += "*"
		for len(open) > 0 && open[len(open)-1].last == tok {
			cell += ")"
			open = open[:len(open)-1]
		}
		out[tok-1] = cell
	}
	return out, len(open) == 0 && len(sorted) == 0
}

// clusterColumn reads mentions written as (3|4) and 3), one cell a token. Mentions of
// different clusters may cross.
type clusterColumn struct {
	mentions []labelled // in the order in which they open
	open     map[string][]int
}

func (c *clusterColumn) cell(s string, tok int32) bool {
	if blankCell(s) || s == "*" {
		return true
	}
	for part := range strings.SplitSeq(s, "|") {
		id, opens := strings.CutPrefix(part, "(")
		id, closes := strings.CutSuffix(id, ")")
		if id == "" || strings.ContainsAny(id, "()") || !opens && !closes {
			return false
		}
		if opens {
			if c.open == nil {
				c.open = map[string][]int{}
			}
			c.open[id] = append(c.open[id], len(c.mentions))
			c.mentions = append(c.mentions, labelled{label: id, first: tok})
		}
		if closes {
			k := len(c.open[id]) - 1
			if k < 0 {
				return false
			}
			c.mentions[c.open[id][k]].last = tok
			if c.open[id] = c.open[id][:k]; k == 0 {
				delete(c.open, id)
			}
		}
	}
	return true
}

// clusterCells writes mentions as one cell a token of n; false if mentions of a cluster cross
// or an id does not fit.
func clusterCells(mentions []labelled, n int32) ([]string, bool) {
	parts := make([][]string, n)
	sorted := slices.Clone(mentions)
	slices.SortStableFunc(sorted, func(a, b labelled) int {
		return cmp.Or(cmp.Compare(a.first, b.first), cmp.Compare(b.last, a.last))
	})
	open := map[string][]labelled{}
	for _, m := range sorted {
		if m.label == "" || strings.ContainsAny(m.label, "()|*\t\r\n") || m.first < 1 || m.last < m.first || m.last > n {
			return nil, false
		}
		rest := open[m.label]
		for len(rest) > 0 && rest[len(rest)-1].last < m.first {
			rest = rest[:len(rest)-1]
		}
		if len(rest) > 0 && m.last > rest[len(rest)-1].last {
			return nil, false
		}
		open[m.label] = append(rest, m)
		if m.first == m.last {
			parts[m.first-1] = append(parts[m.first-1], "("+m.label+")")
		} else {
			parts[m.first-1] = append(parts[m.first-1], "("+m.label)
		}
	}
	slices.SortStableFunc(sorted, func(a, b labelled) int { return cmp.Compare(b.first, a.first) })
	for _, m := range sorted {
		if m.first < m.last {
			parts[m.last-1] = append(parts[m.last-1], m.label+")")
		}
	}
	out := make([]string, n)
	for i, p := range parts {
		if out[i] = strings.Join(p, "|"); len(p) == 0 {
			out[i] = "-"
		}
	}
	return out, true
}

// roleRows gathers the arguments of predicates.
type roleRows struct {
	sent, predicate, first, last []int32
	sense, label                 []string
}

// add notes a predicate with its arguments, the predicate itself (labelled V) first.
func (r *roleRows) add(sent, predicate int32, sense string, args []labelled) {
	row := func(a labelled) {
		r.sent, r.predicate, r.first, r.last = append(r.sent, sent), append(r.predicate, predicate), append(r.first, a.first),
			append(r.last, a.last)
		r.sense, r.label = append(r.sense, sense), append(r.label, a.label)
	}
	verb := slices.IndexFunc(args, func(a labelled) bool { return a.label == "V" && a.first == predicate })
	if verb < 0 {
		row(labelled{"V", predicate, predicate})
	} else {
		row(args[verb])
	}
	for i, a := range args {
		if i != verb {
			row(a)
		}
	}
}

func (r *roleRows) set(d *text.Document, toks *text.Layer) {
	l := text.NewLayer(text.Roles)
	if l.N = len(r.sent); l.N == 0 {
		return
	}
	start, end := layers.TokenSpans(d, toks, r.sent, r.first, r.last)
	for c, v := range map[string][]int32{"sent": r.sent, "predicate": r.predicate, "char_start": start, "char_end": end,
		"tok_start": r.first, "tok_end": r.last} {
		l.SetInts(c, v)
	}
	l.SetStrs("label", r.label)
	if slices.ContainsFunc(r.sense, func(s string) bool { return s != "" }) {
		l.SetStrs("sense", r.sense)
	}
	d.SetLayer(l)
}

// frame is a predicate with its arguments.
type frame struct {
	predicate int32
	sense     string
	args      []labelled
}

// frames is the predicates of each sentence in the order of their rows; false if the layer names
// no tokens, or tokens that are not there.
func frames(d *text.Document) (map[int32][]*frame, bool) {
	l := d.Layer("roles")
	if l == nil || l.N == 0 {
		return nil, true
	}
	sent, pred, first, last := l.Ints("sent"), l.Ints("predicate"), l.Ints("tok_start"), l.Ints("tok_end")
	label, sense := l.Strs("label"), l.Strs("sense")
	if sent == nil || pred == nil || first == nil || last == nil || label == nil {
		return nil, false
	}
	bounds := d.SentenceTokens()
	out := map[int32][]*frame{}
	for i := range l.N {
		s := sent[i]
		if s < 1 || int(s) >= len(bounds) {
			return nil, false
		}
		if n := bounds[s] - bounds[s-1]; pred[i] < 1 || pred[i] > n || first[i] < 1 || last[i] < first[i] || last[i] > n {
			return nil, false
		}
		k := slices.IndexFunc(out[s], func(f *frame) bool { return f.predicate == pred[i] })
		if k < 0 {
			k = len(out[s])
			out[s] = append(out[s], &frame{predicate: pred[i]})
		}
		f := out[s][k]
		if sense != nil && sense[i] != "" {
			f.sense = sense[i]
		}
		f.args = append(f.args, labelled{label[i], first[i], last[i]})
	}
	return out, true
}

func itoa(n int32) string { return strconv.Itoa(int(n)) }
