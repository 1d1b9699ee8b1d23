package bitext

import (
	"strconv"
	"strings"

	"parlance/algo/text"
	"parlance/storage/value"
)

// Translations is the layer that translators write.
var Translations = &text.LayerDef{Name: "translations", Doc: "sentences in another language", Columns: []text.Column{
	{Name: "sent", Type: value.Integer, Doc: "sentence, 1-based within the document"},
	{Name: "translation", Type: value.Text, Doc: "words of the translation, apart by spaces"},
	{Name: "links", Type: value.Text, Doc: "which source token became which word: i-j, both 1-based"},
	{Name: "score", Type: value.Float, Doc: "score: features times weights, comparable within a sentence"},
}}

// TranslationOf reads the layer translations of a document as a document of its own, a sentence for each one that has a
// translation, and the links between rows of tokens of both. It is nil without the layer.
func TranslationOf(d *text.Document) (target *text.Document, links []Link) {
	l := d.Layer(Translations.Name)
	if l == nil {
		return nil, nil
	}
	bounds := d.SentenceTokens()
	toks := text.NewLayer(text.Tokens)
	var columns [4][]int32 // sent, tok, from, to
	var forms []string
	var content strings.Builder
	n := int32(0)
	for i, s := range l.Ints("sent") {
		if l.Rank != nil && l.Rank[i] != 1 || s < 1 || int(s) >= len(bounds) {
			continue
		}
		from, words := len(forms), text.Fields(l.Strs("translation")[i])
		if len(words) == 0 {
			continue
		}
		n++
		for k, w := range words {
			at := int32(content.Len())
			content.WriteString(w + " ")
			for c, v := range []int32{n, int32(k + 1), at, at + int32(len(w))} {
				columns[c] = append(columns[c], v)
			}
			forms = append(forms, w)
		}
		for _, f := range text.Fields(l.Strs("links")[i]) {
			a, b, _ := strings.Cut(f, "-")
			x, err1 := strconv.Atoi(a)
			y, err2 := strconv.Atoi(b)
			if err1 == nil && err2 == nil && x >= 1 && int32(x) <= bounds[s]-bounds[s-1] && y >= 1 && y <= len(words) {
				links = append(links, Link{Source: int(bounds[s-1]) + x - 1, Target: from + y - 1, Prob: 1})
			}
		}
	}
	toks.N = len(forms)
	for i, name := range []string{"sent", "tok", "char_start", "char_end"} {
		toks.SetInts(name, columns[i])
	}
	toks.SetStrs("form", forms)
	target = &text.Document{ID: d.ID, Text: content.String()}
	target.SetLayer(toks)
	return target, links
}
