package coreference

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"

	"parlance/algo/coref/mention"
	"parlance/algo/text"
)

// person is somebody that documents are about.
type person struct{ name, nominal, subject, object string }

var people = []person{{"Ann", "the woman", "she", "her"}, {"Bob", "the man", "he", "him"},
	{"Eve", "the lady", "she", "her"},
	{"Cid", "the boy", "he", "him"}}

// sample is documents in which two people meet, one male and one female, under names, nominals and pronouns.
func sample(n int) []*text.Document {
	r := rand.New(rand.NewPCG(1, uint64(n)))
	docs := make([]*text.Document, n)
	for i := range docs {
		a, b := people[2*r.IntN(2)], people[1+2*r.IntN(2)]
		var lines []string
		for s := range 3 + r.IntN(3) {
			x, y, nx, ny := a, b, 1, 2
			if r.IntN(2) == 0 {
				x, y, nx, ny = b, a, 2, 1
			}
			sub, obj := []string{x.name, x.subject, x.nominal}[r.IntN(3)], []string{y.name, y.object, y.nominal}[r.IntN(3)]
			if s == 0 {
				sub, obj = x.name, y.name
			}
			lines = append(lines, fmt.Sprintf("[%d %s ] saw [%d %s ] by [0%d the house ] .", nx, sub, ny, obj, s))
		}
		docs[i] = parsed(fmt.Sprintf("d%d", i), lines...)
	}
	return docs
}

// parsed makes a document of sentences with mentions in brackets, the cluster first. A cluster that begins with 0 is
// none. Tags and trees are by rule.
func parsed(id string, lines ...string) *text.Document {
	d := &text.Document{ID: id}
	toks, mentions := text.NewLayer(text.Tokens), text.NewLayer(text.Mentions)
	sents := text.NewLayer(text.Sentences)
	var b strings.Builder
	put := func(l *text.Layer, name string, v int) {
		i := l.Def.Index(name)
		l.Cols[i].Ints = append(l.Cols[i].Ints, int32(v))
	}
	word := func(l *text.Layer, name, v string) {
		i := l.Def.Index(name)
		l.Cols[i].Strs = append(l.Cols[i].Strs, v)
	}
	for s, line := range lines {
		first, tok := b.Len(), 0
		var open []int // rows of mentions
		for _, w := range strings.Fields(line) {
			switch {
			case strings.HasPrefix(w, "["):
				open = append(open, mentions.N)
				mentions.N++
				put(mentions, "mention", mentions.N)
				put(mentions, "sent", s+1)
				put(mentions, "tok_start", tok+1)
				put(mentions, "char_start", b.Len())
				put(mentions, "tok_end", 0)
				put(mentions, "char_end", 0)
				if w = w[1:]; strings.HasPrefix(w, "0") {
					w = ""
				}
				word(mentions, "cluster", w)
				continue
			case w == "]":
				row := open[len(open)-1]
				open = open[:len(open)-1]
				mentions.Ints("tok_end")[row] = int32(tok)
				mentions.Ints("char_end")[row] = int32(b.Len() - 1)
				continue
			}
			tok++
			toks.N++
			put(toks, "sent", s+1)
			put(toks, "tok", tok)
			put(toks, "char_start", b.Len())
			b.WriteString(w)
			put(toks, "char_end", b.Len())
			b.WriteByte(' ')
			tag := tagOf(w)
			word(toks, "form", w)
			word(toks, "lemma", strings.ToLower(w))
			word(toks, "upos", tag)
			word(toks, "xpos", tag)
			word(toks, "feats", "")
			word(toks, "misc", "")
		}
		sents.N++
		put(sents, "sent", s+1)
		put(sents, "char_start", first)
		put(sents, "char_end", b.Len()-1)
	}
	d.Text = b.String()
	d.SetLayer(toks)
	d.SetLayer(sents)
	d.SetLayer(mentions)
	tree(d)
	return d
}

func tagOf(w string) string {
	switch {
	case strings.Contains(" he she him her it they them his ", " "+w+" "):
		return "PRON"
	case w == "the" || w == "a" || w == "this":
		return "DET"
	case w == "saw" || w == "said" || w == "left":
		return "VERB"
	case w == "by":
		return "ADP"
	case w == ".":
		return "PUNCT"
	case w[0] >= 'A' && w[0] <= 'Z':
		return "PROPN"
	}
	return "NOUN"
}

// tree gives each token the next noun, name or pronoun as its head up to it, and these the verb.
func tree(d *text.Document) {
	toks, l := d.Layer(text.Tokens.Name), text.NewLayer(text.Dependencies)
	bounds := d.SentenceTokens()
	tags := toks.Strs("upos")
	for s := 1; s < len(bounds); s++ {
		from, to := int(bounds[s-1]), int(bounds[s])
		root := from
		for t := from; t < to; t++ {
			if tags[t] == "VERB" {
				root = t
				break
			}
		}
		for t := from; t < to; t++ {
			head, rel := root-from+1, "obj"
			switch {
			case t == root:
				head, rel = 0, "root"
			case tags[t] == "DET" || tags[t] == "ADP":
				head, rel = min(t-from+2, to-from), strings.ToLower(tags[t])
			case t < root:
				rel = "nsubj"
			}
			if head == t-from+1 {
				head = root - from + 1
			}
			l.N++
			for i, v := range []int{s, t - from + 1, -1, head} {
				if v >= 0 {
					l.Cols[i].Ints = append(l.Cols[i].Ints, int32(v))
				}
			}
			l.Cols[4].Strs = append(l.Cols[4].Strs, rel)
		}
	}
	d.SetLayer(l)
}

// documentOf describes the mentions of a document.
func documentOf(d *text.Document, limit int) *document {
	x, err := newDocument(context.Background(), d, mention.Lexicons{}, limit, false)
	if err != nil {
		panic(err)
	}
	return x
}
