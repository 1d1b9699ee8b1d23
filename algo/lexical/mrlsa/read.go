package mrlsa

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"parlance/algo/kind"
	"parlance/algo/numeric/lowrank"
	"parlance/algo/option"
)

// What makes a row.
const (
	bySubject = "subject"
	bySynset  = "synset"
	byAligned = "aligned"
)

// alphabet numbers texts by first occurrence.
type alphabet struct {
	ids   map[string]uint32
	names []string
}

func newAlphabet() *alphabet { return &alphabet{ids: map[string]uint32{}} }

func (a *alphabet) id(name string) uint32 {
	i, ok := a.ids[name]
	if !ok {
		name = strings.Clone(name)
		i = uint32(len(a.names))
		a.ids[name], a.names = i, append(a.names, name)
	}
	return i
}

// data is words listed in rows under relations.
type data struct {
	rows, words *alphabet
	relations   []string
	cells       [][]lowrank.Entry // of each relation; rows of the tensor, words, frequencies
	heads       []uint32          // of each row the word that it is of, nobody for rows that are synsets
}

const nobody = math.MaxUint32

// triple is a row of the input.
type triple struct {
	subject, object uint32
	weight          float64
}

// thesaurus is the triples of the relations that are wanted.
type thesaurus struct {
	entities *alphabet
	names    []string // relations in the order of the input
	triples  map[string][]triple
}

// read makes rows of the triples, and returns words by their irregular forms.
func (m *model) read(ctx context.Context, in kind.Input) (*data, [][2]string, error) {
	inverses, err := assignments("inverses", m.opt.inverses)
	if err != nil {
		return nil, nil, err
	}
	r, err := m.triples(ctx, in, inverses)
	if err != nil {
		return nil, nil, err
	}
	forms := r.takeForms(m.opt.lemma)
	d := &data{rows: newAlphabet(), words: newAlphabet()}
	if d.relations, err = m.chosen(r, inverses); err != nil {
		return nil, nil, err
	}
	if err := m.close(ctx, r, d.relations, inverses); err != nil {
		return nil, nil, err
	}
	d.cells = make([][]lowrank.Entry, len(d.relations))
	switch m.opt.rows {
	case bySynset:
		err = m.synsets(ctx, r, d, inverses)
	case byAligned:
		err = m.aligned(ctx, r, d, inverses)
	default:
		m.subjects(r, d, inverses)
	}
	if err == nil && len(d.words.names) == 0 {
		err = fmt.Errorf("%w: no word is listed under a relation", kind.ErrNoData)
	}
	return d, forms, err
}

// triples reads what is true and of a wanted relation.
func (m *model) triples(ctx context.Context, in kind.Input, inverses [][2]string) (*thesaurus, error) {
	r := &thesaurus{entities: newAlphabet(), triples: map[string][]triple{}}
	table, ok := in.Table(triplesTable.Name)
	if !ok {
		return nil, fmt.Errorf("%w: there are no triples", kind.ErrNoData)
	}
	n := 0
	for row, err := range table.Rows(ctx) {
		if err != nil {
			return nil, err
		}
		if n++; n&0xfff == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		subject, relation, object, weight := row[0].S, row[1].S, row[2].S, 1.0
		if row[0].IsNull() || row[1].IsNull() || row[2].IsNull() || !row[4].IsNull() && !row[4].Bool() {
			continue
		}
		if !row[3].IsNull() {
			weight = row[3].Float()
		}
		if !(weight >= 0) || math.IsInf(weight, 0) {
			return nil, fmt.Errorf("row %d of the triples, (%s, %s, %s), has weight %v; weights are 0 or more", n, subject,
				relation, object, weight)
		}
		if r.triples[relation] == nil {
			relation = strings.Clone(relation)
			r.names, r.triples[relation] = append(r.names, relation), []triple{}
		}
		if weight > 0 && m.wants(relation, inverses) {
			r.triples[relation] = append(r.triples[relation], triple{r.entities.id(subject), r.entities.id(object), weight})
		}
	}
	if len(r.names) == 0 {
		return nil, fmt.Errorf("%w: there are no triples", kind.ErrNoData)
	}
	return r, ctx.Err()
}

// wants reports whether the triples of a relation are read.
func (m *model) wants(relation string, inverses [][2]string) bool {
	if len(m.opt.relations) == 0 || slices.Contains(m.opt.relations, relation) {
		return true
	}
	if relation == m.opt.lemma || m.opt.rows != bySubject && (relation == m.opt.members || relation == m.opt.similar ||
		m.isPartner(relation)) {
		return true
	}
	return slices.ContainsFunc(inverses, func(p [2]string) bool {
		return p[1] == relation && slices.Contains(m.opt.relations, p[0])
	})
}

// chosen returns the relations that become slices, in the order of the option or of the input.
func (m *model) chosen(r *thesaurus, inverses [][2]string) ([]string, error) {
	has := slices.Clone(r.names)
	if m.opt.rows != bySubject {
		if r.triples[m.opt.members] == nil {
			return nil, fmt.Errorf("%w: rows = %s wants triples (word, %s, synset); the input has the relations %s",
				kind.ErrNoData, m.opt.rows, m.opt.members, strings.Join(r.names, ", "))
		}
		has = slices.DeleteFunc(has, func(x string) bool { return x == m.opt.members || x == m.opt.pivot || m.isPartner(x) })
		has = slices.Insert(has, 0, m.opt.pivot)
	}
	out := m.opt.relations
	if len(out) == 0 {
		if out = has; m.opt.method == byPILSA {
			out = []string{m.opt.pivot, m.opt.opposite}
		}
	}
	for _, p := range inverses {
		if slices.Contains(r.names, p[1]) && !slices.Contains(has, p[0]) {
			has = append(slices.Clip(has), p[0])
		}
	}
	for i, name := range out {
		if slices.Contains(out[:i], name) {
			return nil, fmt.Errorf("option relations: %s is given twice", name)
		}
		switch {
		case slices.Contains(has, name):
		case len(m.opt.relations) == 0:
			return nil, fmt.Errorf("%w: the input has no relation %s; it has %s", kind.ErrNoData, name, strings.Join(has, ", "))
		default:
			return nil, fmt.Errorf("option relations: the input has no relation %s%s; it has %s", name,
				option.DidYouMean(name, has), strings.Join(has, ", "))
		}
	}
	if !slices.Contains(out, m.opt.pivot) {
		return nil, fmt.Errorf("option pivot: %s is none of the relations %s%s", m.opt.pivot, strings.Join(out, ", "),
			option.DidYouMean(m.opt.pivot, out))
	}
	if m.opt.method == byPILSA && (len(out) != 2 || !slices.Contains(out, m.opt.opposite)) {
		return nil, fmt.Errorf("method = pilsa has the relations %s and %s, not %s", m.opt.pivot, m.opt.opposite,
			strings.Join(out, ", "))
	}
	return out, nil
}

// of returns the triples of a relation, those of its inverse turned round if it has none.
func (r *thesaurus) of(relation string, inverses [][2]string) []triple {
	if list := r.triples[relation]; list != nil {
		return list
	}
	for _, p := range inverses {
		if p[0] == relation {
			var out []triple
			for _, t := range r.triples[p[1]] {
				out = append(out, triple{t.object, t.subject, t.weight})
			}
			return out
		}
	}
	return nil
}

// subjects makes a row of each subject.
func (m *model) subjects(r *thesaurus, d *data, inverses [][2]string) {
	for k, relation := range d.relations {
		for _, t := range r.of(relation, inverses) {
			row, word := d.rows.id(r.entities.names[t.subject]), d.words.id(r.entities.names[t.object])
			d.cells[k] = append(d.cells[k], lowrank.Entry{Row: row, Col: word, Value: t.weight})
		}
	}
	m.heads(d)
}

// heads finds the words that rows are of, and lists them in their own rows under the pivot.
func (m *model) heads(d *data) {
	pivot := slices.Index(d.relations, m.opt.pivot)
	self := map[uint32]bool{} // rows that list their subject
	for _, c := range d.cells[pivot] {
		if d.rows.names[c.Row] == d.words.names[c.Col] {
			self[c.Row] = true
		}
	}
	for i, name := range d.rows.names {
		word, known := d.words.ids[name]
		if !known && m.opt.self == "all" {
			word, known = d.words.id(name), true
		}
		if known && m.opt.self != "none" && !self[uint32(i)] {
			d.cells[pivot] = append(d.cells[pivot], lowrank.Entry{Row: uint32(i), Col: word, Value: 1})
		}
		if !known {
			word = nobody
		}
		d.heads = append(d.heads, word)
	}
}
