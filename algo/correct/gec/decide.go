package gec

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"parlance/algo/correct/confusion"
	"parlance/algo/correct/evidence"
)

// decide chooses the options of a sentence that are made. Without constraints these are those with a score of at least
// 0, the best first, that clash with none before.
func (m *model) decide(ctx context.Context, members []member, s *confusion.Sentence,
	list []correction) ([]bool, error) {
	made := make([]bool, len(list))
	var fixed []int
	free := make([]bool, len(list))
	for i := range free {
		free[i] = true
	}
	if m.joint != none {
		var err error
		if fixed, err = m.agree(ctx, members, s, list, free); err != nil {
			return nil, err
		}
	}
	var order []int
	for i := range list {
		if free[i] && list[i].score >= 0 {
			order = append(order, i)
		}
	}
	order = append(order, fixed...)
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(list[b].score, list[a].score) })
	for k, i := range order {
		made[i] = !slices.ContainsFunc(order[:k], func(j int) bool { return made[j] && excludes(&list[i], &list[j]) })
	}
	return made, nil
}

// excludes tells whether only one of two options can be made: they clash, or decide about the same slot.
func excludes(a, b *correction) bool {
	if a.Clashes(b.Edit) {
		return true
	}
	for i := range a.said {
		for k := range b.said {
			if p, q := &a.said[i], &b.said[k]; p.by == q.by && p.Slot == q.Slot && p.SlotEnd == q.SlotEnd {
				return true
			}
		}
	}
	return false
}

// realised is the edits that are made, with those that set a and an before a word that has changed.
func realised(s *confusion.Sentence, list []correction, made []bool) []confusion.Edit {
	var edits []confusion.Edit
	for i, ok := range made {
		if ok {
			edits = append(edits, list[i].Edit)
		}
	}
	for k, n := 0, len(edits); k < n; k++ {
		e := edits[k]
		if e.Start == 0 || e.Words == "" && e.End >= len(s.Forms) {
			continue
		}
		next := e.Words
		if next == "" {
			next = s.Forms[e.End]
		}
		next, _, _ = strings.Cut(next, " ")
		before := confusion.Edit{Start: e.Start - 1, End: e.Start}
		was := s.Lower[e.Start-1]
		if was != "a" && was != "an" || confusion.Article(next) == was {
			continue
		}
		before.Words = confusion.Article(next)
		if s.Forms[e.Start-1] != was {
			before.Words = confusion.Title(before.Words)
		}
		if !slices.ContainsFunc(edits, func(x confusion.Edit) bool {
			return x.Clashes(before) || x.Start == e.Start && x.End == x.Start && x != e
		}) {
			edits = append(edits, before)
		}
	}
	slices.SortFunc(edits, confusion.Edit.Compare)
	return edits
}

// chosen is an edit that is made, with the option that it comes from, nil for one that follows from another.
type chosen struct {
	confusion.Edit
	of *correction
}

// correct returns the edits of a sentence.
func (m *model) correct(ctx context.Context, members []member, s *confusion.Sentence,
	list []correction) ([]chosen, error) {
	made, err := m.decide(ctx, members, s, list)
	if err != nil {
		return nil, err
	}
	byEdit := map[confusion.Edit]*correction{}
	for i, ok := range made {
		if ok {
			byEdit[list[i].Edit] = &list[i]
		}
	}
	var out []chosen
	for _, e := range realised(s, list, made) {
		out = append(out, chosen{e, byEdit[e]})
	}
	return out, nil
}

// ends tells which module an option is of: the label of what it puts into the slot.
func (o *correction) labelOf(members []member, module string) (p *evidence.Proposal, ok bool) {
	for i := range o.said {
		if members[o.said[i].by].Corrects() == module {
			return &o.said[i].Proposal, true
		}
	}
	return nil, false
}
