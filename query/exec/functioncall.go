package exec

import (
	"context"
	"errors"
	"fmt"

	"parlance/algo/extract"
	"parlance/algo/segment"
	"parlance/algo/text"
	"parlance/query/bind"
	"parlance/query/document"
	"parlance/query/expr"
	"parlance/query/fault"
	"parlance/query/fn"
	"parlance/query/models"
	"parlance/query/parallel"
	"parlance/query/plan"
	"parlance/storage/documents"
	"parlance/storage/value"
)

// functionCall computes the rows of a table function, such as kwic, from documents.
type functionCall struct {
	r    *Execution
	n    *plan.Layer
	rows func(ctx context.Context, d *text.Document) (*text.Layer, error)
}

// newFunctionCall prepares a call: it evaluates the arguments and compiles expressions and dictionaries.
func (r *Execution) newFunctionCall(n *plan.Layer) (*functionCall, error) {
	args := make(map[string]value.Value, len(n.Call.Args))
	for i, x := range n.Call.Args {
		a := n.Call.Function.Args[i]
		v, err := r.Scalar(x)
		if err == nil {
			v, err = value.Cast(v, a.Type)
			err = fn.ArgumentError(err)
		}
		if err != nil {
			return nil, expr.ErrorAt(n.Call.Pos, fmt.Errorf("argument %s of %s: %w", a.Name, n.Name, err))
		}
		args[a.Name] = v
	}
	c := &functionCall{r: r, n: n}
	var err error
	switch n.Name {
	case "kwic":
		err = c.keyword(args)
	case "extract_regex":
		err = c.expression(args)
	case "extract_dictionary":
		err = c.dictionary(args)
	case "extract_pattern":
		err = c.pattern(args)
	case "paths":
		err = c.paths(args)
	}
	return c, err
}

// apply returns views of documents with the rows of the call as one of their layers.
func (c *functionCall) apply(ctx context.Context, docs []*text.Document) ([]*text.Document, error) {
	views := make([]*text.Document, len(docs))
	err := c.parallel(ctx, len(docs), func(i int) error {
		v := *docs[i]
		l, err := c.rows(ctx, &v)
		if err == nil && l != nil {
			v.SetLayer(l)
		}
		views[i] = &v
		return err
	})
	return views, err
}

// prefilter leaves out the documents in which nothing can match, whatever the models predict.
func (c *functionCall) prefilter(ctx context.Context, docs []*text.Document) ([]*text.Document, error) {
	p := c.n.Call.Likely
	if p == nil || len(docs) == 0 {
		return docs, nil
	}
	keep := make([]bool, len(docs))
	err := c.parallel(ctx, len(docs), func(i int) error {
		keep[i] = p.Matches(docs[i])
		return nil
	})
	out := make([]*text.Document, 0, len(docs))
	for i, d := range docs {
		if keep[i] {
			out = append(out, d)
		}
	}
	return out, err
}

// parallel calls f for 0 to n-1 on the workers of the session, one for each 16 documents at most.
func (c *functionCall) parallel(ctx context.Context, n int, f func(i int) error) error {
	workers := min(c.r.Workers(), (n+15)/16)
	return parallel.Each(ctx, workers, n, c.n.Name, func(_ context.Context, i int) error { return f(i) })
}

// choice returns an argument that has one of the values, or the standard value for NULL.
func choice(args map[string]value.Value, name string, values []string, standard string) (string, error) {
	v := args[name]
	if v.IsNull() {
		return standard, nil
	}
	return v.S, bind.Choice(name, v.S, values)
}

// longestKeyword bounds what kwic looks for, in bytes.
const longestKeyword = 10_000

// keyword prepares kwic: tokens that match, with their neighbours on both sides.
func (c *functionCall) keyword(args map[string]value.Value) error {
	letters, err := choice(args, "case", bind.Cases, "exact")
	if err != nil {
		return err
	}
	width := int64(5)
	if v := args["width"]; !v.IsNull() {
		width = v.Int()
	}
	if width < 0 || width > 10000 {
		return fault.Invalid("width is %d, tokens from 0 to 10000 are wanted", width)
	}
	column := "form"
	if v := args["column"]; !v.IsNull() {
		column = v.S
	}
	if n := len(args["keyword"].S); n > longestKeyword {
		return fault.Invalid("a keyword has %d {byte|bytes} at most, this one %d", longestKeyword, n)
	}
	phrases := [][]string{text.Fields(args["keyword"].S)}
	if !args["regex"].Bool() {
		tk, err := segment.New(c.tokenizer())
		if err != nil {
			return fault.Invalid("%v", err)
		}
		phrases = models.PhraseTokens(tk, args["keyword"].S)
	}
	k, err := extract.NewKeyword(phrases, column, args["regex"].Bool(), letters == "lower")
	if err != nil {
		return fault.New("2201B", "%v", err)
	}
	c.rows = func(_ context.Context, d *text.Document) (*text.Layer, error) {
		return concordance(c.n.Def, d, k.Find(d), int32(width)), nil
	}
	return nil
}

// tokenizer is that of the corpus, or of the text.
func (c *functionCall) tokenizer() string {
	if c.n.Corpus != nil {
		return document.TokenizerOf(c.n.Corpus)
	}
	return c.n.Tokenizer
}

// concordance lays out keywords with width tokens on each side.
func concordance(def *text.LayerDef, d *text.Document, found []extract.Range, width int32) *text.Layer {
	if len(found) == 0 {
		return nil
	}
	toks := d.Layer("tokens")
	sent, tok, start, end := toks.Cols[0].Ints, toks.Cols[1].Ints, toks.Cols[2].Ints, toks.Cols[3].Ints
	slice := func(from, to int32) string { // of tokens
		if from >= to {
			return ""
		}
		return d.Text[start[from]:max(start[from], end[to-1])]
	}
	l := text.NewLayer(def)
	l.N = len(found)
	for _, f := range found {
		l.Cols[0].Ints = append(l.Cols[0].Ints, sent[f.From])
		l.Cols[1].Ints = append(l.Cols[1].Ints, tok[f.From])
		l.Cols[2].Strs = append(l.Cols[2].Strs, slice(max(0, f.From-width), f.From))
		l.Cols[3].Strs = append(l.Cols[3].Strs, slice(f.From, f.To))
		l.Cols[4].Strs = append(l.Cols[4].Strs, slice(f.To, min(int32(toks.N), f.To+width)))
	}
	return l
}

// expression prepares extract_regex: the spans that a regular expression matches.
func (c *functionCall) expression(args map[string]value.Value) error {
	if args["pattern"].IsNull() {
		c.rows = noRows
		return nil
	}
	re, err := bind.Expression(args["pattern"].S, args["flags"].S)
	if err != nil {
		return err
	}
	groups := make([]int, len(c.n.Call.Groups))
	for i, name := range c.n.Call.Groups {
		groups[i] = re.SubexpIndex(name)
	}
	label := args["label"].S
	c.rows = func(ctx context.Context, d *text.Document) (*text.Layer, error) {
		b := newSpanRows(c.n, d)
		found, err := re.Find(ctx, d.Text, -1)
		if err != nil {
			return nil, err
		}
		for _, m := range found {
			if m[0] == m[1] {
				continue
			}
			b.add(int32(m[0]), int32(m[1]), label)
			for _, g := range groups {
				b.group(int32(m[2*g]), int32(m[2*g+1]))
			}
		}
		return b.aligned(), nil
	}
	return nil
}

// noRows is a call whose pattern or dictionary is NULL.
func noRows(context.Context, *text.Document) (*text.Layer, error) { return nil, nil }

// pattern prepares extract_pattern: the spans that a pattern over tokens matches.
func (c *functionCall) pattern(args map[string]value.Value) error {
	policy, err := choice(args, "consolidate", extract.Policies, string(extract.Leftmost))
	if err != nil {
		return err
	}
	c.rows = func(ctx context.Context, d *text.Document) (*text.Layer, error) {
		b := newSpanRows(c.n, d)
		b.label = args["label"].S
		found, err := c.n.Call.Pattern.Find(ctx, d, extract.Policy(policy))
		return b.spans(found), c.tooMany(d, err)
	}
	return nil
}

// dictionary prepares extract_dictionary: the spans that are phrases of a table.
func (c *functionCall) dictionary(args map[string]value.Value) error {
	policy, err := choice(args, "consolidate", extract.Policies, string(extract.Longest))
	if err != nil {
		return err
	}
	letters, err := choice(args, "case", bind.Cases, "")
	if err != nil {
		return err
	}
	if c.n.Call.Phrases == nil {
		c.rows = noRows
		return nil
	}
	trie, err := c.r.Resources().Phrases(c.n.Call.Phrases, letters)
	if err != nil {
		return err
	}
	c.rows = func(_ context.Context, d *text.Document) (*text.Layer, error) {
		return newSpanRows(c.n, d).spans(extract.Dictionary(d, trie, extract.Policy(policy))), nil
	}
	return nil
}

// paths prepares paths: the shortest paths between tokens of a dependency tree.
func (c *functionCall) paths(args map[string]value.Value) error {
	most := int64(4)
	if v := args["max"]; !v.IsNull() {
		most = v.Int()
	}
	if most < 1 || most > 1000 {
		return fault.Invalid("max is %d, arcs from 1 to 1000 are wanted", most)
	}
	c.rows = func(ctx context.Context, d *text.Document) (*text.Layer, error) {
		l, toks := text.NewLayer(c.n.Def), d.Layer("tokens")
		found, err := extract.Paths(ctx, d, args["layer"].S, int(most))
		for _, p := range found {
			l.N++
			for i, v := range []int32{toks.Cols[0].Ints[p.From], toks.Cols[1].Ints[p.From], toks.Cols[1].Ints[p.To]} {
				l.Cols[i].Ints = append(l.Cols[i].Ints, v)
			}
			l.Cols[3].Strs = append(l.Cols[3].Strs, p.Text)
			l.Cols[4].Ints = append(l.Cols[4].Ints, int32(p.Up))
			l.Cols[5].Ints = append(l.Cols[5].Ints, int32(p.Down))
		}
		return l, c.tooMany(d, err)
	}
	return nil
}

// tooMany says in which document there are more rows than the limit.
func (c *functionCall) tooMany(d *text.Document, err error) error {
	if !errors.Is(err, extract.ErrTooMany) {
		return err
	}
	hint := "consolidate => 'leftmost', or a pattern that asks for more"
	if c.n.Name == "paths" {
		hint = "a smaller max, or layer => 'entities'"
	}
	where := c.n.Name
	if d.ID != "" {
		where += ", document " + d.ID
	}
	return plan.Errorf(c.n.Call.Pos, "54000", hint, "%s: %v", where, err)
}

// callWant adds what a call reads to what a scan wants.
func (s *layerScan) callWant(w *documents.Want) {
	w.Text = true
	for _, r := range s.n.Call.Reads {
		lw := documents.LayerWant{Name: r.Layer}
		if r.Layer == "tokens" && s.annotator == nil {
			lw.Columns = append([]string{"sent", "tok", "char_start", "char_end"}, r.Columns...)
			if s.n.Name == "paths" {
				lw.Columns = append(lw.Columns, "lemma") // where it is there
			}
		}
		w.Layers = append(w.Layers, lw)
	}
}
