package contexts

import (
	"strconv"
	"strings"
	"unicode"

	"parlance/algo/lexical/cooccurrence"
	"parlance/algo/text"
	"parlance/algo/text/treebank"
	"parlance/storage/guard"
)

// slot stands in a frame for the word that fills it.
const slot = "\x00"

// A context is a frame, such as obj(slot,_), with the word in its slot: frame<<32 | word.
type pair struct {
	word    uint32
	context uint64
}

// batch is the pairs of some documents, with numbers of its own.
type batch struct {
	m      *model
	words  *cooccurrence.Texts
	frames *cooccurrence.Texts
	pairs  []pair
	docs   int
	failed error // what extracting them ended with

	tokens []token  // of the document at hand
	marker []string // of each token its case markers
	part   []int    // of each token the one whose word it is a part of, itself for most
}

// token is a token as a word. Tokens that are none keep their place.
type token struct {
	number      uint32
	word, fills bool // is a word; is in contexts
}

// extracted is extract of a goroutine, whose panic is the error of the batch.
func (m *model) extracted(docs []*text.Document) *batch {
	var b *batch
	err := guard.Call("extracting contexts", func() error {
		b = m.extract(docs)
		return nil
	})
	if err != nil {
		return &batch{failed: err}
	}
	return b
}

func (m *model) extract(docs []*text.Document) *batch {
	b := &batch{m: m, words: cooccurrence.NewTexts(), frames: cooccurrence.NewTexts(), docs: len(docs)}
	for _, d := range docs {
		if !b.read(d) {
			continue
		}
		if m.opt.contexts == byWindow {
			b.windows(d)
		} else {
			b.trees(d)
		}
	}
	return b
}

// read numbers the words of a document, false where there are none.
func (b *batch) read(d *text.Document) bool {
	toks := d.Layer(text.Tokens.Name)
	if toks == nil || toks.Strs("form") == nil {
		return false
	}
	o := &b.m.opt
	forms, lemmas, tags := toks.Strs("form"), []string(nil), toks.Strs("upos")
	if o.word == "lemma" {
		lemmas = toks.Strs("lemma")
	}
	b.tokens = b.tokens[:0]
	for i, form := range forms {
		if lemmas != nil && lemmas[i] != "" {
			form = lemmas[i]
		}
		if o.lower {
			form = strings.ToLower(form)
		}
		tag := ""
		if tags != nil {
			tag = tags[i]
		}
		var t token
		if form != "" && (o.symbols || strings.ContainsFunc(form, unicode.IsLetter)) && !contains(o.stopTags, tag) {
			t = token{b.words.Number(form), len(o.tags) == 0 || contains(o.tags, tag), true}
		}
		b.tokens = append(b.tokens, t)
	}
	return true
}

func contains(list []string, s string) bool {
	for _, x := range list {
		if strings.EqualFold(x, s) {
			return true
		}
	}
	return false
}

func (b *batch) add(word uint32, frame string, filler uint32) {
	b.pairs = append(b.pairs, pair{word, uint64(b.frames.Number(frame))<<32 | uint64(filler)})
}

// windows adds neighbours.
func (b *batch) windows(d *text.Document) {
	o := &b.m.opt
	frames := make([]string, 2*o.window+1)
	for k := range frames {
		frames[k] = windowFrame(o.position, k-o.window)
	}
	bounds := d.SentenceTokens()
	for s := 1; s < len(bounds); s++ {
		sent := b.tokens[bounds[s-1]:bounds[s]]
		for i, t := range sent {
			if !t.word {
				continue
			}
			for j := max(0, i-o.window); j <= min(len(sent)-1, i+o.window); j++ {
				if j != i && sent[j].fills {
					b.add(t.number, frames[j-i+o.window], sent[j].number)
				}
			}
		}
	}
}

func windowFrame(position string, offset int) string {
	switch {
	case position == "none":
		return slot
	case position == "side" && offset < 0:
		return "L:" + slot
	case position == "side":
		return "R:" + slot
	case offset < 0:
		return strconv.Itoa(offset) + ":" + slot
	}
	return "+" + strconv.Itoa(offset) + ":" + slot
}

// trees adds heads and dependents.
func (b *batch) trees(d *text.Document) {
	o := &b.m.opt
	for s := range treebank.Sentences(d) {
		sent := b.tokens[s.From:s.To]
		b.markers(s)
		b.join(s)
		for m := 1; m < len(s.Heads); m++ {
			h, label := int(s.Heads[m]), s.Labels[m]
			if h < 1 || h >= len(s.Heads) || h == m || label == "" || b.stopped(label) || b.part[m] != m {
				continue
			}
			if h = b.part[h]; h == m {
				continue
			}
			if o.fold && b.marker[m] != "" {
				label += ":" + b.marker[m]
			}
			dep, head := sent[m-1], sent[h-1]
			if o.direction != "dependent" && dep.word && head.fills {
				b.add(dep.number, label+"("+slot+",_)", head.number)
			}
			if o.direction != "governor" && head.word && dep.fills {
				b.add(head.number, label+"(_,"+slot+")", dep.number)
			}
		}
	}
}

// stopped tells of relations that make no contexts, here or because they become part of another one.
func (b *batch) stopped(label string) bool {
	main, _, _ := strings.Cut(label, ":")
	return contains(b.m.opt.stopRelations, main) || contains(b.m.opt.stopRelations, label) ||
		b.m.opt.fold && main == "case"
}

// markers joins the case markers of each token that is an obl or nmod, those of several words by _.
func (b *batch) markers(s *treebank.Sentence) {
	b.marker = b.marker[:0]
	for range s.Heads {
		b.marker = append(b.marker, "")
	}
	if !b.m.opt.fold {
		return
	}
	for m := 1; m < len(s.Heads); m++ {
		h := int(s.Heads[m])
		t := b.tokens[s.From+m-1]
		if main, _, _ := strings.Cut(s.Labels[m], ":"); main != "case" || h < 1 || h >= len(s.Heads) || !t.fills {
			continue
		}
		if main, _, _ := strings.Cut(s.Labels[h], ":"); main != "obl" && main != "nmod" {
			continue
		}
		if b.marker[h] != "" {
			b.marker[h] += "_"
		}
		b.marker[h] += b.words.List[t.number]
	}
}
