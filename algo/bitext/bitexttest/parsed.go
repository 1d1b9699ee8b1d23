package bitexttest

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"

	"parlance/algo/text"
)

// Parsed makes pairs as Pairs does, of words with tags and heads: word/TAG:head, where 0 is the root. A side whose
// words have no heads gets no trees.
func Parsed(lines ...string) []*text.Document {
	var plain []string
	var sides []string
	for _, line := range lines {
		parts := strings.SplitN(line, "|||", 3)
		sides = append(sides, parts[0], parts[1])
		for i := range 2 {
			var words []string
			for _, f := range strings.Fields(parts[i]) {
				w, _, _ := split(f)
				words = append(words, w)
			}
			parts[i] = strings.Join(words, " ")
		}
		plain = append(plain, strings.Join(parts, " ||| "))
	}
	docs := Pairs(plain...)
	for i, d := range docs {
		parse(d, sides[i])
	}
	return docs
}

// split cuts word/TAG:head; head is −1 without one.
func split(f string) (word, tag string, head int) {
	word, head = f, -1
	if i := strings.LastIndex(f, ":"); i > 0 {
		if n, err := strconv.Atoi(f[i+1:]); err == nil {
			word, head = f[:i], n
		}
	}
	if i := strings.LastIndex(word, "/"); i > 0 {
		word, tag = word[:i], word[i+1:]
	}
	return word, tag, head
}

// parse adds tags and trees.
func parse(d *text.Document, side string) {
	old, l := d.Layer("tokens"), text.NewLayer(text.Dependencies)
	toks := *old
	toks.Cols = append([]text.Col(nil), old.Cols...)
	var tags, rels []string
	var sent, tok, heads []int32
	i := 0
	for _, f := range strings.Fields(side) {
		if f == "/" {
			continue
		}
		_, tag, head := split(f)
		tags = append(tags, tag)
		if head >= 0 {
			sent, tok, heads = append(sent, toks.Ints("sent")[i]), append(tok, toks.Ints("tok")[i]), append(heads, int32(head))
			rels = append(rels, "dep")
		}
		i++
	}
	toks.SetStrs("upos", tags)
	toks.SetStrs("xpos", tags)
	d.SetLayer(&toks)
	if len(heads) == 0 {
		return
	}
	l.N = len(heads)
	l.SetInts("sent", sent)
	l.SetInts("tok", tok)
	l.SetInts("head", heads)
	l.SetStrs("deprel", rels)
	d.SetLayer(l)
}

// Attachments is lines for Parsed in two languages: subject verb object preposition noun. Whether the phrase with the
// preposition belongs to the verb or to the object is drawn; only the target tells it, by the order of its words: the
// phrase stands before the verb, or before the object.
func Attachments(n int, seed uint64) []string {
	rng := rand.New(rand.NewPCG(seed, 11))
	var out []string
	for range n {
		s, v, o, p := rng.IntN(30), rng.IntN(20), rng.IntN(30), rng.IntN(30)
		source := []string{fmt.Sprintf("n%d/NOUN:2", s), fmt.Sprintf("v%d/VERB:0", v), fmt.Sprintf("n%d/NOUN:2", o),
			"with/ADP:5"}
		if rng.IntN(2) == 0 { // S P-with V O: the phrase belongs to the verb
			source = append(source, fmt.Sprintf("n%d/NOUN:2", p))
			target := fmt.Sprintf("N%d/NOUN:4 de/ADP:3 N%d/NOUN:4 V%d/VERB:0 N%d/NOUN:4", s, p, v, o)
			out = append(out, strings.Join(source, " ")+" ||| "+target+" ||| 0-0 1-3 2-4 3-1 4-2")
			continue
		}
		source = append(source, fmt.Sprintf("n%d/NOUN:3", p))
		target := fmt.Sprintf("N%d/NOUN:2 V%d/VERB:0 de/ADP:4 N%d/NOUN:5 N%d/NOUN:2", s, v, p, o)
		out = append(out, strings.Join(source, " ")+" ||| "+target+" ||| 0-0 1-1 2-4 3-2 4-3")
	}
	return out
}
