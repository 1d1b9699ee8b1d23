// Package crfpp reads and writes models of CRF++ as text, as crf_learn -t writes them (model version 100): a head, the
// labels, the templates, a dictionary of features and the weights, parted by empty lines.
package crfpp

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"parlance/algo/foreign"
	"parlance/algo/option"
	"parlance/algo/seq/external"
)

// Format declares the format.
func Format() foreign.Format {
	return foreign.Format{Name: "crfpp", Doc: "CRF++, the text that crf_learn -t writes beside its model: crf over the " +
		"columns that the templates name", New: func() foreign.Reader { return &reader{} }, Write: write}
}

type reader struct {
	foreign.Tagger
	lines     *foreign.Lines
	maxID     int // number of weights
	xsize     int // columns that templates read
	version   int
	labels    []string
	templates []string
	ids       []int // of the features, into the weights
	names     []string
}

// Options declares the options.
func (r *reader) Options(s *option.Set) { r.Declare(s, "form", "xpos") }

const wanted = "the text that crf_learn -t writes beside the model, which begins with version: 100"

// Read reads a text model.
func (r *reader) Read(ctx context.Context, f *foreign.File) (*foreign.Model, error) {
	r.lines = foreign.NewLines(ctx, f.Data)
	for _, part := range []func() error{r.head, r.readLabels, r.readTemplates, r.dictionary} {
		if err := part(); err != nil {
			return nil, err
		}
	}
	head := external.Head{Notation: external.CRFPP, Columns: r.Columns(), Templates: r.templates}
	b, err := external.NewBuilder(head, r.labels)
	if err != nil {
		return nil, foreign.Faultf("", "%v", err)
	}
	if err := r.features(b); err != nil {
		return nil, err
	}
	return r.Model(b, fmt.Sprintf("CRF++, model version %d", r.version))
}

// head reads lines name: value up to the empty line. cost-factor is of the training, not of the model: crf_test takes
// its own.
func (r *reader) head() error {
	found := map[string]bool{}
	for {
		line, err := r.lines.Want("the labels")
		if err != nil {
			return err
		}
		if len(line) == 0 {
			break
		}
		name, v, ok := strings.Cut(line, ": ")
		if !ok || r.lines.Line() == 1 && name != "version" {
			return r.lines.Faultf(wanted, "%q is no line of the head of a text model of CRF++", foreign.Short(line))
		}
		found[name] = true
		switch name {
		case "version":
			r.version, err = r.lines.Number(v, "version", 100, 100)
		case "maxid":
			r.maxID, err = r.lines.Number(v, "number of weights", 0, r.lines.Left()/2)
		case "xsize":
			r.xsize, err = r.lines.Number(v, "number of columns", 0, 1<<16)
		}
		if err != nil {
			return err
		}
	}
	for _, name := range []string{"version", "maxid", "xsize"} {
		if !found[name] {
			return r.lines.Faultf(wanted, "the head has no line %s", name)
		}
	}
	return nil
}

// block reads the lines up to an empty one.
func (r *reader) block(what, next string) (out []string, err error) {
	for {
		line, err := r.lines.Want(next)
		if err != nil {
			return nil, err
		}
		if len(line) == 0 {
			if out == nil {
				return nil, r.lines.Faultf("", "there are no %s", what)
			}
			return out, nil
		}
		out = append(out, line)
	}
}

func (r *reader) readLabels() (err error) {
	r.labels, err = r.block("labels", "the templates")
	return err
}

func (r *reader) readTemplates() (err error) {
	first := r.lines.Line() + 1
	if r.templates, err = r.block("templates", "the dictionary of features"); err != nil {
		return err
	}
	for i, s := range r.templates {
		if err := external.CheckTemplate(external.CRFPP, s); err != nil {
			return &foreign.Error{Line: first + i, Offset: -1, Msg: err.Error(),
				Hint: "such as U05:%x[-1,0]/%x[0,0]; with another % CRF++ itself labels no sentence"}
		}
		if n := external.TemplateColumns(external.CRFPP, s); n > r.xsize {
			return &foreign.Error{Line: first + i, Offset: -1,
				Msg: fmt.Sprintf("the template %s reads column %d, and xsize is %d", s, n-1, r.xsize)}
		}
	}
	return nil
}

// dictionary reads lines id feature; an id is the place of the feature's first weight.
func (r *reader) dictionary() error {
	for owned := 0; ; {
		line, err := r.lines.Want("the weights")
		if err != nil {
			return err
		}
		if len(line) == 0 {
			return nil
		}
		id, name, ok := strings.Cut(line, " ")
		if !ok || len(name) == 0 || name[0] != 'U' && name[0] != 'B' {
			return r.lines.Faultf("an id, a blank and a feature, such as 22 U00:the", "%q is no feature", foreign.Short(line))
		}
		size := len(r.labels)
		if name[0] == 'B' {
			size *= len(r.labels)
		}
		n, err := r.lines.Number(id, "id of a feature", 0, r.maxID-size)
		if err != nil {
			return err
		}
		if owned += size; owned > r.maxID { // so that memory is bounded by the file
			return r.lines.Faultf("", "the features up to here have more weights than maxid, %d", r.maxID)
		}
		r.ids, r.names = append(r.ids, n), append(r.names, name)
		if err := r.lines.Ended(); err != nil {
			return err
		}
	}
}

// features hands the features on with their weights, in the order of these, so that no more of them is in memory than
// those of a feature. Weights that no feature has are passed over.
func (r *reader) features(b *external.Builder) error {
	order := make([]int, len(r.ids))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, k int) int { return cmp.Or(cmp.Compare(r.ids[i], r.ids[k]), cmp.Compare(i, k)) })
	constant, others := external.Constants(external.CRFPP, r.templates)
	l := len(r.labels)
	var pairs []uint32
	var w []float64 // those from a place on
	first := 0
	for _, i := range order {
		name, size := r.names[i], l
		if name[0] == 'B' {
			size = l * l
		}
		if skip := r.ids[i] - first; skip < len(w) {
			w = append(w[:0], w[skip:]...)
		} else if err := r.pass(first+len(w), r.ids[i]); err != nil {
			return err
		} else {
			w = w[:0]
		}
		first = r.ids[i]
		for len(w) < size {
			v, err := r.weight(first + len(w))
			if err != nil {
				return err
			}
			w = append(w, v)
		}
		if name[0] == 'U' {
			if err := b.Unigram(name, w[:l]); err != nil {
				return foreign.Faultf("", "%v", err)
			}
			continue
		}
		for len(pairs) < l*l {
			pairs = append(pairs, uint32(len(pairs)))
		}
		for range constant[name] {
			b.Transitions(pairs, w[:l*l])
		}
		if others {
			b.Bigram(name, pairs, w[:l*l])
		}
	}
	if err := r.pass(first+len(w), r.maxID); err != nil {
		return err
	}
	return r.end()
}

// pass reads the weights from one on up to another, which are of no feature.
func (r *reader) pass(from, to int) error {
	for ; from < to; from++ {
		if _, err := r.weight(from); err != nil {
			return err
		}
	}
	return nil
}

// weight reads weight i.
func (r *reader) weight(i int) (float64, error) {
	line, ok := r.lines.Next()
	if !ok || len(line) == 0 {
		return 0, r.lines.Ends(fmt.Sprintf("weight %d of %d", i+1, r.maxID))
	}
	v, err := r.lines.Weight(line)
	if err == nil {
		err = r.lines.Ended()
	}
	return v, err
}

// end refuses what follows the weights.
func (r *reader) end() error {
	for {
		line, ok := r.lines.Next()
		if !ok {
			return nil
		}
		if len(line) > 0 {
			return r.lines.Faultf("", "%q follows the last of the %d weights", foreign.Short(line), r.maxID)
		}
	}
}
