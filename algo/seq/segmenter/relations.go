package segmenter

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"parlance/algo/engine/online"
	"parlance/algo/kind"
	"parlance/storage/value"
)

var entryColumns = []kind.Column{
	{Name: "word", Type: value.Text, Doc: "word"},
	{Name: "tag", Type: value.Text, Doc: "its tag, NULL where words are learned without tags"},
	{Name: "count", Type: value.Integer, Doc: "how often the training data has both"},
}

// relations are what the model answers.
var relations = []kind.Relation{
	{Name: "dictionary", Doc: "words of the training data with their tags", Columns: append(slices.Clone(entryColumns),
		kind.Column{Name: "origin", Type: value.Text, Doc: "known; rare or missed where it was learned by its " +
			"characters"})},
	{Name: "artificial_unknown", Doc: "entries that were learned by their characters, as if they were unknown",
		Columns: append(slices.Clone(entryColumns), kind.Column{Name: "reason", Type: value.Text,
			Doc: "rare: no more frequent than the threshold; missed: unknown to a model of other folds, which " +
				"did not find it"})},
	{Name: "weights", Doc: "features with their weights, of falling size within a template", Columns: []kind.Column{
		{Name: "template", Type: value.Text, Doc: "template, by the names of Kruengkrai et al. (2009)"},
		{Name: "context", Type: value.Text, Doc: "what was seen, _ beyond the ends of a sentence"},
		{Name: "outcome", Type: value.Text, Doc: "position and tag of a character, or tags of words; * for any"},
		{Name: "weight", Type: value.Float, Doc: "weight"}}},
	{Name: "transitions", Doc: "weights of pairs of nodes of which one at least is a character", Columns: []kind.Column{
		{Name: "before", Type: value.Text, Doc: "position and tag of a character, or the tag of a word"},
		{Name: "after", Type: value.Text, Doc: "the same of the next one"},
		{Name: "weight", Type: value.Float, Doc: "weight"}}},
}

// Open opens a relation.
func (m *model) Open(_ context.Context, name string, _ []value.Value, _ *kind.Run) (kind.Rows, error) {
	at := slices.IndexFunc(relations, func(r kind.Relation) bool { return r.Name == name })
	if at < 0 {
		return nil, kind.ErrNoRelation
	}
	rel := relations[at]
	switch name {
	case "dictionary", "artificial_unknown":
		return m.entries(rel, name == "artificial_unknown"), nil
	case "weights":
		return kind.RowsOf(rel, m.weights.each), nil
	}
	return kind.RowsOf(rel, m.weights.eachTransition), nil
}

func (m *model) entries(rel kind.Relation, unknown bool) kind.Rows {
	w := m.weights
	return kind.RowsOf(rel, func(yield func([]value.Value) bool) {
		for _, e := range w.dict.entries {
			if unknown && e.kind == known {
				continue
			}
			tag := value.Value{}
			if w.tags[e.tag] != untagged {
				tag = value.Str(w.tags[e.tag])
			}
			word := value.Str(string(w.dict.words[e.word].runes))
			if !yield([]value.Value{word, tag, value.Int(int64(e.count)), value.Str(e.kind.String())}) {
				return
			}
		}
	})
}

// each yields the features of contexts.
func (w *weights) each(yield func([]value.Value) bool) {
	keys := w.contexts.keys()
	order := make([]int, len(keys))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(keys[a], keys[b]) })
	for _, row := range order {
		template, context := w.contextName(keys[row])
		cells := slices.Clone(w.rows.Row(uint32(row)))
		slices.SortFunc(cells, func(a, b online.Cell) int {
			return cmp.Or(cmp.Compare(max(b.W, -b.W), max(a.W, -a.W)), cmp.Compare(a.Column, b.Column))
		})
		for _, c := range cells {
			outcome := w.outcomeName(int(keys[row]>>56), int(c.Column))
			row := []value.Value{value.Str(template), value.Str(context), value.Str(outcome), value.Real(float64(c.W))}
			if !yield(row) {
				return
			}
		}
	}
}

func (w *weights) eachTransition(yield func([]value.Value) bool) {
	for a := range w.codes {
		for b, x := range w.transition(a) {
			if x != 0 && !yield([]value.Value{value.Str(w.codeName(a)), value.Str(w.codeName(b)), value.Real(x)}) {
				return
			}
		}
	}
}

// contextName is the template and the text of a context.
func (w *weights) contextName(key uint64) (template, context string) {
	t, a, b := int(key>>56), key>>28&(1<<28-1), key&(1<<28-1)
	switch {
	case t < ctxBigram:
		return fmt.Sprintf("C0[%d]", t-ctxChar-margin), charName(a)
	case t < ctxAround:
		return fmt.Sprintf("C1[%d]", t-ctxBigram-margin), charName(a) + charName(b)
	case t == ctxAround:
		return "C2", charName(a) + " " + charName(b)
	case t < ctxTypeBigram:
		return fmt.Sprintf("C3[%d]", t-ctxType-margin), typeName(a)
	case t < ctxTypeAround:
		return fmt.Sprintf("C4[%d]", t-ctxTypeBigram-margin), typeName(a) + " " + typeName(b)
	case t == ctxTypeAround:
		return "C5", typeName(a) + " " + typeName(b)
	}
	return w.wordContextName(t, a, b)
}

// wordTemplates are the names of the templates of words, from ctxWord on.
var wordTemplates = []string{"W0", "W1", "W3", "A0", "A2", "A4", "A6", "T0", "T2", "T4", "T6", "B1", "B2", "B7", "B9",
	"TB0", "TB2", "B3", "B5", "B0"}

func (w *weights) wordContextName(t int, a, b uint64) (template, context string) {
	template = wordTemplates[t-ctxWord]
	switch t {
	case ctxTag:
	case ctxLength, ctxPrevLength:
		context = fmt.Sprint(a)
	case ctxOnly, ctxFirst, ctxLast:
		context = charName(a)
	case ctxBoth:
		context = charName(a) + " " + charName(b)
	case ctxOnlyType, ctxFirstType, ctxLastType, ctxPrevType:
		context = typeName(a)
	case ctxBothTypes:
		context = typeName(a) + " " + typeName(b)
	case ctxPrevTypes:
		context = typeName(a) + " " + w.tagName(int(b))
	case ctxPrevTag:
		context = w.tagName(int(a))
	case ctxWord, ctxPrevWord, ctxNextWord:
		context = w.wordName(a)
	case ctxPrevEntry, ctxNextEntry:
		context = w.entryName(a)
	case ctxTwoWords:
		context = w.wordName(a) + " " + w.wordName(b)
	}
	return template, context
}

func charName(c uint64) string {
	if c >= border {
		return "_"
	}
	return string(rune(c))
}

func typeName(t uint64) string {
	if t >= uint64(types) {
		return "?"
	}
	return typeNames[t]
}

// tagName is the name of a tag, _ for the ends of a sentence.
func (w *weights) tagName(t int) string {
	switch {
	case t < 0:
		return "*"
	case t >= w.plain:
		return "_"
	case w.tags[t] == untagged:
		return "word"
	}
	return w.tags[t]
}

func (w *weights) wordName(x uint64) string {
	if x >= uint64(len(w.dict.words)) {
		return "_"
	}
	return string(w.dict.words[x].runes)
}

func (w *weights) entryName(x uint64) string {
	if x >= uint64(len(w.dict.entries)) {
		return "_"
	}
	e := w.dict.entries[x]
	return w.wordName(uint64(e.word)) + "/" + w.tagName(int(e.tag))
}

// codeName is the name of a node in pairs: the tag of a word, position and tag of a character.
func (w *weights) codeName(code int) string {
	if code < w.all {
		return w.tagName(code)
	}
	code -= w.all
	return positionNames[code/w.plain] + "-" + w.tagName(code%w.plain)
}

// outcomeName is the name of a column of the contexts of a template.
func (w *weights) outcomeName(template, column int) string {
	switch {
	case template < ctxWord:
		return w.codeName(w.all + column)
	case column == 0:
		return "*"
	case column <= w.all:
		return w.tagName(column - 1)
	case column <= 2*w.all:
		return w.tagName(column-1-w.all) + " *"
	}
	column -= 1 + 2*w.all
	return w.tagName(column/w.all) + " " + w.tagName(column%w.all)
}
