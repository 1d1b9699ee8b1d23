package gec

import (
	"context"
	"math"
	"slices"
	"strings"

	"parlance/algo/correct/confusion"
	"parlance/algo/correct/gecmodule"
	"parlance/algo/kind"
	"parlance/algo/text"
	"parlance/storage/value"
)

// made is an edit that is made in a sentence.
type made struct {
	s *confusion.Sentence
	chosen
}

// Annotate writes edits, candidates and corrected sentences.
func (m *model) Annotate(ctx context.Context, docs []*text.Document, run *kind.Run) error {
	members, err := m.members(run.Resources)
	if err != nil {
		return err
	}
	for _, d := range docs {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := m.document(ctx, members, d, run); err != nil {
			return err
		}
	}
	return nil
}

// document annotates one document.
func (m *model) document(ctx context.Context, members []member, d *text.Document, run *kind.Run) error {
	var rows []made
	var all []gecmodule.Row
	for i, s := range confusion.Read(d) {
		if i&15 == 15 && ctx.Err() != nil {
			return ctx.Err()
		}
		list := collect(members, s)
		m.rate(members, list)
		edits, err := m.correct(ctx, members, s, list)
		if err != nil {
			return err
		}
		for _, e := range edits {
			rows = append(rows, made{s, e})
		}
		if run.Wants(gecmodule.Candidates.Name) {
			all = append(all, m.candidates(members, s, list, edits)...)
		}
	}
	if run.Wants(gecmodule.Candidates.Name) {
		only := *run
		only.Wanted = []string{gecmodule.Candidates.Name}
		gecmodule.SetLayers(d, &only, all)
	}
	if run.Wants(text.Edits.Name) {
		d.SetLayer(editsLayer(d, m, members, rows, run.Prob))
	}
	if run.Wants(Corrected.Name) {
		l, err := correctedLayer(d, rows)
		if err != nil {
			return err
		}
		d.SetLayer(l)
	}
	return nil
}

// candidates are the options of a sentence, and the edits that follow from others.
func (m *model) candidates(members []member, s *confusion.Sentence, list []correction, edits []chosen) []gecmodule.Row {
	var out []gecmodule.Row
	for i := range list {
		o := &list[i]
		out = append(out, gecmodule.Row{S: s, Edit: o.Edit, Type: members[o.main().by].ErrorType(), Module: m.module(o),
			Score: max(o.score, -maxLogit), Prob: o.prob, Made: slices.ContainsFunc(edits, func(c chosen) bool {
				return c.of == o
			})})
	}
	for _, e := range edits {
		if e.of == nil {
			out = append(out, gecmodule.Row{S: s, Edit: e.Edit, Type: realisedType, Prob: math.NaN(), Made: true})
		}
	}
	return out
}

// realisedType is the type of edits of a and an that follow from others.
const realisedType = "ArtOrDet"

// editsLayer makes the layer of edits.
func editsLayer(d *text.Document, m *model, members []member, list []made, prob bool) *text.Layer {
	rows := make([]gecmodule.Row, len(list))
	for i, x := range list {
		rows[i] = gecmodule.Row{S: x.s, Edit: x.Edit, Type: realisedType, Prob: math.NaN(), Made: true}
		if x.of != nil {
			rows[i].Type, rows[i].Prob = members[x.of.main().by].ErrorType(), x.of.prob
		}
	}
	view := *d
	gecmodule.SetLayers(&view, &kind.Run{Wanted: []string{text.Edits.Name}, Prob: prob}, rows)
	return view.Layer(text.Edits.Name)
}

// correctedLayer makes the layer of corrected sentences.
func correctedLayer(d *text.Document, list []made) (*text.Layer, error) {
	l := text.NewLayer(Corrected)
	from := 0
	var ints [4][]int32
	var texts, marked []string
	for _, s := range bounds(d) {
		var changes []confusion.Change
		first := from
		for ; from < len(list) && list[from].s.Number == s.number; from++ {
			start, end := gecmodule.Place(d, list[from].s, list[from].Edit)
			changes = append(changes, confusion.Change{Start: int(start) - s.start, End: int(end) - s.start,
				Words: list[from].Words})
		}
		done, err := confusion.ApplyText(d.Text[s.start:s.end], changes)
		if err != nil {
			return nil, err
		}
		for i, v := range []int{s.number, s.start, s.end, from - first} {
			ints[i] = append(ints[i], int32(v))
		}
		texts, marked = append(texts, strings.Clone(done)), append(marked, confusion.Mark(d.Text[s.start:s.end], changes))
	}
	l.N = len(texts)
	l.SetInts("sent", ints[0])
	l.SetInts("char_start", ints[1])
	l.SetInts("char_end", ints[2])
	l.SetInts("edits", ints[3])
	l.SetStrs("text", texts)
	l.SetStrs("marked", marked)
	return l, nil
}

// span is a sentence with its place in the text.
type span struct{ number, start, end int }

// bounds are the sentences from their first to their last token.
func bounds(d *text.Document) []span {
	var out []span
	toks := d.Layer(text.Tokens.Name)
	for s := range d.Sentences() {
		out = append(out, span{s.Number, int(toks.Ints("char_start")[s.From]), int(toks.Ints("char_end")[s.To-1])})
	}
	return out
}

// relations are what the model tells of itself.
var relations = []kind.Relation{
	{Name: "measures", Doc: "scores of the edits of the training text by M², each sentence corrected without its fold",
		Columns: []kind.Column{
			{Name: "metric", Type: value.Text, Doc: "precision, recall, F with option beta, recall by type"},
			{Name: "value", Type: value.Float, Doc: "the score"},
			{Name: "low", Type: value.Float, Doc: "lower end of the interval of 95 %, by bootstrap over sentences"},
			{Name: "high", Type: value.Float, Doc: "upper end"}}},
	{Name: "weights", Doc: "how much modules count", Columns: []kind.Column{
		{Name: "module", Type: value.Text, Doc: "model of the module"},
		{Name: "input", Type: value.Text,
			Doc: "bias, logit: log-odds of the module, halved; lm: difference of the language model, " +
				"halved; prior: log of how usual the error is, by four; or the pair of labels"},
		{Name: "weight", Type: value.Float, Doc: "what it adds to the log-odds; of union the threshold, in log-odds"}}},
}

// Open opens a relation.
func (m *model) Open(_ context.Context, name string, _ []value.Value, _ *kind.Run) (kind.Rows, error) {
	switch name {
	case "measures":
		return kind.RowsOf(relations[0], func(yield func([]value.Value) bool) {
			for _, x := range m.measured {
				row := []value.Value{value.Str(x.Metric), value.Real(x.Value), {}, {}}
				if x.High >= 0 {
					row[2], row[3] = value.Real(x.Low), value.Real(x.High)
				}
				if !yield(row) {
					return
				}
			}
		}), nil
	case "weights":
		return kind.RowsOf(relations[1], m.listWeights), nil
	}
	return nil, kind.ErrNoRelation
}

// inputNames are those of the inputs.
var inputNames = [inputs]string{"bias", "logit", "lm", "prior"}

func (m *model) listWeights(yield func([]value.Value) bool) {
	for k, n := range m.names {
		if m.combine == union {
			if !yield([]value.Value{value.Str(n), value.Str("threshold"), value.Real(m.thresholds[k])}) {
				return
			}
			continue
		}
		for i, input := range inputNames {
			if !yield([]value.Value{value.Str(n), value.Str(input), value.Real(m.weights[k*inputs+i])}) {
				return
			}
		}
	}
	pairs := make([]string, 0, len(m.pairs))
	for p := range m.pairs {
		pairs = append(pairs, p)
	}
	slices.Sort(pairs)
	for _, p := range pairs {
		n, pair, _ := strings.Cut(p, " ")
		if !yield([]value.Value{value.Str(n), value.Str(pair), value.Real(m.pairs[p][0])}) {
			return
		}
	}
}
