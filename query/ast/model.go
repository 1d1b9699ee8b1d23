package ast

import (
	"strconv"
	"strings"
)

// Annotate is ANNOTATE corpus USING model, … [WITH (…)] [WHERE …].
type Annotate struct {
	Pos
	Corpus string
	Using  []ModelRef
	With   []Option
	Where  Expr
}

// AnnotateFiles is ANNOTATE path, … | STDIN [FORMAT format] [WITH (options)] [USING model, …] TO path | STDOUT FORMAT
// format [WITH (options)]: documents of files, annotated without a corpus.
type AnnotateFiles struct {
	Pos
	Paths   []Expr // literals or parameters; none for STDIN
	Format  string // of what is read, empty if none is named
	At      Pos    // of that format
	With    []Option
	Using   []ModelRef // none for the setting using
	To      Expr       // a literal or parameter; nil for STDOUT
	As      string     // the format of what is written
	AsAt    Pos        // of that format
	Options []Option   // of what is written
}

// Train is TRAIN kind [AS name] ON input, …
type Train struct {
	Pos
	Kind     string
	At       Pos    // of the kind
	As       string // empty: the model takes the name of its kind
	On       []Input
	Validate []Input
	Using    []ModelRef
	With     []Option
	Async    bool
}

// Tune is TUNE kind [AS name] ON input, … OVER (…) [SAMPLE n] METRIC metric.
type Tune struct {
	Pos
	Kind     string
	At       Pos    // of the kind
	As       string // empty: the model takes the name of its kind
	On       []Input
	Validate []Input
	Folds    Expr // number of folds, a literal or parameter; nil if none
	Using    []ModelRef
	Over     []Option // values are what to try, as a rule tuples
	Sample   Expr     // number of combinations to try, a literal or parameter; nil for all
	Metric   string   // f1, f1.PER, hits@3, …
	MetricAt Pos
	With     []Option
	Async    bool
}

// Evaluate is EVALUATE model, … ON input, or EVALUATE LAYER corpus.layer, … AGAINST corpus.layer.
type Evaluate struct {
	Pos
	Models  []ScoredModel
	On      []Input
	Using   []ModelRef
	Layers  []Input // stored predictions in place of models; there are no inputs then
	Against *Input  // the gold layer, with a condition; nil for models
	By      []Expr
	With    []Option
}

// First is the corpus or table whose documents or rows are scored first.
func (s *Evaluate) First() Input {
	if s.Against != nil {
		return *s.Against
	}
	return s.On[0]
}

// ScoredModel is a model with options for its predictions.
type ScoredModel struct {
	ModelRef
	With []Option
}

// Promote is PROMOTE model@version TO alias [IF …].
type Promote struct {
	Pos
	Model ModelRef
	Alias string
	If    *PromoteIf // nil: without condition
}

// PromoteIf is the condition IF metric > alias [BY number] ON input.
type PromoteIf struct {
	Pos
	Metric string // f1, f1.p, …
	Than   string // alias to beat
	By     Expr   // least difference, a literal or parameter; nil for 0
	On     []Input
}

// Explain is EXPLAIN [ANALYZE] statement.
type Explain struct {
	Pos
	Analyze   bool
	NoCosts   bool      // without estimates
	NoTiming  bool      // without times
	JSON      bool      // a tree in JSON, not lines
	Statement Statement // not itself an Explain or ExplainPrediction
}

// ExplainPrediction is EXPLAIN PREDICTION OF model FOR …; exactly one of Text,
// Corpus and Relation is set.
type ExplainPrediction struct {
	Pos
	Model    ModelRef
	Text     Expr   // FOR TEXT expr
	Corpus   *Input // FOR corpus WHERE …
	Relation *Ref   // FOR relation(arg, …)
	At       []Expr // [sentence,] token: literals or parameters, at most two
}

func (*Annotate) statement()          {}
func (*AnnotateFiles) statement()     {}
func (*Train) statement()             {}
func (*Tune) statement()              {}
func (*Evaluate) statement()          {}
func (*Promote) statement()           {}
func (*Explain) statement()           {}
func (*ExplainPrediction) statement() {}

// String prints the statement or its part.
func (s *Annotate) String() string          { return render(s) }
func (s *AnnotateFiles) String() string     { return render(s) }
func (s *Train) String() string             { return render(s) }
func (s *Tune) String() string              { return render(s) }
func (s *Evaluate) String() string          { return render(s) }
func (s ScoredModel) String() string        { return render(s) }
func (s *Promote) String() string           { return render(s) }
func (s *PromoteIf) String() string         { return render(s) }
func (s *Explain) String() string           { return render(s) }
func (s *ExplainPrediction) String() string { return render(s) }

func (s *Annotate) print(p *printer) {
	p.text("ANNOTATE ", QuoteName(s.Corpus))
	list(p, " USING ", s.Using)
	p.options(" WITH ", s.With)
	p.clause(" WHERE ", s.Where)
}

func (s *AnnotateFiles) print(p *printer) {
	p.text("ANNOTATE ")
	if len(s.Paths) == 0 {
		p.text("STDIN")
	}
	list(p, "", s.Paths)
	format(p, s.Format)
	p.options(" WITH ", s.With)
	list(p, " USING ", s.Using)
	p.text(" TO ")
	path(p, s.To, "STDOUT")
	format(p, s.As)
	p.options(" WITH ", s.Options)
}

func (s *Train) print(p *printer) {
	p.text("TRAIN ", QuoteName(s.Kind))
	alias(p, s.As)
	list(p, " ON ", s.On)
	list(p, " VALIDATE ON ", s.Validate)
	list(p, " USING ", s.Using)
	p.options(" WITH ", s.With)
	p.when(s.Async, " ASYNC")
}

func (s *Tune) print(p *printer) {
	p.text("TUNE ", QuoteName(s.Kind))
	alias(p, s.As)
	list(p, " ON ", s.On)
	list(p, " VALIDATE ON ", s.Validate)
	p.clause(" FOLDS ", s.Folds)
	list(p, " USING ", s.Using)
	p.options(" OVER ", s.Over)
	p.clause(" SAMPLE ", s.Sample)
	p.text(" METRIC ", metric(s.Metric))
	p.options(" WITH ", s.With)
	p.when(s.Async, " ASYNC")
}

func (s ScoredModel) print(p *printer) {
	s.ModelRef.print(p)
	p.options(" WITH ", s.With)
}

func (s *Evaluate) print(p *printer) {
	if s.Against != nil {
		list(p, "EVALUATE LAYER ", s.Layers)
		p.text(" AGAINST ")
		s.Against.print(p)
	} else {
		list(p, "EVALUATE ", s.Models)
		list(p, " ON ", s.On)
		list(p, " USING ", s.Using)
	}
	list(p, " BY ", s.By)
	p.options(" WITH ", s.With)
}

func (s *Promote) print(p *printer) {
	p.text("PROMOTE ")
	s.Model.print(p)
	p.text(" TO ", QuoteName(s.Alias))
	if s.If != nil {
		p.text(" ")
		s.If.print(p)
	}
}

func (s *PromoteIf) print(p *printer) {
	p.text("IF ", metric(s.Metric), " > ", QuoteName(s.Than))
	p.clause(" BY ", s.By)
	list(p, " ON ", s.On)
}

func (s *Explain) print(p *printer) {
	p.text("EXPLAIN ")
	if s.NoCosts || s.NoTiming || s.JSON {
		var options []string
		for _, o := range []struct {
			given bool
			text  string
		}{{s.Analyze, "ANALYZE"}, {s.NoCosts, "COSTS off"}, {s.NoTiming, "TIMING off"}, {s.JSON, "FORMAT json"}} {
			if o.given {
				options = append(options, o.text)
			}
		}
		p.text("(", strings.Join(options, ", "), ") ")
	} else {
		p.when(s.Analyze, "ANALYZE ")
	}
	s.Statement.print(p)
}

func (s *ExplainPrediction) print(p *printer) {
	p.text("EXPLAIN PREDICTION OF ")
	s.Model.print(p)
	p.text(" FOR ")
	switch {
	case s.Text != nil:
		adHocText(p, s.Text)
	case s.Corpus != nil && strings.EqualFold(s.Corpus.Name, "text"):
		// Unquoted, it would open ad-hoc text.
		p.text(`"`, s.Corpus.Name, `"`, version(s.Corpus.Version))
		p.when(s.Corpus.Path != "", "."+QuoteName(s.Corpus.Path))
		p.clause(" WHERE ", s.Corpus.Where)
	case s.Corpus != nil:
		s.Corpus.print(p)
	default:
		s.Relation.print(p)
	}
	list(p, " AT ", s.At)
}

// metric returns a metric's name as words with dots, the first perhaps with a number
// as in hits@3, or as a string where that would not do.
func metric(name string) string {
	first, rest, dot := strings.Cut(name, ".")
	word, k, at := strings.Cut(first, "@")
	if _, err := strconv.Atoi(k); at && (err != nil || strings.ContainsAny(k, "+-")) {
		return QuoteText(name)
	}
	parts := []string{word}
	if dot {
		parts = append(parts, strings.Split(rest, ".")...)
	}
	for _, part := range parts {
		if !plain(part) || Reserved(part) {
			return QuoteText(name)
		}
	}
	return name
}
