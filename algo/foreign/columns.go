package foreign

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"parlance/algo/option"
	"parlance/algo/seq/bio"
	"parlance/algo/seq/external"
	"parlance/storage/value"
)

// Tagger is the options of readers of chains, and what follows from them.
type Tagger struct {
	layer   string
	columns []string
}

// Declare declares the options layer and columns; def are the columns of the files where none are named.
func (t *Tagger) Declare(s *option.Set, def ...string) {
	s.Layer(&t.layer, "layer", "", "layer of spans or column of tokens that the labels become; left out, entities for "+
		"labels such as B-PER, else xpos")
	if def != nil {
		s.List(&t.columns, "columns", def, "what the columns of the files hold that templates read, from column 0 on: "+
			strings.Join(external.ColumnNames(), ", ")+"; _ for one that no template reads. Layers of spans are read as BIO "+
			"labels, missing values as _")
	}
}

// Columns are the names of the columns.
func (t *Tagger) Columns() []string { return t.columns }

// Kind is the kind that serves chains.
const Kind = "crf"

// Model makes the model of a file.
func (t *Tagger) Model(b *external.Builder, program string) (*Model, error) {
	m, err := b.Model()
	var template *external.TemplateError
	if errors.As(err, &template) {
		return nil, Faultf("name the columns of the tool's files: WITH (columns = (form, xpos, …))", "%v", template)
	}
	if err != nil {
		return nil, Faultf("", "%v", err)
	}
	out := &Model{Kind: Kind, Program: program, Encode: m.Encode}
	layer, scheme := t.layer, schemeOf(b.Labels)
	if layer == "" {
		if layer = "entities"; scheme == "" {
			layer = "xpos"
		}
		out.Notices = append(out.Notices, fmt.Sprintf("the labels, such as %s, become %s; WITH (layer = …) says otherwise",
			sample(b.Labels), layer))
	}
	out.Options = []option.Arg{text("layer", layer)}
	if slices.Contains(spanLayers(), layer) {
		if scheme == "" {
			return nil, Faultf("name a column of tokens: WITH (layer = 'xpos')",
				"the labels, such as %s, are no marks B-, I-, E-, S- or O of spans, and %s holds spans", sample(b.Labels), layer)
		}
		out.Options = append(out.Options, text("scheme", scheme), text("constrained", "false"))
	}
	for _, use := range m.Reads() {
		if use.Layer == layer || use.Layer == "tokens" && slices.Contains(use.Columns, layer) {
			return nil, Faultf("name another layer: WITH (layer = …)", "the templates read %s, which the model writes", layer)
		}
	}
	return out, nil
}

func text(name, v string) option.Arg { return option.Arg{Name: name, Value: value.Str(v)} }

func spanLayers() []string {
	var out []string
	for _, n := range external.ColumnNames() {
		if external.IsSpans(n) {
			out = append(out, n)
		}
	}
	return out
}

func sample(labels []string) string { return strings.Join(labels[:min(3, len(labels))], ", ") }

// schemeOf is the scheme of labels of spans, "" for other labels.
func schemeOf(labels []string) string {
	scheme := string(bio.BIO)
	for _, l := range labels {
		mark, what, marked := strings.Cut(l, "-")
		switch {
		case !marked && mark == bio.Outside:
		case !marked || what == "" || !strings.Contains("BIES", mark) || len(mark) != 1:
			return ""
		case mark == "E" || mark == "S":
			scheme = string(bio.IOBES)
		}
	}
	return scheme
}
