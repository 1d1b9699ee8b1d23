package change

import (
	"cmp"
	"path/filepath"
	"slices"

	"parlance/query/ast"
	"parlance/query/exec"
	"parlance/query/fault"
	"parlance/query/plan"
	"parlance/storage/catalog"
	"parlance/storage/format"
	"parlance/storage/format/codec"
	"parlance/storage/format/resource"
	"parlance/storage/format/table"
	"parlance/storage/value"
)

// guessed is a LOAD, or a COPY … FROM, that names no format with the one that its files look like, and with the options
// that this needs beside those that the statement has. A notice tells what was guessed.
func guessed(r *exec.Execution, statement string, s *ast.Load, o *catalog.Object, paths []string) (*ast.Load, error) {
	out := *s
	if o.Kind != catalog.CorpusObject || s.Into.Layer != "" {
		var err error
		if out.Format, err = formatOf(s.Pos, statement, o, paths); err != nil {
			return nil, err
		}
		if len(paths) > 0 {
			if out.Format, err = shownFormat(r, s, o, paths, out.Format); err != nil {
				return nil, fault.File(pathPlace(s), err)
			}
		}
		r.Session.Notice("read as FORMAT " + out.Format)
		return &out, nil
	}
	src, err := codec.OpenSources(r.Files(), paths, r.Session.Stdin, encodingOf(s.With))
	if err != nil {
		return nil, fault.File(pathPlace(s), err)
	}
	g, err := format.GuessFormat(src)
	if err != nil {
		return nil, fault.File(pathPlace(s), err)
	}
	if g.Format == "" {
		name := "standard input"
		if len(paths) > 0 {
			name = filepath.Base(paths[0])
		}
		return nil, plan.Errorf(s.Pos, ast.CodeSyntax, g.Hint, "%s needs a FORMAT: %s looks like %s", statement, name,
			g.Looks)
	}
	g.With = slices.DeleteFunc(g.With, func(v codec.GuessValue) bool { return optionNamed(s.With, v.Name) != nil })
	out.Format, out.With = g.Format, slices.Clone(s.With)
	for _, v := range g.With {
		out.With = append(out.With, ast.Option{Pos: s.Pos, Name: v.Name, Value: guessValue(s.Pos, v)})
	}
	if g.Looks != "" {
		g.Looks = ": " + g.Looks
	}
	r.Session.Notice("read as " + g.Statement() + g.Looks)
	return &out, nil
}

// shownFormat is the format of rows that a file shows by its first bytes: one of typed columns, or word vectors where
// the table has a column for them. Others are of the format usual.
func shownFormat(r *exec.Execution, s *ast.Load, o *catalog.Object, paths []string, usual string) (string, error) {
	src, err := codec.OpenSources(r.Files(), paths, r.Session.Stdin, encodingOf(s.With))
	if err != nil {
		return "", err
	}
	if s.Into.Layer == "" && format.OfExtension(paths) == "" && slices.ContainsFunc(o.Columns, vectorColumn) {
		vectors, err := resource.LooksVectors(src)
		if err != nil {
			return "", err
		}
		if vectors {
			return "word2vec", nil
		}
	}
	kind, err := table.KindOf(src)
	return cmp.Or(string(kind), usual), err
}

func vectorColumn(c catalog.ColumnDef) bool { return c.Type == value.Vector }

// optionNamed is the value of an option of a list, nil without.
func optionNamed(list []ast.Option, name string) ast.OptionValue {
	for _, o := range list {
		if o.Name == name {
			return o.Value
		}
	}
	return nil
}

// encodingOf is the encoding that options name by a text; "" for the usual one.
func encodingOf(list []ast.Option) string {
	l, ok := optionNamed(list, "encoding").(*ast.Literal)
	if !ok {
		return ""
	}
	name, _ := l.Value.(string)
	return name
}

// guessValue is the value of an option as a statement has it.
func guessValue(pos ast.Pos, v codec.GuessValue) ast.OptionValue {
	switch {
	case v.List != nil:
		list := &ast.TupleValue{Pos: pos}
		for _, name := range v.List {
			list.Items = append(list.Items, &ast.NameValue{Pos: pos, Name: name})
		}
		return list
	case v.Off:
		return &ast.Literal{Pos: pos, Value: false}
	}
	return &ast.Literal{Pos: pos, Value: v.Text}
}
