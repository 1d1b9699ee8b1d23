package kindtest

import (
	"fmt"
	"strings"

	"parlance/algo/text"
	"parlance/storage/value"
)

// Sample is small documents of sentences with tags, entities and labels, made by rules that
// a model can learn. Tags are in upos and xpos.
func Sample(n int) []*text.Document {
	people := []string{"Ann Lee", "Bob", "Cid van Dam", "Eve Oz"}
	places := []string{"Oslo", "New York", "Rome", "Cape Town"}
	verbs := []string{"saw", "left", "likes"}
	docs := make([]*text.Document, n)
	for i := range docs {
		topic := []string{"travel", "food"}[i%2]
		var words []string
		var spans []text.Span
		b := builder{}
		for s := range 1 + i%3 {
			words = words[:0]
			span := func(phrase, label string) {
				first := int32(len(words) + 1)
				words = append(words, strings.Fields(phrase)...)
				spans = append(spans, text.Span{Sent: int32(s + 1), First: first, Last: int32(len(words)), Label: label})
			}
			span(people[(i+s)%len(people)], "PER")
			words = append(words, verbs[(i*7+s)%len(verbs)])
			if topic == "travel" {
				span(places[(i*3+s)%len(places)], "LOC")
				words = append(words, "by", "train")
			} else {
				words = append(words, "the", []string{"soup", "bread"}[(i+s)%2])
			}
			b.sentence(append(words, "."))
		}
		d := b.document(fmt.Sprintf("d%d", i))
		d.Fields = []text.Field{{Name: "topic", Value: value.Str(topic)}}
		d.SetLayer(d.SpanLayer(text.Entities, spans))
		label(d, topic, false)
		docs[i] = d
	}
	return docs
}

type builder struct {
	text strings.Builder
	toks *text.Layer
}

func (b *builder) sentence(words []string) {
	if b.toks == nil {
		b.toks = text.NewLayer(text.Tokens)
	}
	sent := int32(1)
	if n := b.toks.N; n > 0 {
		sent = b.toks.Cols[0].Ints[n-1] + 1
	}
	for i, w := range words {
		c := b.toks.Cols
		c[0].Ints, c[1].Ints = append(c[0].Ints, sent), append(c[1].Ints, int32(i+1))
		c[2].Ints = append(c[2].Ints, int32(b.text.Len()))
		b.text.WriteString(w)
		c[3].Ints = append(c[3].Ints, int32(b.text.Len()))
		b.text.WriteByte(' ')
		c[4].Strs = append(c[4].Strs, w)
		tag := "N"
		switch {
		case w == ".":
			tag = "P"
		case strings.ToLower(w) == w && w != "soup" && w != "bread" && w != "train":
			tag = "V"
		}
		c[6].Strs, c[7].Strs = append(c[6].Strs, tag), append(c[7].Strs, tag)
		b.toks.N++
	}
}

func (b *builder) document(id string) *text.Document {
	d := &text.Document{ID: id, Text: b.text.String()}
	d.SetLayer(b.toks)
	return d
}
