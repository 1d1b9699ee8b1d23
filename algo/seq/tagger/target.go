// Package tagger is what kinds that label tokens share: the layer that is learned, data for
// training, layers of results, and their weights as relations.
package tagger

import (
	"fmt"
	"strings"

	"parlance/algo/kind"
	"parlance/algo/option"
	"parlance/algo/seq/bio"
	"parlance/algo/text"
)

// Target is what a model labels: spans of a layer, or a column of tokens.
type Target struct {
	Layer  *text.LayerDef // text.Tokens for a column
	Column string         // "" for spans
	Scheme bio.Scheme     // of spans
}

var columns = []string{"lemma", "upos", "xpos", "feats"}

// NewTarget resolves the name of a span layer or of a token column.
func NewTarget(name string, scheme bio.Scheme) (Target, error) {
	var known []string
	for _, c := range columns {
		if c == name {
			return Target{Layer: text.Tokens, Column: name}, nil
		}
	}
	for _, d := range text.Builtin {
		if !d.Spans {
			continue
		}
		if d.Name == name {
			return Target{Layer: d, Scheme: scheme}, nil
		}
		known = append(known, d.Name)
	}
	known = append(known, columns...)
	return Target{}, fmt.Errorf("%q is no layer of spans or column of tokens%s; it is one of %s", name,
		option.DidYouMean(name, known), strings.Join(known, ", "))
}

// OfSpans says that options have an effect only where the option layer names spans.
func OfSpans(s *option.Set, names string) {
	s.Except(names, "layer", append([]string{text.Labels.Name, text.Dependencies.Name}, columns...)...)
}

// Spans reports whether the target is spans.
func (t Target) Spans() bool { return t.Column == "" }

// Use is the layer, and the column, that is learned and written.
func (t Target) Use() kind.LayerUse {
	if t.Spans() {
		return kind.LayerUse{Layer: t.Layer.Name}
	}
	return kind.LayerUse{Layer: "tokens", Columns: []string{t.Column}}
}

// Ranked lists the layer if n best labellings of it are given, which is so of spans.
func (t Target) Ranked() []string {
	if t.Spans() {
		return []string{t.Layer.Name}
	}
	return nil
}

// DefaultFeatures is the built-in feature set that suits the target.
func (t Target) DefaultFeatures() string {
	switch {
	case !t.Spans():
		return "pos"
	case t.Layer == text.Chunks:
		return "chunk"
	}
	return "ner"
}

// DefaultFeatures is the built-in feature set that suits a layer or column by its name, that of
// documents for labels.
func DefaultFeatures(name, documents string) string {
	if name == text.Labels.Name {
		return documents
	}
	t, err := NewTarget(name, bio.BIO)
	if err != nil {
		return ""
	}
	return t.DefaultFeatures()
}

// Gold appends the labels of a sentence to dst: rows [from, to) of the document's tokens.
// ok is false where a token has no label.
func (t Target) Gold(dst []string, d *text.Document, sent int, from, to int32,
	spans []text.Span) (labels []string, overlapping int, ok bool) {
	if t.Spans() {
		labels, overlapping = t.Scheme.Encode(dst, int(to-from), spans)
		return labels, overlapping, true
	}
	labels = dst[:0]
	all := d.Layer("tokens").Strs(t.Column)
	if all == nil {
		return labels, 0, false
	}
	for _, l := range all[from:to] {
		if l == "" {
			return labels, 0, false
		}
		labels = append(labels, l)
	}
	return labels, 0, true
}
