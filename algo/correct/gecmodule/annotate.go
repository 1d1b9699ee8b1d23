package gecmodule

import (
	"cmp"
	"context"
	"slices"

	"parlance/algo/correct/confusion"
	"parlance/algo/correct/evidence"
	"parlance/algo/kind"
	"parlance/algo/text"
)

// Annotate writes the edits that the module makes, and all that it could make.
func (m *model) Annotate(ctx context.Context, docs []*text.Document, run *kind.Run) error {
	w, err := m.worker(run.Resources, &evidence.Windows{})
	if err != nil {
		return err
	}
	for _, d := range docs {
		if err := ctx.Err(); err != nil {
			return err
		}
		var rows []Row
		for i, s := range confusion.Read(d) {
			if i&15 == 15 && ctx.Err() != nil {
				return ctx.Err()
			}
			rows = append(rows, m.decide(s, w.Propose(s))...)
		}
		SetLayers(d, run, rows)
	}
	return nil
}

// Row is a candidate with the decision.
type Row struct {
	S                    *confusion.Sentence
	Edit                 confusion.Edit
	Type, Module, Source string
	Score, Prob          float64
	Made                 bool
}

// decide makes, of each slot, the likeliest edit from the threshold on; of those that clash the likelier one.
func (m *model) decide(s *confusion.Sentence, list []evidence.Proposal) []Row {
	rows := make([]Row, len(list))
	var order []int
	for i, p := range list {
		rows[i] = Row{S: s, Edit: p.Edit, Type: m.ErrorType(), Module: m.module, Score: p.Margin, Prob: p.Prob}
		if p.Prob >= m.Threshold() && !m.Ignores(&list[i]) {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(rows[b].Prob, rows[a].Prob) })
	for k, i := range order {
		rows[i].Made = !slices.ContainsFunc(order[:k], func(j int) bool {
			return rows[j].Made &&
				(rows[i].Edit.Clashes(rows[j].Edit) || list[i].Slot == list[j].Slot && list[i].SlotEnd == list[j].SlotEnd)
		})
	}
	return rows
}

// SetLayers writes rows as the layers that the run wants.
func SetLayers(d *text.Document, run *kind.Run, rows []Row) {
	slices.SortStableFunc(rows, func(a, b Row) int {
		return cmp.Or(cmp.Compare(a.S.Number, b.S.Number), a.Edit.Compare(b.Edit))
	})
	if run.Wants(Candidates.Name) {
		l := rowsLayer(d, Candidates, rows, run.Prob)
		scores, made, modules := make([]float64, l.N), make([]int32, l.N), make([]string, l.N)
		for i, r := range rows {
			scores[i], modules[i] = r.Score, r.Module
			if r.Made {
				made[i] = 1
			}
		}
		l.Cols[l.Def.Index("score")].Floats = scores
		l.SetInts("made", made)
		l.SetStrs("module", modules)
		d.SetLayer(l)
	}
	if run.Wants(text.Edits.Name) {
		d.SetLayer(rowsLayer(d, text.Edits, slices.DeleteFunc(slices.Clone(rows), func(r Row) bool {
			return !r.Made
		}), run.Prob))
	}
}

// rowsLayer makes the columns that both layers have.
func rowsLayer(d *text.Document, def *text.LayerDef, rows []Row, prob bool) *text.Layer {
	l := text.NewLayer(def)
	l.N = len(rows)
	sent, start, end := make([]int32, l.N), make([]int32, l.N), make([]int32, l.N)
	corrections, types, probs := make([]string, l.N), make([]string, l.N), make([]float64, l.N)
	for i, r := range rows {
		sent[i], corrections[i], types[i], probs[i] = int32(r.S.Number), r.Edit.Words, r.Type, r.Prob
		start[i], end[i] = Place(d, r.S, r.Edit)
	}
	l.SetInts("sent", sent)
	l.SetInts("char_start", start)
	l.SetInts("char_end", end)
	l.SetStrs("correction", corrections)
	l.SetStrs("type", types)
	if def == text.Edits {
		l.SetInts("annotator", make([]int32, l.N))
	}
	if prob {
		l.Prob = probs
	}
	return l
}

// Place is the bytes of an edit; an insertion stands where the next token begins, or behind the last one.
func Place(d *text.Document, s *confusion.Sentence, e confusion.Edit) (start, end int32) {
	toks := d.Layer(text.Tokens.Name)
	starts, ends := toks.Ints("char_start"), toks.Ints("char_end")
	switch {
	case e.Start < e.End:
		return starts[s.Row+e.Start], ends[s.Row+e.End-1]
	case e.Start < len(s.Forms):
		return starts[s.Row+e.Start], starts[s.Row+e.Start]
	}
	return ends[s.Row+e.Start-1], ends[s.Row+e.Start-1]
}
