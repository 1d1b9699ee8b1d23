package relation

import (
	"context"
	"slices"

	"parlance/algo/feature/place"
	"parlance/algo/kind"
	"parlance/algo/option"
	"parlance/algo/text"
	"parlance/query/ast"
	"parlance/query/bind"
	"parlance/query/exec"
	"parlance/query/fault"
	"parlance/query/operator"
	"parlance/query/optarg"
	"parlance/query/plan"
	"parlance/storage/value"
)

// pairFunction is pair_features(corpus, doc, …), the features of a set over two mentions for the pairs of a document.
var pairFunction = corpusFunction{
	bind.CorpusFunction{Name: "pair_features",
		Doc: "what a feature set over two mentions makes of the pairs of mentions of a document, each with those before it",
		Args: []kind.Arg{{Name: "document", Type: value.Text, Doc: "its id"},
			{Name: "mention", Type: value.Integer, Optional: true, Doc: "number of the later mention; without it all"},
			{Name: "antecedent", Type: value.Integer, Optional: true, Doc: "number of the earlier mention; without it all"}},
		Columns: exec.Columns("antecedent:int mention:int antecedent_text mention_text template value")},
	func() *option.Set { return &newPairOptions().Set },
	func(r *exec.Execution, n *plan.Relation, args []value.Value) (operator.Operator, error) {
		return pairFeatures(r, n, args)
	},
}

// newPairOptions are the options of pair_features.
func newPairOptions() *placeOptions {
	o := &placeOptions{}
	o.Set.Features(&o.sets, "set", "coref", "feature set over two mentions, the earlier one first, or templates")
	return o
}

// pairRows yields the features of the pairs of a document, mention by mention.
type pairRows struct {
	columns   []plan.Column
	open      func(ctx context.Context) (*text.Document, error)
	set       *place.Set
	resources kind.Resources
	mention   value.Value // whose pairs are listed; NULL for all mentions
	earlier   value.Value

	x       *place.Extractor
	doc     *text.Document
	layer   *text.Layer
	order   []int // rows of the mentions that have tokens, in reading order
	at      int   // in order
	batches *operator.Rows
}

// pairFeatures opens pair_features(corpus, document, mention, antecedent).
func pairFeatures(r *exec.Execution, n *plan.Relation, values []value.Value) (operator.Operator, error) {
	args, err := optarg.Args(n.Options, r.Env)
	if err != nil {
		return nil, err
	}
	o := newPairOptions()
	if err := o.Set.Apply(args); err != nil {
		return nil, optarg.AtOption(err, n.Options)
	}
	set, err := placeSet(r, o.sets)
	if err != nil {
		return nil, fault.At(optarg.Position(n.Options, "set", ast.Pos{}), err)
	}
	if p := set.Places(); len(p) != 2 || p[0].Type != "mention" || p[1].Type != "mention" {
		return nil, fault.At(optarg.Position(n.Options, "set", n.Pos),
			fault.Invalid("pair_features takes a set over two mentions, such as over (n mention, m mention); this one is %s",
				set.Header()))
	}
	if values[0].IsNull() {
		return operator.NewRows(n.Columns(), nil), nil
	}
	return &pairRows{columns: n.Columns(), set: set, resources: r.Resources(), mention: values[1], earlier: values[2],
		open: func(ctx context.Context) (*text.Document, error) {
			d, err := documentOf(r, ctx, n.Corpus, values[0].S, set)
			return d, fault.At(n.Pos, err)
		}}, nil
}

// begin reads the document.
func (o *pairRows) begin(ctx context.Context) (err error) {
	if o.doc, err = o.open(ctx); err != nil {
		return err
	}
	if o.x, err = place.NewExtractor(o.set, o.resources); err != nil {
		return fault.Invalid("%v", err)
	}
	if err := o.x.Bind(ctx, o.doc); err != nil {
		return err
	}
	o.layer = o.doc.Layer(text.Mentions.Name)
	if o.layer == nil {
		o.layer = text.NewLayer(text.Mentions)
	}
	sent, first, last := o.layer.Ints("sent"), o.layer.Ints("tok_start"), o.layer.Ints("tok_end")
	for i := range o.layer.N {
		if sent[i] > 0 && first[i] > 0 {
			o.order = append(o.order, i)
		}
	}
	slices.SortStableFunc(o.order, func(a, b int) int {
		switch {
		case sent[a] != sent[b]:
			return int(sent[a] - sent[b])
		case first[a] != first[b]:
			return int(first[a] - first[b])
		}
		return int(last[b] - last[a])
	})
	for _, v := range []value.Value{o.mention, o.earlier} {
		if !v.IsNull() && !slices.ContainsFunc(o.order, func(row int) bool { return o.number(row) == v.Int() }) {
			return fault.Invalid("%s has no mention %d with tokens; it has %d", o.doc.ID, v.Int(), len(o.order))
		}
	}
	return nil
}

func (o *pairRows) number(row int) int64 { return int64(o.layer.Ints("mention")[row]) }

// Next yields rows of the next mention with pairs.
func (o *pairRows) Next(ctx context.Context) (*value.Batch, error) {
	if o.x == nil {
		if err := o.begin(ctx); err != nil {
			return nil, err
		}
	}
	for {
		if o.batches != nil {
			if b, err := o.batches.Next(ctx); b != nil || err != nil {
				return b, err
			}
		}
		if o.at == len(o.order) {
			return nil, ctx.Err()
		}
		rows, err := o.pairs(ctx, o.at)
		if err != nil {
			return nil, err
		}
		o.at++
		o.batches = operator.NewRows(o.columns, rows)
	}
}

// pairs makes the rows of a mention with those before it.
func (o *pairRows) pairs(ctx context.Context, at int) (rows [][]value.Value, err error) {
	m := o.order[at]
	if !o.mention.IsNull() && o.number(m) != o.mention.Int() {
		return nil, ctx.Err()
	}
	covered := func(row int) value.Value {
		return value.Str(o.doc.Text[o.layer.Ints("char_start")[row]:o.layer.Ints("char_end")[row]])
	}
	var f place.Found
	for _, n := range o.order[:at] {
		if !o.earlier.IsNull() && o.number(n) != o.earlier.Int() {
			continue
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		f.Reset()
		if err := o.x.Extract([]place.Ref{place.Row(n), place.Row(m)}, &f); err != nil {
			return nil, fault.Invalid("%v", err)
		}
		templates, values := o.x.Names(&f)
		for i := range templates {
			rows = append(rows, []value.Value{value.Int(o.number(n)), value.Int(o.number(m)), covered(n), covered(m),
				value.Str(templates[i]), value.Str(values[i])})
		}
	}
	return rows, nil
}

func (o *pairRows) Close() error { return nil }
