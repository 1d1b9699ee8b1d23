// Package wapiti reads models of Wapiti, which are text: a head, patterns, labels and observations as netstrings, and
// the weights that are not 0 by their index.
package wapiti

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"parlance/algo/foreign"
	"parlance/algo/option"
	"parlance/algo/seq/external"
)

// Format declares the format.
func Format() foreign.Format {
	return foreign.Format{Name: "wapiti", Doc: "Wapiti, with patterns, of the types maxent, memm and crf: crf over " +
		"the columns that the patterns name", New: func() foreign.Reader { return &reader{} }, Write: write}
}

type reader struct {
	foreign.Tagger
	lines        *foreign.Lines
	kind         int // of maxent, memm and crf
	active       int // weights that are not 0
	patterns     []string
	labels       []string
	observations []string
	weights      []weight // by rising index
}

type weight struct {
	index int64
	value float64
}

// The types of models, as the head numbers them.
const (
	maxent = iota
	memm
	crfType
)

// Options declares the options.
func (r *reader) Options(s *option.Set) { r.Declare(s, "form", "xpos") }

const wanted = "a model that wapiti train has written, which begins with #mdl#"

// Read reads a model.
func (r *reader) Read(ctx context.Context, f *foreign.File) (*foreign.Model, error) {
	r.lines = foreign.NewLines(ctx, f.Data)
	for _, part := range []func() error{r.head, r.readPatterns, r.readLabels, r.readObservations, r.readWeights} {
		if err := part(); err != nil {
			return nil, err
		}
	}
	b, err := external.NewBuilder(external.Head{Notation: external.Wapiti, Columns: r.Columns(), Templates: r.patterns,
		Local: r.kind == memm}, r.labels)
	if err != nil {
		return nil, foreign.Faultf("", "%v", err)
	}
	if err := r.features(b); err != nil {
		return nil, err
	}
	return r.Model(b, "Wapiti, a model of type "+[]string{"maxent", "memm", "crf"}[r.kind])
}

// head reads #mdl#type#weights, or #mdl#weights of older versions, whose type is maxent.
func (r *reader) head() error {
	line, err := r.lines.Want("the head")
	if err != nil {
		return err
	}
	rest, ok := strings.CutPrefix(line, "#mdl#")
	if !ok {
		return r.lines.Faultf(wanted, "%q is no head of a model", foreign.Short(line))
	}
	if kind, n, two := strings.Cut(rest, "#"); two {
		if r.kind, err = r.lines.Number(kind, "type of a model", maxent, crfType); err != nil {
			return err
		}
		rest = n
	}
	r.active, err = r.lines.Number(rest, "number of weights", 0, r.lines.Left()/4)
	return err
}

// readPatterns reads #rdr#patterns/columns/automatic and the patterns.
func (r *reader) readPatterns() error {
	line, err := r.lines.Want("the line #rdr#")
	if err != nil {
		return err
	}
	rest, ok := strings.CutPrefix(line, "#rdr#")
	parts := strings.Split(rest, "/")
	if !ok || len(parts) < 2 || len(parts) > 3 {
		return r.lines.Faultf("such as #rdr#19/1/0", "%q does not say how many patterns there are", foreign.Short(line))
	}
	n, err := r.lines.Number(parts[0], "number of patterns", 0, r.lines.Left()/4)
	if err != nil {
		return err
	}
	if n == 0 {
		return r.lines.Faultf("train it with patterns: wapiti train -p patterns",
			"the model has no patterns: its features are raw, and nothing says how they are made")
	}
	for range n {
		s, err := r.netstring("a pattern")
		if err == nil {
			if fault := external.CheckTemplate(external.Wapiti, s); fault != nil {
				err = r.lines.Faultf(`such as u05:%x[-1,0] or *:%m[0,0,"\u*$"]`, "%v", fault)
			}
		}
		if err != nil {
			return err
		}
		r.patterns = append(r.patterns, s)
	}
	return nil
}

// netstring reads length:text, and the end of the line.
func (r *reader) netstring(what string) (string, error) {
	digits := 0
	for ; digits < 12; digits++ {
		if b, ok := r.lines.Peek(digits); !ok {
			return "", r.lines.Ends(what)
		} else if b < '0' || b > '9' {
			break
		}
	}
	number, _ := r.lines.Take(digits)
	n, err := strconv.Atoi(number)
	colon, ok := r.lines.Take(1)
	if err != nil || !ok || colon != ":" {
		return "", r.lines.NextFaultf("a length, a colon, a text of that many bytes and a comma, such as 3:u01,",
			"%s does not begin with its length", what)
	}
	s, ok := r.lines.Take(n)
	if !ok {
		return "", r.lines.NextFaultf("the file was cut short, or the length is wrong",
			"%s of %d bytes, and the file has %d more", what, n, r.lines.Left())
	}
	if end, ok := r.lines.Take(2); !ok || end != ",\n" {
		return "", r.lines.NextFaultf("the length counts bytes", "%s of %d bytes is not followed by a comma and the end of "+
			"the line", what, n)
	}
	return s, nil
}

// list reads #qrk#number and that many netstrings.
func (r *reader) list(what string) ([]string, error) {
	line, err := r.lines.Want("the " + what + "s")
	if err != nil {
		return nil, err
	}
	rest, ok := strings.CutPrefix(line, "#qrk#")
	if !ok {
		return nil, r.lines.Faultf("such as #qrk#22", "%q does not say how many %ss there are", foreign.Short(line), what)
	}
	n, err := r.lines.Number(rest, "number of "+what+"s", 0, r.lines.Left()/4)
	if err != nil {
		return nil, err
	}
	out := make([]string, n)
	for i := range out {
		if out[i], err = r.netstring("a " + what); err == nil {
			err = r.lines.Ended()
		}
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

func (r *reader) readLabels() (err error) {
	r.labels, err = r.list("label")
	return err
}

func (r *reader) readObservations() (err error) {
	if r.observations, err = r.list("observation"); err != nil {
		return err
	}
	for _, s := range r.observations {
		if s == "" || !strings.ContainsRune("ub*", rune(s[0])) {
			return r.lines.Faultf("", "the observation %q begins with none of u, b and *", foreign.Short(s))
		}
	}
	return nil
}

// readWeights reads lines index=weight.
func (r *reader) readWeights() error {
	r.weights = make([]weight, 0, r.active)
	for range r.active {
		line, ok := r.lines.Next()
		if !ok {
			return r.lines.Ends(fmt.Sprintf("weight %d of %d", len(r.weights)+1, r.active))
		}
		index, v, ok := strings.Cut(line, "=")
		if !ok {
			return r.lines.Faultf("index=weight, such as 17=0x1.08p-5", "%q is no weight", foreign.Short(line))
		}
		i, err := r.lines.Number(index, "index of a weight", 0, math.MaxInt)
		if err != nil {
			return err
		}
		w, err := r.lines.Weight(v)
		if err == nil {
			err = r.lines.Ended()
		}
		if err != nil {
			return err
		}
		r.weights = append(r.weights, weight{int64(i), w})
	}
	if line, ok := r.lines.Next(); ok && line != "" {
		return r.lines.Faultf("", "%q follows the last of the %d weights", foreign.Short(line), r.active)
	}
	slices.SortStableFunc(r.weights, func(a, b weight) int { return int(min(1, max(-1, a.index-b.index))) })
	for i := 1; i < len(r.weights); i++ {
		if r.weights[i].index == r.weights[i-1].index {
			return foreign.Faultf("", "the weight %d comes twice", r.weights[i].index)
		}
	}
	return nil
}

// take removes the weights with an index below end, and returns them by their distance from start.
func (r *reader) take(start, end int64) (at []uint32, values []float64) {
	n := 0
	for ; n < len(r.weights) && r.weights[n].index < end; n++ {
		at = append(at, uint32(r.weights[n].index-start))
		values = append(values, r.weights[n].value)
	}
	r.weights = r.weights[n:]
	return at, values
}

// features hands the observations on with their weights: u has one for each label, b one for each pair of labels, and *
// first the former, then the latter.
func (r *reader) features(b *external.Builder) error {
	constant, others := external.Constants(external.Wapiti, r.patterns)
	l, next := int64(len(r.labels)), int64(0)
	for _, name := range r.observations {
		if name[0] != 'b' {
			at, values := r.take(next, next+l)
			labels := make([]uint16, len(at))
			for i, y := range at {
				labels[i] = uint16(y)
			}
			if err := b.Labelled(name, labels, values); err != nil {
				return foreign.Faultf("", "%v", err)
			}
			next += l
		}
		if name[0] != 'u' {
			at, values := r.take(next, next+l*l)
			for range constant[name] {
				b.Transitions(at, values)
			}
			if others {
				b.Bigram(name, at, values)
			}
			next += l * l
		}
	}
	if len(r.weights) > 0 {
		return foreign.Faultf("", "the weight %d belongs to no observation: all together have %d", r.weights[0].index, next)
	}
	return nil
}
