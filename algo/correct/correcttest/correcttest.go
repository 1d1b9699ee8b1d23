// Package correcttest has generated text of learners with tags, base phrases and corrections, and counts of generated
// native text, for tests alone.
package correcttest

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"

	"parlance/algo/kind"
	"parlance/algo/option"
	"parlance/algo/text"
)

// token is a word as it should be, with what a writer may write in its place.
type token struct {
	word, tag string
	chunk     string // B-NP, I-NP, B-VP, B-PP, O
	wrong     []string
	kind      string // type of the error
}

type noun struct{ one, many string }

var (
	nouns = []noun{{"student", "students"}, {"teacher", "teachers"}, {"book", "books"}, {"city", "cities"},
		{"school", "schools"},
		{"friend", "friends"}, {"idea", "ideas"}, {"problem", "problems"}, {"apple", "apples"}}
	verbs = [][4]string{{"depend", "depends", "depended", "on"}, {"look", "looks", "looked", "at"},
		{"talk", "talks", "talked", "about"},
		{"listen", "listens", "listened", "to"}, {"live", "lives", "lived", "in"}}
	days = []string{"Monday", "Friday"}
)

// swapped is the tag of the other form of a noun or verb.
var swapped = map[string]string{"NN": "NNS", "NNS": "NN", "VBP": "VBZ", "VBZ": "VBP", "VBD": "VBG"}

// misspelt exchanges the last two letters but one of a word.
func misspelt(w string) string {
	n := len(w)
	return w[:n-3] + w[n-2:n-1] + w[n-3:n-2] + w[n-1:]
}

// phrase is a noun phrase: a or the with a singular, the or nothing with a plural.
func phrase(rng *rand.Rand) (out []token, plural bool) {
	n := nouns[rng.IntN(len(nouns))]
	plural = rng.IntN(2) == 0
	head := token{n.one, "NN", "I-NP", []string{n.many, n.many, n.many, misspelt(n.one)}, "Nn"}
	if plural {
		head = token{n.many, "NNS", "I-NP", []string{n.one, n.one, n.one, misspelt(n.many)}, "Nn"}
	}
	det := token{"the", "DT", "B-NP", []string{"", "a"}, "ArtOrDet"}
	if !plural && rng.IntN(2) == 0 {
		det.word, det.wrong = "a", []string{"", "the"}
		if strings.ContainsAny(n.one[:1], "aeiou") {
			det.word = "an"
		}
	}
	if plural && rng.IntN(2) == 0 {
		head.chunk = "B-NP"
		return []token{head}, true
	}
	return []token{det, head}, plural
}

// sentence is one that is right.
func sentence(rng *rand.Rand) []token {
	var out []token
	if rng.IntN(3) == 0 {
		out = append(out, token{"However", "RB", "O", nil, ""}, token{",", ",", "O", []string{""}, "Mec"})
	}
	v := verbs[rng.IntN(len(verbs))]
	past := rng.IntN(3) == 0
	subject, plural := phrase(rng)
	out = append(out, subject...)
	switch {
	case past:
		out = append(out, token{v[2], "VBD", "B-VP", []string{v[0] + "ing"}, "Vform"})
	case plural && rng.IntN(3) == 0:
		out = append(out, token{"do", "VBP", "B-VP", nil, ""}, token{"not", "RB", "I-VP", []string{"n't"}, "Wtone"},
			token{v[0], "VB", "I-VP", nil, ""})
	case plural:
		out = append(out, token{v[0], "VBP", "B-VP", []string{v[1]}, "SVA"})
	default:
		out = append(out, token{v[1], "VBZ", "B-VP", []string{v[0]}, "SVA"})
	}
	out = append(out, token{v[3], "IN", "B-PP", []string{"in", "of", ""}, "Prep"})
	object, _ := phrase(rng)
	out = append(out, object...)
	switch rng.IntN(4) {
	case 0:
		d := days[rng.IntN(len(days))]
		out = append(out, token{"on", "IN", "B-PP", nil, ""}, token{d, "NNP", "B-NP", []string{strings.ToLower(d)}, "Mec"})
	case 1:
		out = append(out, token{"with", "IN", "B-PP", nil, ""},
			token{"technology", "NN", "B-NP", []string{"technological"}, "Wform"})
	}
	out[0].word = strings.ToUpper(out[0].word[:1]) + out[0].word[1:]
	return append(out, token{".", ".", "O", nil, ""})
}

// builder makes a document.
type builder struct {
	text  strings.Builder
	toks  *text.Layer
	spans []text.Span
	edits *text.Layer
}

func (b *builder) add(sent int, list []token, rate float64, rng *rand.Rand) {
	tok := int32(0)
	sinks := b.toks.Cols
	for i, t := range list {
		w := t.word
		wrong := len(t.wrong) > 0 && i > 0 && rng.Float64() < rate
		if wrong {
			w = t.wrong[rng.IntN(len(t.wrong))]
		}
		start := int32(b.text.Len())
		if w != "" {
			tok++
			b.text.WriteString(w)
			for c, v := range []int32{int32(sent), tok, start, int32(b.text.Len())} {
				sinks[c].Ints = append(sinks[c].Ints, v)
			}
			tag := t.tag
			if other, ok := swapped[tag]; ok && wrong && t.kind != "Wform" {
				tag = other
			}
			sinks[4].Strs, sinks[7].Strs = append(sinks[4].Strs, w), append(sinks[7].Strs, tag)
			b.toks.N++
			b.text.WriteByte(' ')
			if label, ok := strings.CutPrefix(t.chunk, "B-"); ok {
				b.spans = append(b.spans, text.Span{Sent: int32(sent), First: tok, Last: tok, Label: label})
			} else if n := len(b.spans) - 1; strings.HasPrefix(t.chunk, "I-") && n >= 0 && b.spans[n].Last == tok-1 &&
				b.spans[n].Sent == int32(sent) {
				b.spans[n].Last = tok
			} else if strings.HasPrefix(t.chunk, "I-") {
				b.spans = append(b.spans, text.Span{Sent: int32(sent), First: tok, Last: tok, Label: "NP"})
			}
		}
		if wrong {
			end := start
			if w != "" {
				end = start + int32(len(w))
			}
			for c, v := range map[string]int32{"sent": int32(sent), "char_start": start, "char_end": end, "annotator": 0} {
				b.edits.SetInts(c, append(b.edits.Ints(c), v))
			}
			b.edits.SetStrs("correction", append(b.edits.Strs("correction"), t.word))
			b.edits.SetStrs("type", append(b.edits.Strs("type"), t.kind))
			b.edits.N++
		}
	}
}

// Documents returns n documents of two sentences with errors at a rate, and their corrections as edits.
func Documents(n int, rate float64, seed uint64) []*text.Document {
	rng := rand.New(rand.NewPCG(seed, 1))
	out := make([]*text.Document, n)
	for i := range out {
		b := builder{toks: text.NewLayer(text.Tokens), edits: text.NewLayer(text.Edits)}
		for s := range 2 {
			b.add(s+1, sentence(rng), rate, rng)
		}
		d := &text.Document{ID: fmt.Sprintf("d%d", i), Text: b.text.String()}
		d.SetLayer(b.toks)
		d.SetLayer(d.SpanLayer(text.Chunks, b.spans))
		d.SetLayer(b.edits)
		out[i] = d
	}
	return out
}

// Train trains a model of a kind on documents.
func Train(k kind.Kind, docs []*text.Document, res kind.Resources, args ...option.Arg) (kind.Trained, error) {
	m, set := k.New(), &option.Set{}
	m.Options(set)
	if err := set.Apply(args); err != nil {
		return kind.Trained{}, err
	}
	err := m.Train(context.Background(), &kind.Training{On: kind.Documents(docs), Resources: res, Seed: 1, Workers: 1,
		Report: func(kind.Progress) {}, Notice: func(string) {}})
	return kind.Trained{Model: m, Resources: res, Label: k.Name + "@1"}, err
}

// Having returns the first n of documents whose text has a word, among blanks; all have "".
func Having(docs []*text.Document, word string, n int) (out []*text.Document) {
	for _, d := range docs {
		if len(out) < n && (word == "" || strings.Contains(" "+d.Text, " "+word+" ")) {
			out = append(out, d)
		}
	}
	return out
}
