package bitext

import (
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
