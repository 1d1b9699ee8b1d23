package kindtest

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"parlance/algo/text"
	"parlance/storage/value"
)

// Corpus generates n documents with every built-in layer but words: one to four sentences
// each of a small grammar, about one of three topics, which is the document's label. Some
// words have several tags and one decision in twenty is noise, so that nothing is certain.
// Every document has the fields topic (text) and part (integer, from 1, two documents or
// more a part). The same seed gives the same documents.
func Corpus(seed uint64, n int) []*text.Document {
	out := make([]*text.Document, n)
	r := rand.New(rand.NewPCG(seed, 1))
	for i := range out {
		topic := topics[r.IntN(len(topics))]
		w := &writer{r: r, topic: topic}
		for range 1 + r.IntN(4) {
			w.sentence()
		}
		d := w.document()
		d.Seq, d.ID = uint64(i+1), fmt.Sprintf("d%d", i+1)
		d.Fields = []text.Field{{Name: "topic", Value: value.Str(topic.label)}, {Name: "part", Value: value.Int(int64(i/3 + 1))}}
		out[i] = d
	}
	return out
}

type topic struct {
	label string
	nouns []string
}

var (
	topics = []topic{
		{"sport", []string{"match", "goal", "run", "coach", "play", "team"}},
		{"trade", []string{"price", "share", "deal", "market", "run", "offer"}},
		{"weather", []string{"storm", "rain", "wind", "coast", "play", "cloud"}},
	}
	determiners  = []string{"the", "a", "this", "every"}
	adjectives   = []string{"late", "strong", "new", "cold"}
	verbs        = []string{"runs", "plays", "meets", "offers", "sees", "likes"}
	prepositions = []string{"in", "near", "after"}
	names        = [][]string{{"Anna", "Berg"}, {"Tom"}, {"Li", "Wen"}, {"Paris"}, {"Rome"}, {"New", "York"}, {"Acme", "Corp"}, {"Borealis"}, {"Paris", "Corp"}}
	nameLabels   = []string{"PER", "PER", "PER", "LOC", "LOC", "LOC", "ORG", "ORG", "ORG"}
)

// token is a row of tokens with its arc; head 0 is the root.
type token struct {
	form, lemma, upos, xpos string
	head                    int
	deprel                  string
}

// writer composes one document.
type writer struct {
	r                          *rand.Rand
	topic                      topic
	tokens                     [][]token // by sentence
	chunks, entities, segments []text.Span
}

func (w *writer) noise() bool { return w.r.IntN(20) == 0 }

func pick(r *rand.Rand, list []string) string { return list[r.IntN(len(list))] }

// phrase appends a noun phrase to the sentence and returns its head (1-based).
func (w *writer) phrase(s []token, segment string) ([]token, int) {
	first, sent := len(s)+1, int32(len(w.tokens)+1)
	if w.r.IntN(3) == 0 {
		i := w.r.IntN(len(names))
		label := nameLabels[i]
		if w.noise() {
			label = pick(w.r, nameLabels)
		}
		for k, f := range names[i] {
			t := token{form: f, lemma: f, upos: "PROPN", xpos: "NNP", head: first, deprel: "flat"}
			if k == 0 {
				t.head, t.deprel = -1, ""
			}
			s = append(s, t)
		}
		w.entities = append(w.entities, text.Span{Sent: sent, First: int32(first), Last: int32(len(s)), Label: label})
	} else {
		noun := w.topic
		if w.noise() {
			noun = topics[w.r.IntN(len(topics))]
		}
		var before []token
		before = append(before, token{form: pick(w.r, determiners), upos: "DET", xpos: "DT", deprel: "det"})
		if w.r.IntN(2) == 0 {
			before = append(before, token{form: pick(w.r, adjectives), upos: "ADJ", xpos: "JJ", deprel: "amod"})
		}
		at := first + len(before)
		for _, t := range before {
			t.lemma, t.head = t.form, at
			s = append(s, t)
		}
		f := pick(w.r, noun.nouns)
		t := token{form: f, lemma: f, upos: "NOUN", xpos: "NN", head: -1}
		if w.r.IntN(3) == 0 {
			t.form, t.xpos = f+"s", "NNS"
		}
		s = append(s, t)
	}
	w.chunks = append(w.chunks, text.Span{Sent: sent, First: int32(first), Last: int32(len(s)), Label: "NP"})
	w.segments = append(w.segments, text.Span{Sent: sent, First: int32(first), Last: int32(len(s)), Label: segment})
	for i := first; i <= len(s); i++ {
		if s[i-1].head == -1 {
			return s, i
		}
	}
	return s, first
}

func (w *writer) single(s []token, label string) {
	w.chunks = append(w.chunks, text.Span{Sent: int32(len(w.tokens) + 1), First: int32(len(s)), Last: int32(len(s)), Label: label})
}

// sentence appends: phrase verb phrase? (preposition phrase)? stop.
func (w *writer) sentence() {
	s, subject := w.phrase(nil, "subject")
	v := pick(w.r, verbs)
	s = append(s, token{form: v, lemma: strings.TrimSuffix(v, "s"), upos: "VERB", xpos: "VBZ", deprel: "root"})
	verb := len(s)
	w.single(s, "VP")
	s[subject-1].head, s[subject-1].deprel = verb, "nsubj"
	if w.r.IntN(4) > 0 {
		var object int
		s, object = w.phrase(s, "object")
		s[object-1].head, s[object-1].deprel = verb, "obj"
	}
	if w.r.IntN(2) == 0 {
		p := pick(w.r, prepositions)
		s = append(s, token{form: p, lemma: p, upos: "ADP", xpos: "IN", deprel: "case"})
		at := len(s)
		w.single(s, "PP")
		var place int
		s, place = w.phrase(s, "place")
		s[at-1].head = place
		s[place-1].head, s[place-1].deprel = verb, "obl"
	}
	s = append(s, token{form: ".", lemma: ".", upos: "PUNCT", xpos: ".", head: verb, deprel: "punct"})
	w.tokens = append(w.tokens, s)
}

// document lays the sentences out as text with layers.
func (w *writer) document() *text.Document {
	d := &text.Document{}
	var b strings.Builder
	var sent, tok, start, end, head, first, last, numbers []int32
	var forms, lemmas, upos, xpos, feats, deprels []string
	for i, s := range w.tokens {
		if i > 0 {
			b.WriteByte('\n')
		}
		numbers, first = append(numbers, int32(i+1)), append(first, int32(b.Len()))
		for k, t := range s {
			if k > 0 && t.form != "." {
				b.WriteByte(' ')
			}
			sent, tok, start = append(sent, int32(i+1)), append(tok, int32(k+1)), append(start, int32(b.Len()))
			b.WriteString(t.form)
			end, head = append(end, int32(b.Len())), append(head, int32(t.head))
			forms, lemmas, upos, xpos = append(forms, t.form), append(lemmas, t.lemma), append(upos, t.upos), append(xpos, t.xpos)
			number := "Number=Sing"
			if t.xpos == "NNS" {
				number = "Number=Plur"
			}
			feats, deprels = append(feats, number), append(deprels, t.deprel)
		}
		last = append(last, int32(b.Len()))
	}
	d.Text = b.String()
	l := text.NewLayer(text.Sentences)
	l.N = len(numbers)
	l.SetInts("sent", numbers)
	l.SetInts("char_start", first)
	l.SetInts("char_end", last)
	d.SetLayer(l)
	l = text.NewLayer(text.Tokens)
	l.N = len(forms)
	for name, v := range map[string][]int32{"sent": sent, "tok": tok, "char_start": start, "char_end": end} {
		l.SetInts(name, v)
	}
	for name, v := range map[string][]string{"form": forms, "lemma": lemmas, "upos": upos, "xpos": xpos, "feats": feats} {
		l.SetStrs(name, v)
	}
	d.SetLayer(l)
	l = text.NewLayer(text.Dependencies)
	l.N = len(forms)
	l.SetInts("sent", sent)
	l.SetInts("tok", tok)
	l.SetInts("head", head)
	l.SetStrs("deprel", deprels)
	d.SetLayer(l)
	l = text.NewLayer(text.Labels)
	l.N = 1
	l.SetStrs("label", []string{w.topic.label})
	d.SetLayer(l)
	d.SetLayer(d.SpanLayer(text.Chunks, w.chunks))
	d.SetLayer(d.SpanLayer(text.Entities, w.entities))
	d.SetLayer(d.SpanLayer(text.Segments, w.segments))
	return d
}
