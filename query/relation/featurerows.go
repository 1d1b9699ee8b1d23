package relation

import (
	"context"
	"fmt"
	"strings"

	"parlance/algo/feature"
	"parlance/algo/feature/place"
	"parlance/algo/option"
	"parlance/algo/text"
	"parlance/query/ast"
	"parlance/query/document"
	"parlance/query/exec"
	"parlance/query/fault"
	"parlance/query/operator"
	"parlance/query/optarg"
	"parlance/query/plan"
	"parlance/storage/catalog"
	"parlance/storage/value"
)

// featureOptions are the options of features(TEXT …).
type featureOptions struct {
	sets, tokenizer, places string
	Set                     option.Set
}

func NewFeatureOptions() *featureOptions {
	f := &featureOptions{}
	f.Set.Features(&f.sets, "set", "ner", "feature set or templates")
	f.Set.Text(&f.tokenizer, "tokenizer", document.DefaultTokenizer, "how the text is cut into sentences and tokens")
	f.Set.Text(&f.places, "places", "", "the places of a set over places, such as p = 1.2, a = 1.4: sentence and token")
	return f
}

// features lists the features that a feature set extracts from a text, one a row.
func features(r *exec.Execution, n *plan.Relation, content value.Value) (operator.Operator, error) {
	args, err := optarg.Args(n.Options, r.Env)
	if err != nil {
		return nil, err
	}
	o := NewFeatureOptions()
	if err := o.Set.Apply(args); err != nil {
		return nil, optarg.AtOption(err, n.Options)
	}
	if content.IsNull() {
		return operator.NewRows(n.Columns(), nil), nil
	}
	d, err := r.Documents.Make(r.Env.Ctx, "", content.S, o.tokenizer)
	if err != nil {
		return nil, err
	}
	if o.places != "" || place.Is(featureNotation(r, o.sets)) {
		return textAtPlaces(r, n, o, d)
	}
	set, err := featureSet(r, o.sets)
	if err != nil {
		return nil, fault.At(optarg.Position(n.Options, "set", ast.Pos{}), err)
	}
	for _, column := range set.Columns() {
		if toks := d.Layer("tokens"); toks == nil || toks.Strs(column) == nil && toks.Ints(column) == nil {
			return nil, plan.Errorf(optarg.Position(n.Options, "set", n.Pos), plan.CodeState,
				"token_features(corpus, …) reads what "+
					"a corpus stores", "the features read tokens.%s, which a text has not", column)
		}
	}
	if _, err := feature.NewExtractor(feature.NewAlphabet(set), r.Resources()); err != nil {
		return nil, fault.Invalid("%v", err)
	}
	return newFeatureScan(r, n.Columns(), set, d), nil
}

// Limits of what is extracted at once, in tokens.
const (
	featureBlock    = 1 << 10 // whole sentences are added until a block has as many
	featureSentence = 100_000 // longest sentence
)

// featureScan lists the features of a document, block by block of whole sentences.
type featureScan struct {
	r     *exec.Execution
	types []value.Type
	set   *feature.Set
	doc   *text.Document

	sentences []int32 // bounds, in tokens, of the sentences that are left
	begun     bool
	first     int32 // token of the document that is the first of the block
	alphabet  *feature.Alphabet
	found     feature.Rows // of the block
	item      int          // next item of the block
}

func newFeatureScan(r *exec.Execution, columns []plan.Column, set *feature.Set, d *text.Document) *featureScan {
	s := &featureScan{r: r, set: set, doc: d, sentences: d.SentenceTokens()}
	for _, c := range columns {
		s.types = append(s.types, c.Type)
	}
	return s
}

func (s *featureScan) Next(ctx context.Context) (*value.Batch, error) {
	var rows [][]value.Value
	for len(rows) < value.BatchSize {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if s.item == s.found.Len() {
			if more, err := s.block(ctx); err != nil {
				return nil, err
			} else if !more {
				break
			}
			continue
		}
		rows = s.rows(rows, s.item)
		s.item++
	}
	if len(rows) == 0 {
		return nil, nil
	}
	return value.FromRows(s.types, rows), nil
}

// block extracts the features of the next sentences, or of the whole document for a set over documents. It reports
// whether there were any.
func (s *featureScan) block(ctx context.Context) (bool, error) {
	d := s.doc
	switch {
	case s.set.Document() && s.begun, !s.set.Document() && len(s.sentences) < 2:
		return false, nil
	case s.set.Document():
	default:
		n, from := 1, s.sentences[0]
		for n+1 < len(s.sentences) && s.sentences[n]-from < featureBlock {
			n++
		}
		to := s.sentences[n]
		if to-s.sentences[n-1] > featureSentence {
			return false,
				&ast.Error{Code: "54000", Msg: text.Countf("a sentence has %d {token|tokens}; features lists sentences of at "+
					"most %d",
					to-s.sentences[n-1], featureSentence), Hint: "blank lines end sentences"}
		}
		s.sentences, s.first = s.sentences[n:], from
		d = &text.Document{ID: d.ID, Text: d.Text, Layers: []*text.Layer{sentencesOf(d.Layer("tokens"), from, to)}}
	}
	s.begun, s.item = true, 0
	s.alphabet = feature.NewAlphabet(s.set)
	e, err := feature.NewExtractor(s.alphabet, s.r.Resources())
	if err != nil {
		return false, fault.Invalid("%v", err)
	}
	s.found.Reset()
	if err := e.GrowUntil(ctx, d, &s.found); err != nil {
		return false, err
	}
	e.Finish(&s.found)
	return true, nil
}

// sentencesOf copies rows [from, to) of a layer of tokens, which are whole sentences, and numbers the sentences from 1.
func sentencesOf(toks *text.Layer, from, to int32) *text.Layer {
	out := &text.Layer{Def: toks.Def, Name: toks.Name, N: int(to - from), Cols: make([]text.Col, len(toks.Cols))}
	for i, c := range toks.Cols {
		if c.Ints != nil {
			out.Cols[i].Ints = c.Ints[from:to]
		}
		if c.Strs != nil {
			out.Cols[i].Strs = c.Strs[from:to]
		}
	}
	if out.N > 0 {
		numbers, before := make([]int32, out.N), out.Cols[0].Ints[0]-1
		for i, n := range out.Cols[0].Ints {
			numbers[i] = n - before
		}
		out.Cols[0].Ints = numbers
	}
	return out
}

// rows appends a row for each attribute of an item of the block.
func (s *featureScan) rows(rows [][]value.Value, i int) [][]value.Value {
	head := []value.Value{{}, {}, {}}
	if !s.set.Document() {
		t := int(s.first) + i
		toks := s.doc.Layer("tokens")
		head = []value.Value{value.Int(int64(toks.Cols[0].Ints[t])), value.Int(int64(toks.Cols[1].Ints[t])),
			value.Str(toks.Cols[4].Strs[t])}
	}
	for k := s.found.Offsets[i]; k < s.found.Offsets[i+1]; k++ {
		v := 1.0
		if len(s.found.Values) > 0 {
			v = float64(s.found.Values[k])
		}
		rows = append(rows, append(append([]value.Value{}, head...), value.Str(s.alphabet.Name(s.found.Attrs[k])),
			value.Real(v)))
	}
	return rows
}

func (s *featureScan) Close() error { return nil }

// FeatureSets lists the names of all feature sets, built-in ones first.
func FeatureSets(r *exec.Execution) []string {
	var names []string
	for _, b := range feature.Builtins() {
		names = append(names, b.Name)
	}
	for _, o := range r.Snapshot.Objects(catalog.FeaturesObject) {
		names = append(names, o.Name)
	}
	return names
}

// featureSet returns the feature set of that name, stored or built in, or compiles the templates in name.
func featureSet(r *exec.Execution, name string) (*feature.Set, error) {
	if o, ok := r.Snapshot.Object(name); ok && o.Kind == catalog.FeaturesObject {
		name = o.Source
	}
	set, err := feature.Resolve(name)
	if err != nil && !strings.ContainsAny(name, "[(") {
		names := FeatureSets(r)
		return nil, plan.Errorf(ast.Pos{}, plan.CodeUndefinedObject, "sets: "+strings.Join(names, ", "),
			"there is no feature set %s%s", name, option.DidYouMean(name, names))
	}
	if err != nil {
		return nil, fault.Invalid("%v", fmt.Errorf("set: %w", err))
	}
	return set, nil
}
