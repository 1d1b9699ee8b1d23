package parse

import (
	"strings"

	"parlance/query/ast"
	"parlance/query/lex"
)

// settingWords are the settings that SHOW and SET name in words, by the first of them.
var settingWords = map[string]string{"TRANSACTION": "transaction_isolation", "TIME": "TimeZone",
	"SESSION": "session_authorization", "AUTHORIZATION": "session_authorization",
	"NAMES": "client_encoding", "ROLE": "role"}

func (s *showStatement) statement(c *converter) ast.Statement {
	if s.Words != nil {
		return &ast.Show{Pos: c.position(s.Pos), Name: settingWords[s.Words[0].Value],
			NamePos: c.position(s.Words[0].Pos)}
	}
	return &ast.Show{Pos: c.position(s.Pos), Name: c.dottedName(s.Name), NamePos: c.position(s.Name[0].Pos)}
}

func (s *describeStatement) statement(c *converter) ast.Statement {
	return &ast.Describe{Pos: c.position(s.Pos), Object: s.Object.Value, Name: c.name(s.Name),
		Version: c.name(s.Version), Path: c.name(s.Path)}
}

func (s *checkStatement) statement(c *converter) ast.Statement {
	return &ast.Check{Pos: c.position(s.Pos), Corpus: c.name(s.Corpus), With: c.options(s.With)}
}

func (s *jobStatement) statement(c *converter) ast.Statement {
	pos, job := c.position(s.Pos), c.constant(s.Job)
	if s.Verb.Value == "CANCEL" {
		return &ast.CancelJob{Pos: pos, Job: job}
	}
	return &ast.ResumeJob{Pos: pos, Job: job}
}

func (s *cancelStatement) statement(c *converter) ast.Statement {
	pos, number := c.position(s.Pos), c.constant(s.Number)
	if s.Object.Value == "SESSION" {
		return &ast.CancelSession{Pos: pos, Session: number}
	}
	return &ast.CancelStatement{Pos: pos, Statement: number}
}

func (s *setStatement) statement(c *converter) ast.Statement {
	pos := c.position(s.Pos)
	if s.Modes != nil {
		return &ast.SetTransaction{Pos: pos, Session: s.Scope.Value == "SESSION", Modes: modes(s.Modes)}
	}
	out := &ast.Set{Pos: pos, Local: s.Scope.Value == "LOCAL", Name: c.dottedName(s.Name)}
	values := s.Value
	if s.Words == nil {
		out.NamePos = c.position(s.Name[0].Pos)
	} else {
		out.NamePos = c.position(s.Words[0].Pos)
		out.Name, values = settingWords[s.Words[0].Value], []*optionValue{s.Plain}
	}
	if w := values[0].Name; len(values) == 1 && w.Type == lex.Ident &&
		(w.Value == "DEFAULT" || s.Words != nil && w.Value == "LOCAL") {
		return &ast.Reset{Pos: pos, Name: out.Name, NamePos: out.NamePos, Default: true}
	}
	out.Value = c.optionValue(values[0])
	if l, ok := out.Value.(*ast.Literal); ok && s.Shift {
		l.Value = offsetEast(l.Value)
	}
	if len(values) > 1 {
		out.Value = &ast.TupleValue{Pos: c.position(values[0].Pos), Items: all(values, c.optionValue)}
	}
	return out
}

// offsetEast writes an interval of hours and minutes from UTC as a zone of POSIX, in which hours count to the west.
func offsetEast(v any) any {
	text, ok := v.(string)
	if !ok || !strings.Contains(text, ":") {
		return v
	}
	if rest, west := strings.CutPrefix(text, "-"); west {
		return "<" + text + ">+" + rest
	}
	rest := strings.TrimPrefix(text, "+")
	return "<+" + rest + ">-" + rest
}

func (s *resetStatement) statement(c *converter) ast.Statement {
	if s.Words != nil {
		return &ast.Reset{Pos: c.position(s.Pos), Name: settingWords[s.Words[0].Value]}
	}
	name := c.dottedName(s.Name)
	if strings.EqualFold(name, "all") {
		name = ""
	}
	return &ast.Reset{Pos: c.position(s.Pos), Name: name, NamePos: c.position(s.Name[0].Pos)}
}

func (s *reloadStatement) statement(c *converter) ast.Statement {
	return &ast.Reload{Pos: c.position(s.Pos), Database: strings.EqualFold(s.Of.Value, "DATABASE")}
}

func (s *alterSystemStatement) statement(c *converter) ast.Statement {
	if s.Value == nil {
		return &ast.AlterSystem{Pos: c.position(s.Pos), Name: c.dottedName(s.Reset), NamePos: c.position(s.Reset[0].Pos),
			Database: strings.EqualFold(s.Of.Value, "DATABASE")}
	}
	out := &ast.AlterSystem{Pos: c.position(s.Pos), Name: c.dottedName(s.Name), NamePos: c.position(s.Name[0].Pos),
		Value: c.optionValue(s.Value[0]), Database: strings.EqualFold(s.Of.Value, "DATABASE")}
	if len(s.Value) > 1 {
		out.Value = &ast.TupleValue{Pos: c.position(s.Value[0].Pos), Items: all(s.Value, c.optionValue)}
	}
	return out
}

func (s *clearCacheStatement) statement(c *converter) ast.Statement {
	out := &ast.ClearCache{Pos: c.position(s.Pos)}
	if s.Model != nil {
		model := c.model(s.Model)
		out.Model = &model
	}
	return out
}

func (s *backupStatement) statement(c *converter) ast.Statement {
	return &ast.Backup{Pos: c.position(s.Pos), Path: c.constant(s.Path)}
}

func (s *compactStatement) statement(c *converter) ast.Statement {
	return &ast.Compact{Pos: c.position(s.Pos)}
}

func (s *discardStatement) statement(c *converter) ast.Statement {
	what := s.What.Value
	if what == "TEMPORARY" {
		what = ast.DiscardTemporary
	}
	return &ast.Discard{Pos: c.position(s.Pos), What: what}
}

func (s *unlistenStatement) statement(c *converter) ast.Statement {
	return &ast.Unlisten{Pos: c.position(s.Pos), Name: c.name(s.Name)}
}
