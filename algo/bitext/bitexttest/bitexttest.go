// Package bitexttest makes pairs of documents for tests.
package bitexttest

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"parlance/algo/text"
	"parlance/storage/value"
)

// Pairs makes two documents of each line: source ||| target ||| links i-j from 0, which may be left out. Within a side
// " / " begins a sentence.
func Pairs(lines ...string) []*text.Document {
	var out []*text.Document
	for n, line := range lines {
		parts := append(strings.Split(line, "|||"), "", "")
		docs := []*text.Document{Document(fmt.Sprintf("%d.s", n), parts[0]), Document(fmt.Sprintf("%d.t", n), parts[1])}
		for i, d := range docs {
			d.Fields = []text.Field{{Name: "pair", Value: value.Str(fmt.Sprint(n))},
				{Name: "side", Value: value.Str([]string{"source", "target"}[i])}}
		}
		if len(parts) > 4 {
			docs[0].SetLayer(links(docs[0], docs[1], parts[2]))
		}
		out = append(out, docs...)
	}
	return out
}

// Document is a document of words between blanks.
func Document(id, content string) *text.Document {
	d := &text.Document{ID: id, Text: strings.TrimSpace(content)}
	toks, sents := text.NewLayer(text.Tokens), text.NewLayer(text.Sentences)
	var columns [4][]int32 // sent, tok, from, to
	var forms []string
	var starts, ends []int32
	sent, tok, at := int32(1), int32(0), 0
	for _, w := range strings.Fields(d.Text) {
		from := at + strings.Index(d.Text[at:], w)
		at = from + len(w)
		if w == "/" {
			sent, tok = sent+1, 0
			continue
		}
		tok++
		if tok == 1 {
			starts, ends = append(starts, int32(from)), append(ends, 0)
		}
		ends[len(ends)-1] = int32(at)
		for i, v := range []int32{sent, tok, int32(from), int32(at)} {
			columns[i] = append(columns[i], v)
		}
		forms = append(forms, w)
	}
	toks.N = len(forms)
	for i, name := range []string{"sent", "tok", "char_start", "char_end"} {
		toks.SetInts(name, columns[i])
	}
	toks.SetStrs("form", forms)
	sents.N = len(starts)
	numbers := make([]int32, len(starts))
	for i := range numbers {
		numbers[i] = int32(i + 1)
	}
	sents.SetInts("sent", numbers)
	sents.SetInts("char_start", starts)
	sents.SetInts("char_end", ends)
	d.SetLayer(toks)
	d.SetLayer(sents)
	return d
}

func links(a, b *text.Document, list string) *text.Layer {
	l := text.NewLayer(text.Alignments)
	var sent, tok, otherSent, otherTok []int32
	var other, label []string
	for _, f := range strings.Fields(list) {
		var i, j int
		if _, err := fmt.Sscanf(f, "%d-%d", &i, &j); err != nil {
			panic(err)
		}
		ta, tb := a.Layer("tokens"), b.Layer("tokens")
		sent, tok = append(sent, ta.Ints("sent")[i]), append(tok, ta.Ints("tok")[i])
		otherSent, otherTok = append(otherSent, tb.Ints("sent")[j]), append(otherTok, tb.Ints("tok")[j])
		other, label = append(other, b.ID), append(label, "sure")
	}
	l.N = len(sent)
	l.SetInts("sent", sent)
	l.SetInts("tok", tok)
	l.SetInts("other_sent", otherSent)
	l.SetInts("other_tok", otherTok)
	l.SetStrs("other_doc", other)
	l.SetStrs("label", label)
	return l
}

// Generated is lines of pairs in two made-up languages: words are translated one by one, verbs go to the end, some
// words have a particle behind them that comes from none, and some articles have no counterpart. Links are true.
func Generated(n int, seed uint64) []string {
	rng := rand.New(rand.NewPCG(seed, 7))
	var out []string
	for range n {
		subject, verb, object := rng.IntN(40), rng.IntN(20), rng.IntN(40)
		source := []string{"the", fmt.Sprintf("n%d", subject), fmt.Sprintf("v%d", verb), "a", fmt.Sprintf("n%d", object)}
		target := []string{fmt.Sprintf("N%d", subject), "wa", fmt.Sprintf("N%d", object), "o", fmt.Sprintf("V%d", verb)}
		links := "1-0 4-2 2-4"
		if rng.IntN(2) == 0 {
			source, target, links = append(source, "."), append(target, "。"), links+" 5-5"
		}
		out = append(out, strings.Join(source, " ")+" ||| "+strings.Join(target, " ")+" ||| "+links)
	}
	return out
}
