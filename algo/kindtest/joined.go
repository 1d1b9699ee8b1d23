package kindtest

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"parlance/algo/kind"
	"parlance/algo/text"
	"parlance/storage/value"
)

// shape is how documents become a large one.
type shape int

// The shapes.
const (
	sentences   shape = iota // sentences as they are
	oneSentence              // all tokens in one sentence, whose trees hang from one root
	flat                     // also, all tokens and all of the lowest phrases hang from the root
)

// large are the documents, and beside them one of each of a group, with at least n tokens, made of all documents
// at that place of their group.
func large(m kind.Model, docs []*text.Document, tokens int, as shape) []*text.Document {
	group := m.Schema().Group
	list := [][]*text.Document{docs}
	if group != "" {
		list = byGroup(docs, group)
	}
	out := slices.Clone(docs)
	for at := range list[0] {
		var of []*text.Document
		for _, g := range list {
			if at < len(g) {
				of = append(of, g[at])
			}
		}
		if group == "" {
			of = docs
		}
		d := join(of, tokens, as)
		d.ID = "large " + strconv.Itoa(at)
		for i, f := range d.Fields {
			if f.Name == group {
				d.Fields[i].Value = value.Str("large")
			}
		}
		if out = append(out, d); group == "" {
			break
		}
	}
	return out
}

func byGroup(docs []*text.Document, field string) [][]*text.Document {
	var out [][]*text.Document
	at := map[string]int{}
	for _, d := range docs {
		key := d.Field(field).String()
		k, ok := at[key]
		if !ok {
			k = len(out)
			at[key], out = k, append(out, nil)
		}
		out[k] = append(out[k], d)
	}
	return out
}

// join puts documents one after the other, again and again, until there are n tokens, or bytes of text where
// there are no tokens.
func join(docs []*text.Document, tokens int, as shape) *text.Document {
	j := joiner{as: as, layers: map[string]*text.Layer{}}
	j.out.Fields = slices.Clone(docs[0].Fields)
	for i := 0; int(j.tokens) < tokens && j.text.Len() < 40*tokens; i++ {
		j.add(docs[i%len(docs)])
	}
	return j.document()
}

// joiner puts documents together.
type joiner struct {
	as     shape
	out    text.Document
	text   strings.Builder
	layers map[string]*text.Layer
	names  []string

	tokens, sents, nodes, mentions, copies int32
	root                                   int32 // token at the top of the one sentence
}

// add appends a document.
func (j *joiner) add(d *text.Document) {
	if j.text.Len() > 0 {
		j.text.WriteByte(' ')
	}
	r := renumbering{joiner: j, doc: d, bytes: int32(j.text.Len()), bounds: d.SentenceTokens()}
	sents := int32(len(r.bounds) - 1)
	if s := d.Layer(text.Sentences.Name); s != nil {
		sents = max(sents, int32(s.N))
	}
	for _, l := range d.Layers {
		if l.Def == text.Labels && j.copies > 0 || l.Def == text.Sentences && j.as != sentences {
			continue
		}
		to := j.layers[l.Name]
		if to == nil {
			to = &text.Layer{Def: l.Def, Name: l.Name, Cols: make([]text.Col, len(l.Cols))}
			j.layers[l.Name], j.names = to, append(j.names, l.Name)
		}
		r.layer(l, to)
	}
	j.text.WriteString(d.Text)
	if t := d.Layer(text.Tokens.Name); t != nil {
		j.tokens += int32(t.N)
	}
	if c := d.Layer(text.Constituents.Name); c != nil {
		j.nodes += int32(c.N)
	}
	if m := d.Layer(text.Mentions.Name); m != nil {
		j.mentions += int32(m.N)
	}
	j.sents += sents
	j.copies++
}

// renumbering appends the layers of one document.
type renumbering struct {
	*joiner
	doc    *text.Document
	bytes  int32
	bounds []int32
}

// layer appends the rows of a layer.
func (r *renumbering) layer(l, to *text.Layer) {
	var sent, starts []int32
	if i := l.Def.Index("sent"); i >= 0 {
		sent = l.Cols[i].Ints
	}
	if l.Def == text.Constituents {
		starts = firstRows(sent)
	}
	for c := range l.Cols {
		col := &l.Def.Columns[c]
		to.Cols[c].Floats = append(to.Cols[c].Floats, l.Cols[c].Floats...)
		for _, s := range l.Cols[c].Strs {
			if col.Name == "cluster" && s != "" {
				s += "#" + strconv.Itoa(int(r.copies))
			}
			to.Cols[c].Strs = append(to.Cols[c].Strs, s)
		}
		for i, v := range l.Cols[c].Ints {
			s := int32(0)
			if sent != nil {
				s = sent[i]
			}
			to.Cols[c].Ints = append(to.Cols[c].Ints, r.number(col, v, s, starts))
		}
	}
	to.N += l.N
	to.Prob, to.Rank = append(to.Prob, l.Prob...), append(to.Rank, l.Rank...)
}

// number is a number of a column in a sentence of the document as it is in the joined one.
func (r *renumbering) number(col *text.Column, v, sent int32, starts []int32) int32 {
	one := r.as != sentences
	within := int32(0)
	if one && sent > 0 && int(sent) < len(r.bounds) {
		within = r.tokens + r.bounds[sent-1]
	}
	switch {
	case col.Role == text.Offset:
		return v + r.bytes
	case col.Name == "sent" && one:
		return min(v, 1)
	case col.Name == "sent":
		return v + r.sents
	case col.Name == "head":
		return r.head(v, within)
	case v == 0:
	case col.Name == "tok" || col.Name == "tok_start" || col.Name == "tok_end" || col.Name == "predicate":
		return v + within
	case col.Name == "mention":
		return v + r.mentions
	case one && (col.Name == "node" || col.Name == "parent") && int(sent) < len(starts):
		return v + r.nodes + starts[sent]
	}
	return v
}

// head is the head of a token in the joined document.
func (r *renumbering) head(v, within int32) int32 {
	switch {
	case r.as == sentences || v < 0:
		return v
	case r.root == 0:
		r.root = 1
		return 0
	case v == 0 || r.as == flat:
		return 1
	}
	return v + within
}

// firstRows are, for each sentence from 0, the rows before its first.
func firstRows(sent []int32) (out []int32) {
	for i, s := range sent {
		for int(s) >= len(out) {
			out = append(out, int32(i))
		}
	}
	return out
}

// document is the whole of what was added.
func (j *joiner) document() *text.Document {
	d := &j.out
	d.Text = j.text.String()
	for _, name := range j.names {
		l := j.layers[name]
		complete(l)
		if j.as != sentences && l.Def == text.Constituents {
			l = j.tree(l)
		}
		d.Layers = append(d.Layers, l)
	}
	if j.as != sentences && j.tokens > 0 {
		s := text.NewLayer(text.Sentences)
		s.N = 1
		s.Cols[0].Ints, s.Cols[1].Ints, s.Cols[2].Ints = []int32{1}, []int32{0}, []int32{int32(len(d.Text))}
		d.SetLayer(s)
	}
	return d
}

// complete removes columns that not all documents have.
func complete(l *text.Layer) {
	for c := range l.Cols {
		x := &l.Cols[c]
		if len(x.Ints) != l.N {
			x.Ints = nil
		}
		if len(x.Strs) != l.N {
			x.Strs = nil
		}
		if len(x.Floats) != l.N {
			x.Floats = nil
		}
	}
	if len(l.Prob) != l.N {
		l.Prob = nil
	}
	if len(l.Rank) != l.N {
		l.Rank = nil
	}
}

// tree hangs the trees of the one sentence from one root: their roots, or in a flat tree their lowest phrases.
func (j *joiner) tree(l *text.Layer) *text.Layer {
	parent := l.Ints("parent")
	if j.as == flat {
		l = l.Filter(func(i int) bool { return i+1 == l.N || parent[i+1] != int32(i+1) })
		parent = slices.Repeat([]int32{0}, l.N)
	}
	toks := j.layers[text.Tokens.Name]
	if l.N == 0 || toks == nil {
		return l
	}
	out := &text.Layer{Def: l.Def, Name: l.Name, N: l.N + 1, Cols: make([]text.Col, len(l.Cols))}
	first := map[string]int32{"sent": 1, "node": 1, "parent": 0, "char_start": 0, "char_end": int32(j.text.Len()),
		"tok_start": 1, "tok_end": int32(toks.N)}
	for c, col := range l.Def.Columns {
		if l.Cols[c].Strs != nil {
			out.Cols[c].Strs = append([]string{"S"}, l.Cols[c].Strs...)
		}
		if l.Cols[c].Ints != nil {
			out.Cols[c].Ints = append([]int32{first[col.Name]}, l.Cols[c].Ints...)
		}
	}
	for i := range l.N {
		out.Ints("node")[i+1], out.Ints("parent")[i+1] = int32(i+2), parent[i]+1
	}
	if l.Prob != nil {
		out.Prob = append([]float64{math.NaN()}, l.Prob...)
	}
	if l.Rank != nil {
		out.Rank = append([]int32{1}, l.Rank...)
	}
	return out
}
