package parse

import (
	"slices"
	"strings"

	"github.com/alecthomas/participle/v2/lexer"

	"parlance/query/ast"
)

// copyStatement takes the options of a format as this language writes them, FORMAT f WITH (a = 1),
// and as PostgreSQL does: (FORMAT f, A 1), or CSV HEADER DELIMITER AS ';'.
type copyStatement struct {
	Pos     lexer.Position
	Select  *selectStatement `parser:"'COPY' ( '(' @@ ')'"`
	Target  *target          `parser:"       | @@"`
	Columns []lexer.Token    `parser:"         ('(' @(Name (',' Name)*) ')')?"`
	Using   []*model         `parser:"         ('USING' @@ (',' @@)*)?"`
	Where   *expression      `parser:"         ('WHERE' @@)?"`
	OrderBy []*order         `parser:"         ('ORDER' 'BY' @@ (',' @@)*)? )"`
	To      *sink            `parser:"( 'TO' @@"`
	From    *source          `parser:"| 'FROM' @@ )"`
	Format  lexer.Token      `parser:"('FORMAT' @(Name | String))?"`
	With    []*copyOption    `parser:"( (?= 'WITH'? '(') 'WITH'? '(' @@ (',' @@)* ')'"`
	Words   []*copyWord      `parser:"| 'WITH'? @@+ )?"`
}

type sink struct {
	Path   lexer.Token `parser:"  @(String | Param)"`
	Stdout bool        `parser:"| @('STDOUT' | 'STDIN')"`
}

type source struct {
	Path  lexer.Token `parser:"  @(String | Param)"`
	Stdin bool        `parser:"| @'STDIN'"`
}

// copyOption is name = value, name value, or a name that stands for true.
type copyOption struct {
	Pos   lexer.Position
	Name  lexer.Token  `parser:"@(Name | Keyword | Constant | Left)"`
	Set   *optionValue `parser:"( '=' @@"`
	Value *optionValue `parser:"| @@ )?"`
}

// copyWord is an option outside a list.
type copyWord struct {
	Pos   lexer.Position
	Name  lexer.Token `parser:"@('CSV' | 'BINARY' | 'HEADER' | 'DELIMITER' | 'NULL' | 'QUOTE' | 'ESCAPE' | 'ENCODING')"`
	Value lexer.Token `parser:"('AS'? @String)?"`
}

func (s *copyStatement) statement(c *converter) ast.Statement {
	var target ast.Target
	if s.Target != nil {
		target = c.target(s.Target)
	}
	columns := c.columns(s.Columns)
	format, at, with := c.copyOptions(s)
	if s.From == nil {
		return &ast.CopyTo{Pos: c.position(s.Pos), Select: c.query(s.Select), From: target, Columns: columns,
			Using: c.models(s.Using), Where: c.expr(s.Where), OrderBy: all(s.OrderBy, c.order), Path: c.constant(s.To.Path),
			Format: format, At: c.position(at), With: with}
	}
	if s.Select != nil {
		c.fail(s.Select.Pos, ast.CodeSyntax, "COPY cannot write into a query", "write COPY (select) TO …")
	}
	if len(s.Using) > 0 || s.Where != nil || len(s.OrderBy) > 0 {
		c.fail(s.Pos, ast.CodeSyntax, "COPY … FROM takes no USING, WHERE or ORDER BY", "they say what COPY … TO writes")
	}
	return &ast.CopyFrom{Pos: c.position(s.Pos), Into: target, Columns: columns, Path: c.constant(s.From.Path),
		Format: format, At: c.position(at), With: with}
}

// copyOptions returns format, its place and options. A format that is named as PostgreSQL names it
// gets what it means there.
func (c *converter) copyOptions(s *copyStatement) (string, lexer.Position, []ast.Option) {
	format, foreign := c.format(s.Format), ""
	var with []ast.Option
	at := map[string]lexer.Position{}
	add := func(pos lexer.Position, name string, v ast.OptionValue) {
		if _, twice := at[name]; twice {
			c.fail(pos, ast.CodeSyntax, "option "+ast.QuoteName(name)+" is given twice", "")
		}
		at[name] = pos
		if name == "format" {
			foreign = c.formatName(pos, v)
			return
		}
		with = append(with, ast.Option{Pos: c.position(pos), Name: name, Value: v})
	}
	for _, o := range s.With {
		add(o.Pos, c.copyName(o), c.copyValue(o))
	}
	for _, w := range s.Words {
		switch word := strings.ToLower(w.Name.Value); {
		case (word == "csv" || word == "binary") && w.Value.Type == 0:
			add(w.Pos, "format", &ast.Literal{Pos: c.position(w.Pos), Value: word})
		case word == "header" && w.Value.Type == 0:
			add(w.Pos, word, &ast.Literal{Pos: c.position(w.Pos), Value: true})
		case word == "csv" || word == "binary" || word == "header" || w.Value.Type == 0:
			c.fail(w.Pos, ast.CodeSyntax, w.Name.Value+" is not followed by what it takes",
				"CSV HEADER DELIMITER ';' NULL ''")
		default:
			add(w.Pos, word, c.literal(w.Value, false))
		}
	}
	if foreign == "" {
		return format, s.Format.Pos, with
	}
	if format != "" {
		c.fail(at["format"], ast.CodeSyntax, "the format is named twice", "")
	}
	format, with = c.foreignFormat(s.Pos, foreign, with)
	return format, at["format"], with
}

// copyName is the name of an option: one that = follows stands as it is written.
func (c *converter) copyName(o *copyOption) string {
	name := c.name(o.Name)
	if o.Name.Value[0] != '"' && (o.Set == nil || strings.EqualFold(name, "format")) {
		return strings.ToLower(name)
	}
	return name
}

// copyValue is the value of an option: ON and OFF stand for true and false where no = says
// that the value is one of this language.
func (c *converter) copyValue(o *copyOption) ast.OptionValue {
	switch {
	case o.Set != nil:
		return c.optionValue(o.Set)
	case o.Value == nil:
		return &ast.Literal{Pos: c.position(o.Pos), Value: true}
	}
	v := c.optionValue(o.Value)
	if n, ok := v.(*ast.NameValue); ok && n.Version == "" && n.Relation == "" {
		switch strings.ToLower(n.Name) {
		case "on":
			return &ast.Literal{Pos: n.Pos, Value: true}
		case "off":
			return &ast.Literal{Pos: n.Pos, Value: false}
		}
	}
	return v
}

// formatName is the value of the option format.
func (c *converter) formatName(pos lexer.Position, v ast.OptionValue) string {
	switch v := v.(type) {
	case *ast.NameValue:
		if v.Version == "" && v.Relation == "" {
			return v.Name
		}
	case *ast.Literal:
		if s, ok := v.Value.(string); ok && s != "" {
			return s
		}
	}
	c.fail(pos, ast.CodeSyntax, "FORMAT takes the name of a format", "(FORMAT csv)")
	return ""
}

// foreignFormat gives PostgreSQL's formats their names here, and csv the defaults that it has
// there: no header, and a value in quotes is never NULL.
func (c *converter) foreignFormat(pos lexer.Position, name string, with []ast.Option) (string, []ast.Option) {
	given := func(name string) bool {
		return slices.ContainsFunc(with, func(o ast.Option) bool { return o.Name == name })
	}
	switch strings.ToLower(name) {
	case "text":
		name = "pgcopy"
	case "binary":
		name = "pgbinary"
	case "csv":
		name = "csv"
		for _, option := range []string{"header", "quoted_null"} {
			if !given(option) {
				with = append(with, ast.Option{Pos: c.position(pos), Name: option,
					Value: &ast.Literal{Pos: c.position(pos), Value: false}})
			}
		}
	}
	return name, slices.DeleteFunc(with, func(o ast.Option) bool { return implied(name, o) })
}

// implied reports whether an option of PostgreSQL says what holds anyway.
func implied(format string, o ast.Option) bool {
	l, ok := o.Value.(*ast.Literal)
	if !ok {
		return false
	}
	s, _ := l.Value.(string)
	switch o.Name {
	case "quote", "escape":
		return s == `"` && format == "csv"
	case "encoding":
		return strings.EqualFold(s, "utf8") || strings.EqualFold(s, "utf-8")
	}
	return false
}
