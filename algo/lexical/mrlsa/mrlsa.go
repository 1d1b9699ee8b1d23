// Package mrlsa is the kind of multi-relational latent semantic analysis (Chang, Yih and Meek 2013):
// degrees of relations between words, from a thesaurus whose relations are slices of one tensor.
package mrlsa

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"parlance/algo/kind"
	"parlance/algo/option"
	"parlance/algo/text"
	"parlance/storage/value"
)

// Kind declares the kind.
func Kind() kind.Kind {
	return kind.Kind{
		Name: "mrlsa",
		Learns: "degrees of relations between words, from a thesaurus or WordNet: `sem.related('joy', " +
			"'antonym')`",
		Figures: "opposites of AntSynNET by WordNet: recall 79 % listed, 81 raw, 82 with `method = pilsa`, F1 " +
			"88, 82 and 84; members of classes: 41 % of MaxDiff answers listed, 44 by factors of four " +
			"relations",
		Revision: 1,
		Doc: "degrees of relations between words, such as synonym, antonym and hypernym, learned from a thesaurus by " +
			"factoring its relations together; also of pairs that it does not list",
		Paper: "Chang, Yih and Meek 2013; Yih, Zweig and Platt 2012",
		New:   func() kind.Model { return &model{} },
	}
}

// The methods.
const (
	byTucker = "tucker"
	byPILSA  = "pilsa"
	byLSA    = "lsa"
	byRaw    = "raw"
	byLookup = "lookup"
)

// Weightings by the frequency of words over rows.
const (
	jointIDF = "joint"
	sliceIDF = "slice"
	noIDF    = "none"
)

type model struct {
	kind.Base
	Words  []string `state:"words"`
	index  map[string]uint32
	Forms  []string `state:"forms"`                             // irregular ones, as (form, lemma, word) of the input tells
	FormOf []uint32 `state:"forms.words,len=Forms,below=Words"` // of each form the word
	lemmas map[string]uint32
	Rows   uint32    `state:"rows"`
	DF     []uint32  `state:"df,len=Words"`       // of each word the rows that list it under any relation
	IDF    []float64 `state:"idf,len=Words"`      // of each word under the pivot
	Slices []slice   `state:"slices"`             // the relations
	Pivot  int       `state:"pivot,below=Slices"` // among them
	degree scorer    // by method
	opt    options
}

// slice is a relation.
type slice struct {
	Name      string  `state:"names"`
	Symmetric bool    `state:"symmetric"`
	Scale     float64 `state:"scales,finite"`
	Nonzeros  int     `state:"nonzeros"`
}

type options struct {
	method, pivot, opposite, idf, init string
	rows, self, members, similar       string
	expand, lemma, align               string
	relations, symmetric, transitive   []string
	scales, inverses, senses           []string
	rank, sweeps, restarts             int
	tolerance                          float64
	smooth, rowNorm, foldIn            bool

	task, relation, forms string
	questions, candidates int
	seed                  int
}

// Options declares the options.
func (m *model) Options(s *option.Set) {
	o := &m.opt
	s.Choice(&o.method, "method", byTucker, []string{byTucker, byPILSA, byLSA, byRaw, byLookup},
		"tucker: all relations share both factors; pilsa: singular value decomposition of the pivot less the opposite; "+
			"lsa: of the sum of all; raw: no factors; lookup: only what is listed")
	s.List(&o.relations, "relations", nil, "relations that become slices, none: all of the input")
	s.List(&o.symmetric, "symmetric", []string{"synonym", "antonym"},
		"relations whose degree is the mean of both directions")
	s.Text(&o.pivot, "pivot", "synonym", "the synonymy relation (words with the same meaning)")
	s.Text(&o.opposite, "opposite", "antonym", "relation that pilsa gives negative values")
	s.List(&o.scales, "scales", nil, "factors of slices, such as ('hypernym=0.125', 'hyponym=0.125'); 1 where not given")
	s.List(&o.inverses, "inverses", []string{"hyponym=hypernym"}, "what a relation is the reverse of, name=other; it is "+
		"made of the other where relations names it and the input has none of the name")
	s.Choice(&o.rows, "rows", bySubject, []string{bySubject, bySynset, byAligned},
		"subject: a row for each subject; synset: a row for each synset with the words that are its members, for WordNet; "+
			"aligned: a row for each subject that is a word, joined with a synset of its own, and one for each synset left")
	s.Choice(&o.align, "align", alignBest, []string{alignBest, alignUnion},
		"synsets that the row of a word takes relations from, for rows = aligned: that which shares most words with the "+
			"entry; all that it is in")
	s.Choice(&o.self, "self", "all", []string{"all", "known", "none"},
		"subjects that stand in their own row under the pivot: all, those that are objects somewhere, none; for rows = "+
			"subject and aligned")
	s.Text(&o.members, "members", "synset", "relation from words to their synsets, for rows = synset and aligned")
	s.List(&o.senses, "senses", []string{"antonym=synset_antonym"}, "for rows = synset, relations between words with "+
		"the relation between synsets that tells which of their senses are meant, name=other; without one the "+
		"first senses are")
	s.Choice(&o.expand, "antonym_expand", expandSynset, []string{expandDirect, expandSynset, expandSimilar},
		"what a row of synsets takes of a relation between words: the word itself; the members of its synset; those of "+
			"similar synsets too, on both sides")
	s.Text(&o.similar, "similar", "similar_to", "relation between synsets that antonym_expand = similar follows")
	s.List(&o.transitive, "transitive", nil, "relations to which chains are added, such as (hypernym, hyponym): what a "+
		"hypernym is a kind of is a hypernym too; they take part in everything, lookup as well")
	s.Text(&o.lemma, "lemma", "lemma",
		"relation from irregular forms of words to the words, no slice; kept for forms = english")
	s.Choice(&o.idf, "idf", jointIDF, []string{jointIDF, sliceIDF, noIDF},
		"weight by rarity, ln(rows/frequency): frequencies over the symmetric relations together and over each other one; "+
			"over each slice; no weight")
	s.Bool(&o.smooth, "idf_smooth", false, "ln((rows+1)/frequency), so that a word of every row keeps a weight")
	s.Bool(&o.rowNorm, "row_norm", false, "rows, over all slices and after their factors, get length 1")
	s.Int(&o.rank, "rank", 300, 1, 4000, "dimensions of the factors, cut to what the data allows")
	s.Int(&o.sweeps, "sweeps", 50, 1, 100000, "sweeps over both factors at most")
	s.Float(&o.tolerance, "tolerance", 1e-4, 0, 1, "change of the fit, 1 − ‖W − X‖/‖W‖, at which training stops")
	s.Choice(&o.init, "init", "hosvd", []string{"hosvd", "random"}, "start from top eigenvectors, or from random factors")
	s.Int(&o.restarts, "restarts", 1, 1, 1000, "random starts, of which the best is kept")
	s.Choice(&o.forms, "forms", exactForms, []string{exactForms, englishForms},
		"how words are looked up, exact: as the model has them; english: else without capitals and hyphens, by the "+
			"irregular forms, without endings of English").In(option.Predict)
	s.Bool(&o.foldIn, "fold_in", false, "keeps the rows, so that the model also has fold(rows, relation): other words "+
		"by the degree to which they stand in the relation to one that it lacks and that the rows would list, such as "+
		"{\"synonym\": [\"good.a.01\"]}, the highest first")
	s.Choice(&o.task, "task", taskClosest, []string{taskClosest, taskOpposites, taskMaxDiff, taskPairs},
		"what EVALUATE reads: questions with candidates; pairs that questions are drawn from; rated pairs; pairs to "+
			"be told apart").In(option.Predict)
	s.Text(&o.relation, "relation", "antonym", "relation that EVALUATE asks for").In(option.Predict)
	s.Int(&o.questions, "questions", 100, 1, 1000000, "drawn of each category, for task = maxdiff without questions").In(
		option.Predict)
	s.Int(&o.candidates, "candidates", 5, 2, 1000, "of each question drawn, for task = opposites").In(option.Predict)
	s.Int(&o.seed, "draw", 1, 0, math.MaxInt32, "seed of the questions drawn").In(option.Predict)
	s.Check("scales", func() error { _, err := factors(o.scales); return err })
	s.Check("inverses", func() error { _, err := assignments("inverses", o.inverses); return err })
	s.Check("senses", func() error { _, err := assignments("senses", o.senses); return err })
	s.Check("fold_in", func() error {
		switch {
		case !o.foldIn:
		case o.method == byRaw || o.method == byLookup:
			return fmt.Errorf("fold_in is for methods with factors, not for method = %s", o.method)
		case o.rowNorm:
			return errors.New("fold_in does not know the length of rows that row_norm has changed; leave out one of both")
		}
		return nil
	})
	s.Check("restarts", func() error {
		if o.restarts > 1 && o.init != "random" {
			return fmt.Errorf("restarts = %d is for init = random", o.restarts)
		}
		return nil
	})
}

// assignments splits the texts name=value of an option.
func assignments(of string, list []string) ([][2]string, error) {
	var out [][2]string
	for _, x := range list {
		name, v, ok := strings.Cut(x, "=")
		name, v = strings.TrimSpace(name), strings.TrimSpace(v)
		if !ok || name == "" || v == "" {
			return nil, fmt.Errorf("option %s: '%s' has not the form 'name=value'", of, x)
		}
		if slices.ContainsFunc(out, func(a [2]string) bool { return a[0] == name }) {
			return nil, fmt.Errorf("option %s: %s is given twice", of, name)
		}
		out = append(out, [2]string{name, v})
	}
	return out, nil
}

// Schema tells that triples are read.
func (m *model) Schema() kind.Schema {
	s := kind.Schema{Tables: []kind.TableUse{triplesTable}, Scores: []kind.TableUse{scoreTable(m.opt.task)}}
	s.Relations = []kind.Relation{degreeRelation, relatedRelation, wordsRelation, relationsRelation}
	if m.opt.foldIn {
		s.Relations = append(s.Relations, foldRelation)
	}
	return s
}

var triplesTable = kind.TableUse{Name: "triples",
	Doc: "a subject is the head word or the sense of an entry, an object a word listed there under the relation",
	Columns: []kind.Column{
		{Name: "subject", Type: value.Text, Doc: "row"}, {Name: "relation", Type: value.Text, Doc: "slice"},
		{Name: "object", Type: value.Text, Doc: "word"},
		{Name: "weight", Type: value.Float, Optional: true, Doc: "how often the word is listed, 1 where NULL; not negative"},
		{Name: "truth", Type: value.Boolean, Optional: true, Doc: "rows that are false are left out"}}}

// Train reads triples, makes slices of them and factors those.
func (m *model) Train(ctx context.Context, t *kind.Training) error {
	d, forms, err := m.read(ctx, t.On)
	if err != nil {
		return err
	}
	w, err := m.weigh(d)
	if err != nil {
		return err
	}
	for k, s := range m.Slices {
		if s.Nonzeros == 0 {
			t.Notice(fmt.Sprintf("relation %s has no weight left: its words stand in every row", m.Slices[k].Name))
		}
	}
	if m.degree, err = m.build(ctx, d, w, t); err != nil {
		return err
	}
	m.ready()
	m.irregular(forms)
	if t.Score == nil {
		return nil
	}
	p := kind.Progress{Step: m.opt.sweeps, Of: m.opt.sweeps, Objective: math.NaN(), Note: "held out"}
	if p.HeldOut, p.Metric, err = t.Score(ctx, m); err == nil {
		t.Report(p)
	}
	return err
}

// ready indexes the words and their forms.
func (m *model) ready() {
	m.lemmas = make(map[string]uint32, len(m.Forms))
	for i, f := range m.Forms {
		m.lemmas[f] = m.FormOf[i]
	}
	m.index = make(map[string]uint32, len(m.Words))
	for i, w := range m.Words {
		m.index[w] = uint32(i)
	}
}

// Annotate writes nothing.
func (m *model) Annotate(ctx context.Context, _ []*text.Document, _ *kind.Run) error {
	return ctx.Err()
}

// word looks a word up.
func (m *model) word(w string) (uint32, error) {
	i, ok := m.find(w)
	if !ok {
		return 0, &kind.Unknown{What: "word", Name: w, Known: m.Words}
	}
	return i, nil
}

// relation looks a relation up.
func (m *model) relation(name string) (int, error) {
	var names []string
	for k, s := range m.Slices {
		if s.Name == name {
			return k, nil
		}
		names = append(names, s.Name)
	}
	return 0, &kind.Unknown{What: "relation", Name: name, Known: names, Note: "the model has " + strings.Join(names, ", ")}
}
