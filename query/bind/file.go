package bind

import (
	"errors"

	"parlance/algo/option"
	"parlance/query/ast"
	"parlance/query/fault"
	"parlance/query/optarg"
	"parlance/query/plan"
	"parlance/storage/accounts"
	"parlance/storage/format/table"
)

// file plans 'path' in FROM: the rows of a file. The plan is made for one execution, for the file may be another one at
// the next, and others may not be allowed to read it.
func (b *Binder) file(t *ast.Table) (plan.Node, error) {
	if err := noUsing(t); err != nil {
		return nil, err
	}
	f, err := b.Catalog.openFile(t.Ref.File, t.With)
	if err != nil {
		return nil, err
	}
	b.Stateful = true
	alias := t.Alias
	if alias == "" {
		alias = f.Stem()
	}
	n := &plan.File{Pos: t.Ref.Pos, Table: f, Need: make([]bool, len(f.Columns))}
	for _, c := range f.Columns {
		n.Cols = append(n.Cols, plan.Column{Table: alias, Name: c.Name, Type: c.Type})
	}
	return n, nil
}

// openFile finds the columns of a file, for those who may LOAD files.
func (c *Catalog) openFile(path *ast.Literal, with []ast.Option) (*table.File, error) {
	if s := &c.Session; !s.Role.Covers(accounts.Writer) {
		return nil, plan.Errorf(path.Pos, "42501", "an admin can run ALTER USER "+ast.QuoteName(s.User)+" ROLE "+
			string(accounts.Writer), "a file in FROM needs the role %s, %s is a %s", accounts.Writer, s.User, s.Role)
	}
	args, err := optarg.Args(with, c.Env)
	if err != nil {
		return nil, err
	}
	name, _ := path.Value.(string)
	t, err := table.Open(c.Context(), c.Files(), name, args)
	var faults option.Faults
	if errors.As(err, &faults) {
		return nil, optarg.AtOption(err, with)
	}
	if err != nil {
		return nil, fault.File(path.Pos, err)
	}
	return t, nil
}
