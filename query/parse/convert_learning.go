package parse

import "parlance/query/ast"

func (s *annotateStatement) plain() {}
func (s *trainStatement) plain()    {}
func (s *tuneStatement) plain()     {}
func (s *evaluateStatement) plain() {}
func (s *promoteStatement) plain()  {}

func (s *annotateStatement) statement(c *converter) ast.Statement {
	if f := s.Files; f != nil {
		return &ast.AnnotateFiles{Pos: c.position(s.Pos), Paths: c.constants(f.Paths), Format: c.format(f.Format),
			At: c.position(f.Format.Pos), With: c.options(f.With), Using: c.models(f.Using), To: c.constant(f.To.Path),
			As: c.format(f.As), AsAt: c.position(f.As.Pos), Options: c.options(f.Options)}
	}
	return &ast.Annotate{Pos: c.position(s.Pos), Corpus: c.name(s.Corpus), Using: c.models(s.Using),
		With: c.options(s.With), Where: c.expr(s.Where)}
}

func (s *trainStatement) statement(c *converter) ast.Statement {
	return &ast.Train{Pos: c.position(s.Pos), Kind: c.name(s.Kind), At: c.position(s.Kind.Pos), As: c.name(s.As),
		On:       c.inputs(s.On),
		Validate: c.inputs(s.Validate), Using: c.models(s.Using), With: c.options(s.With), Async: s.Async}
}

func (s *tuneStatement) statement(c *converter) ast.Statement {
	return &ast.Tune{Pos: c.position(s.Pos), Kind: c.name(s.Kind), At: c.position(s.Kind.Pos), As: c.name(s.As),
		On:       c.inputs(s.On),
		Validate: c.inputs(s.Validate), Folds: c.constant(s.Folds), Using: c.models(s.Using),
		Over: c.options(s.Over), Sample: c.constant(s.Sample), Metric: c.metric(s.Metric),
		MetricAt: c.position(s.Metric[0].Pos), With: c.options(s.With), Async: s.Async}
}

func (s *evaluateStatement) statement(c *converter) ast.Statement { return c.evaluate(s) }

func (c *converter) evaluate(s *evaluateStatement) *ast.Evaluate {
	models := all(s.Models, func(m *scored) ast.ScoredModel {
		return ast.ScoredModel{ModelRef: c.model(m.Model), With: c.options(m.With)}
	})
	out := &ast.Evaluate{Pos: c.position(s.Pos), Models: models, On: c.inputs(s.On),
		Using: c.models(s.Using), By: c.exprs(s.By), With: c.options(s.With)}
	if s.Against != nil {
		out.Layers = all(s.Layers, c.storedLayer)
		gold := c.storedLayer(s.Against.Layer)
		gold.Where = c.expr(s.Against.Where)
		out.Against = &gold
	}
	return out
}

func (c *converter) storedLayer(l *storedLayer) ast.Input {
	return ast.Input{Pos: c.position(l.Pos), Name: c.name(l.Corpus), Path: c.name(l.Layer)}
}

func (s *promoteStatement) statement(c *converter) ast.Statement {
	out := &ast.Promote{Pos: c.position(s.Pos), Model: c.model(s.Model), Alias: c.name(s.Alias)}
	if i := s.If; i != nil {
		out.If = &ast.PromoteIf{Pos: c.position(i.Pos), Metric: c.metric(i.Metric), Than: c.name(i.Than),
			By: c.constant(i.By), On: c.inputs(i.On)}
	}
	return out
}

func (s *explainPredictionStatement) statement(c *converter) ast.Statement {
	out := &ast.ExplainPrediction{Pos: c.position(s.Pos), Model: c.model(s.Model), Text: c.expr(s.Text),
		At: c.constants(s.At)}
	if s.Source == nil {
		return out
	}
	ref := c.namedTable(s.Source.Table)
	where := s.Source.Where
	if s.Source.Table.Args == nil {
		out.Corpus = &ast.Input{Pos: ref.Pos, Name: ref.Name, Version: ref.Version, Path: ref.Path,
			Where: c.expr(where)}
		return out
	}
	if where != nil {
		c.fail(where.Pos, ast.CodeSyntax, "a relation with arguments takes no WHERE here", "")
	}
	out.Relation = &ref
	return out
}
