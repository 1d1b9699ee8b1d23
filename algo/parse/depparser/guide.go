package depparser

import (
	"context"
	"fmt"
	"slices"

	"parlance/algo/kind"
	"parlance/algo/text"
	"parlance/algo/text/treebank"
)

// guide is another parser, whose trees this one sees (Nivre and McDonald 2008).
type guide struct {
	kind.Trained
}

// guesses are the guide's trees of a document, by row of the tokens.
type guesses struct {
	heads     []int32 // −1 where there is none
	relations []uint64
}

// newGuide refuses models that write no dependencies, and those that read what schema does not.
func newGuide(t kind.Trained, schema kind.Schema) (*guide, error) {
	s := t.Model.Schema()
	if s.Unit != kind.PerDocument ||
		!slices.ContainsFunc(s.Writes, func(u kind.LayerUse) bool { return u.Layer == text.Dependencies.Name }) {
		return nil, fmt.Errorf("option guide: model %s does not parse documents into dependencies", t.Label)
	}
	for _, need := range s.Reads {
		i := slices.IndexFunc(schema.Reads, func(u kind.LayerUse) bool { return u.Layer == need.Layer })
		if i < 0 {
			return nil, fmt.Errorf("option guide: model %s reads the layer %s, which is not read here", t.Label, need.Layer)
		}
		for _, c := range need.Columns {
			if have := schema.Reads[i].Columns; !slices.Contains(have, c) {
				return nil, fmt.Errorf("option guide: model %s reads %s.%s, and %s %v are read here; tag and coarse_tag tell which",
					t.Label, need.Layer, c, need.Layer, have)
			}
		}
	}
	return &guide{t}, nil
}

// trees parses a copy of a document.
func (g *guide) trees(ctx context.Context, d *text.Document) (*guesses, error) {
	x := *d
	x.DropLayer(text.Dependencies.Name)
	run := &kind.Run{Resources: g.Resources, Workers: 1, Wanted: []string{text.Dependencies.Name},
		Report: func(kind.Progress) {}}
	if err := g.Model.Annotate(ctx, []*text.Document{&x}, run); err != nil {
		return nil, fmt.Errorf("guide %s: %w", g.Label, err)
	}
	out := &guesses{}
	for s := range treebank.Sentences(&x) {
		for m := 1; m <= s.Len(); m++ {
			h := s.Heads[m]
			if h > int32(s.Len()) {
				h = -1
			}
			out.heads, out.relations = append(out.heads, h), append(out.relations, hashString(s.Labels[m]))
		}
	}
	return out, nil
}

// Salts of features of the guide.
var (
	guideArc   = mix(0x601d)
	guideNone  = mix(0x601e)
	guideLabel = mix(0x601f)
	guideBoth  = mix(0x6020)
)

// guideKeys appends the keys of an arc: whether the guide has it, with which relation, and which one
// it gives the modifier; each bare and with the tags of head, of modifier, and of both (Chen et al.
// 2009, sec. 5.3).
func (s *sentence) guideKeys(dst []uint64, h, m int) []uint64 {
	arc, label := guideNone, s.relation[m]
	tagH, tagM := s.value[fine][h+shift], mix(s.value[fine][m+shift])
	with := func(k uint64) {
		dst = append(dst, mix(k), mix(k+tagH), mix(k+tagM), mix(k+tagH+tagM))
	}
	if int(s.guess[m]) == h {
		arc = guideArc
		with(guideBoth ^ label)
	}
	with(arc)
	with(guideLabel ^ label)
	return dst
}

// keepGuess keeps the arcs of the guide among those that a pruner leaves.
func (s *sentence) keepGuess(keep []bool) {
	for m := 1; m < len(s.guess); m++ {
		if h := int(s.guess[m]); h >= 0 && h != m {
			keep[h*(s.n+1)+m] = true
		}
	}
}
