package mentiondetector

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"

	"parlance/algo/coref/mention"
	"parlance/algo/text"
)

// parsed makes a document of sentences of tokens form/tag/head/relation, with gold mentions in brackets.
func parsed(id string, lines ...string) *text.Document {
	d := &text.Document{ID: id}
	toks, arcs, sents := text.NewLayer(text.Tokens), text.NewLayer(text.Dependencies), text.NewLayer(text.Sentences)
	gold := text.NewLayer(text.Mentions)
	put := func(l *text.Layer, values map[string]int) {
		for name, v := range values {
			i := l.Def.Index(name)
			l.Cols[i].Ints = append(l.Cols[i].Ints, int32(v))
		}
	}
	word := func(l *text.Layer, name, v string) {
		i := l.Def.Index(name)
		l.Cols[i].Strs = append(l.Cols[i].Strs, v)
	}
	for s, line := range lines {
		begin, tok := len(d.Text), 0
		var open []int
		for _, cell := range strings.Fields(line) {
			switch cell {
			case "[":
				open = append(open, gold.N)
				gold.N++
				put(gold, map[string]int{"mention": gold.N, "sent": s + 1, "tok_start": tok + 1, "tok_end": 0,
					"char_start": len(d.Text), "char_end": 0})
				continue
			case "]":
				row := open[len(open)-1]
				open = open[:len(open)-1]
				gold.Ints("tok_end")[row], gold.Ints("char_end")[row] = int32(tok), int32(len(d.Text)-1)
				continue
			}
			f := append(strings.Split(cell, "/"), "", "", "")
			tok++
			toks.N++
			arcs.N++
			put(toks, map[string]int{"sent": s + 1, "tok": tok, "char_start": len(d.Text), "char_end": len(d.Text) + len(f[0])})
			d.Text += f[0] + " "
			head, err := strconv.Atoi(f[2])
			if err != nil {
				head = -1
			}
			put(arcs, map[string]int{"sent": s + 1, "tok": tok, "head": head})
			word(arcs, "deprel", f[3])
			for name, v := range map[string]string{"form": f[0], "lemma": strings.ToLower(f[0]), "xpos": f[1], "upos": "",
				"feats": "", "misc": ""} {
				word(toks, name, v)
			}
		}
		sents.N++
		put(sents, map[string]int{"sent": s + 1, "char_start": begin, "char_end": len(d.Text) - 1})
	}
	for _, l := range []*text.Layer{toks, sents, arcs, gold} {
		d.SetLayer(l)
	}
	return d
}

// sample is documents in which people and a dog are mentioned again, and houses and the same time are not.
func sample(n int) []*text.Document {
	r := rand.New(rand.NewPCG(3, uint64(n)))
	pick := func(list ...string) string { return list[r.IntN(len(list))] }
	docs := make([]*text.Document, n)
	for i := range docs {
		var lines []string
		for range 3 + r.IntN(4) {
			lines = append(lines, pick("[ She/PRP/2/nsubj ] saw/VBD/0/root", "[ Ann/NNP/2/nsubj ] met/VBD/0/root")+" "+
				pick("[ the/DT/4/det dog/NN/2/obj ]", "the/DT/4/det house/NN/2/obj")+" "+
				pick("at/IN/8/case the/DT/8/det same/JJ/8/amod time/NN/2/obl ././2/punct",
					"in/IN/6/case town/NN/2/obl ././2/punct"))
		}
		docs[i] = parsed(fmt.Sprintf("d%d", i), lines...)
	}
	return docs
}

// spansOf lists the texts of candidates.
func spansOf(d *mention.Document, list []candidate) (out []string) {
	for _, c := range list {
		out = append(out, d.Text(c.Span))
	}
	return out
}
