package parse

import (
	"strings"

	"github.com/alecthomas/participle/v2/lexer"

	"parlance/query/ast"
)

func (s *createStatement) plain()    {}
func (s *loadStatement) plain()      {}
func (s *insertStatement) plain()    {}
func (s *deleteStatement) plain()    {}
func (s *updateStatement) plain()    {}
func (s *copyStatement) plain()      {}
func (s *copyModelStatement) plain() {}

func (s *createStatement) statement(c *converter) ast.Statement {
	return &ast.Create{Pos: c.position(s.Pos), Temporary: s.Temporary, Object: s.Object.Value, IfNotExists: s.IfNotExists,
		Name: c.name(s.Name), Columns: all(s.Columns, c.columnDef), With: c.options(s.With), As: c.query(s.As)}
}

func (c *converter) columnDef(d *columnDef) ast.ColumnDef {
	return ast.ColumnDef{Pos: c.position(d.Pos), Name: c.name(d.Name), Type: c.typeName(d.Type)}
}

func (s *createFeaturesStatement) statement(c *converter) ast.Statement {
	return &ast.CreateFeatures{Pos: c.position(s.Pos), IfNotExists: s.IfNotExists, Name: c.name(s.Name),
		Templates: c.name(s.Templates)}
}

func (s *createIndexStatement) statement(c *converter) ast.Statement {
	out := &ast.CreateIndex{Pos: c.position(s.Pos), Fulltext: s.Fulltext, IfNotExists: s.IfNotExists,
		On: c.target(s.On), Columns: c.columns(s.Columns), With: c.options(s.With)}
	for _, t := range s.Columns {
		if t.Value != "," {
			out.At = append(out.At, c.position(t.Pos))
		}
	}
	return out
}

func (s *dropStatement) statement(c *converter) ast.Statement {
	if s.Version.Type != 0 && s.Object.Value != ast.ObjectModel {
		c.fail(s.Version.Pos, ast.CodeSyntax, "only a model has versions", "")
	}
	return &ast.Drop{Pos: c.position(s.Pos), Object: s.Object.Value, IfExists: s.IfExists, Name: c.name(s.Name),
		NamePos: c.position(s.Name.Pos), Version: c.name(s.Version)}
}

func (s *dropIndexStatement) statement(c *converter) ast.Statement {
	return &ast.DropIndex{Pos: c.position(s.Pos), IfExists: s.IfExists, On: c.target(s.On),
		Columns: c.columns(s.Columns)}
}

func (s *alterStatement) statement(c *converter) ast.Statement {
	pos, object, name := c.position(s.Pos), s.Object.Value, c.name(s.Name)
	if at, ok := s.columnPos(); ok && (object == ast.ObjectModel || object == ast.ObjectFeatures) {
		c.fail(at, ast.CodeSyntax, "a "+strings.ToLower(object)+" has no columns", "")
	}
	table := ""
	if s.Table.Type != 0 {
		table = c.name(s.Table)
		if object != ast.ObjectKB || s.To.Type != 0 {
			c.fail(s.Table.Pos, ast.CodeSyntax, "only columns of tables of a kb are altered by their names",
				"ALTER KB name.table ADD COLUMN …")
		}
	}
	switch {
	case s.To.Type != 0:
		return &ast.AlterRename{Pos: pos, Object: object, Name: name, To: c.name(s.To)}
	case s.Column != nil:
		return &ast.AlterAddColumn{Pos: pos, Object: object, Name: name, Table: table, Column: c.columnDef(s.Column)}
	case s.Drop.Type != 0:
		return &ast.AlterDropColumn{Pos: pos, Object: object, Name: name, Table: table, Column: c.name(s.Drop)}
	}
	return &ast.AlterRenameColumn{Pos: pos, Object: object, Name: name, Table: table, Column: c.name(s.Old),
		To: c.name(s.New)}
}

// columnPos is where the statement names a column, if it does.
func (s *alterStatement) columnPos() (lexer.Position, bool) {
	switch {
	case s.Column != nil:
		return s.Column.Pos, true
	case s.Drop.Type != 0:
		return s.Drop.Pos, true
	}
	return s.Old.Pos, s.Old.Type != 0
}

func (s *loadStatement) statement(c *converter) ast.Statement {
	paths := c.constants(s.Paths)
	if s.Model.Type != 0 {
		if len(paths) > 1 {
			c.fail(s.Model.Pos, ast.CodeSyntax, "a model is loaded from one path", "")
			return nil
		}
		paths = append(paths, nil) // for STDIN
		return &ast.LoadModel{Pos: c.position(s.Pos), Path: paths[0], Name: c.name(s.Model),
			Format: c.format(s.Of), At: c.position(s.Of.Pos), With: c.options(s.How)}
	}
	return &ast.Load{Pos: c.position(s.Pos), Paths: paths, Into: c.target(s.Into), Format: c.format(s.Format),
		At:   c.position(s.Format.Pos),
		With: c.options(s.With), Set: c.assignments(s.Set)}
}

func (s *insertStatement) statement(c *converter) ast.Statement {
	out := &ast.Insert{Pos: c.position(s.Pos), Into: c.target(s.Into), Alias: c.name(s.Alias),
		Columns: c.columns(s.Columns),
		Values:  c.inserted(s), Select: c.query(s.Select), Returning: all(s.Returning, c.item)}
	c.conflict(out, s.Conflict)
	return out
}

// inserted is the rows of VALUES; DEFAULT VALUES is one row without any value.
func (c *converter) inserted(s *insertStatement) [][]ast.Expr {
	if s.Default {
		if s.Columns != nil {
			c.fail(s.Pos, ast.CodeSyntax, "DEFAULT VALUES takes no columns", "")
		}
		return [][]ast.Expr{{&ast.Literal{Pos: c.position(s.Pos)}}}
	}
	var out [][]ast.Expr
	for row := range c.rowsOf(s.Values, c.assignedValue) {
		out = append(out, all(row, func(x positioned) ast.Expr { return x.value }))
	}
	return out
}

// conflict converts what ON CONFLICT asks for; DO NOTHING is SKIP.
func (c *converter) conflict(out *ast.Insert, s *conflict) {
	switch {
	case s == nil:
	case s.Action.Type != 0:
		out.Conflict = s.Action.Value
	case s.Update.Type == 0:
		out.Conflict, out.Keys = "SKIP", c.columns(s.Key)
	case s.Key == nil:
		c.fail(s.Update.Pos, ast.CodeSyntax, "DO UPDATE does not name the key",
			"write ON CONFLICT (column, …) DO UPDATE SET …")
	default:
		out.Conflict, out.Keys, out.Set, out.Where = "UPDATE", c.columns(s.Key), c.updateAssignments(s.Set),
			c.expr(s.Where)
	}
}

func (s *deleteStatement) statement(c *converter) ast.Statement {
	return &ast.Delete{Pos: c.position(s.Pos), From: c.target(s.From), Alias: c.name(s.Alias),
		Using: all(s.Using, c.joined),
		Where: c.expr(s.Where), Returning: all(s.Returning, c.item)}
}

func (s *updateStatement) statement(c *converter) ast.Statement {
	return &ast.Update{Pos: c.position(s.Pos), Table: c.target(s.Table), Alias: c.name(s.Alias),
		Set: c.updateAssignments(s.Set), From: all(s.From, c.joined), Where: c.expr(s.Where),
		Returning: all(s.Returning, c.item)}
}

func (s *copyModelStatement) statement(c *converter) ast.Statement {
	return &ast.CopyModel{Pos: c.position(s.Pos), Model: c.model(s.Model), Path: c.constant(s.To.Path),
		Format: c.format(s.Of), At: c.position(s.Of.Pos)}
}
