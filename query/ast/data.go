package ast

// Load is LOAD paths|STDIN INTO name FORMAT format …
type Load struct {
	Pos
	Paths  []Expr // literals or parameters: paths or globs; empty for STDIN
	Into   Target
	Format string // empty if none is named
	At     Pos    // of the format
	With   []Option
	Set    []Assignment // metadata of the loaded documents
}

// LoadModel is LOAD path | STDIN INTO MODEL name [FORMAT format] [WITH (options)].
type LoadModel struct {
	Pos
	Path   Expr // a literal or parameter; nil for STDIN
	Name   string
	Format string // of another program; empty for the model files of this one
	At     Pos    // of the format
	With   []Option
}

// Assignment is column = value of SET.
type Assignment struct {
	Pos
	Column string
	Value  Expr
}

// Insert is INSERT INTO target [AS alias] [(columns)] VALUES … | select.
type Insert struct {
	Pos
	Into      Target
	Alias     string
	Columns   []string // empty for all, in their order
	Values    [][]Expr // rows; nil if there is a select
	Select    *Select
	Conflict  string       // "REPLACE", "SKIP", "UPDATE", or empty: an equal key is an error
	Keys      []string     // the columns after ON CONFLICT, empty if none are named
	Set       []Assignment // of DO UPDATE, whose expressions may read the table excluded
	Where     Expr         // of DO UPDATE: other rows stay as they are
	Returning []Item       // nil for none, as of the other changes
}

// Delete is DELETE FROM target [AS alias] [USING table, …] [WHERE …].
type Delete struct {
	Pos
	From      Target
	Alias     string
	Using     []TableRef
	Where     Expr
	Returning []Item
}

// Update is UPDATE target [AS alias] SET … [FROM table, …] [WHERE …].
type Update struct {
	Pos
	Table     Target
	Alias     string
	Set       []Assignment
	From      []TableRef
	Where     Expr
	Returning []Item
}

// CopyTo is COPY (select) | target [USING model, …] [WHERE …] [ORDER BY …] TO path | STDOUT.
type CopyTo struct {
	Pos
	Select  *Select // nil if there is a target
	From    Target
	Columns []string // of the target; empty for all
	Using   []ModelRef
	Where   Expr
	OrderBy []Order
	Path    Expr   // a literal or parameter; nil for STDOUT
	Format  string // empty if none is named
	At      Pos    // of the format
	With    []Option
}

// CopyFrom is COPY target [(columns)] FROM path | STDIN.
type CopyFrom struct {
	Pos
	Into    Target
	Columns []string // empty for all
	Path    Expr     // a literal or parameter; nil for STDIN
	Format  string   // empty if none is named
	At      Pos      // of the format
	With    []Option
}

// CopyModel is COPY MODEL model TO path | STDOUT [FORMAT format].
type CopyModel struct {
	Pos
	Model  ModelRef
	Path   Expr   // a literal or parameter; nil for STDOUT
	Format string // of another program; empty for a model file of this one
	At     Pos    // of the format
}

func (*Load) statement()      {}
func (*LoadModel) statement() {}
func (*Insert) statement()    {}
func (*Delete) statement()    {}
func (*Update) statement()    {}
func (*CopyTo) statement()    {}
func (*CopyFrom) statement()  {}
func (*CopyModel) statement() {}

// String prints the statement or its part.
func (s *Load) String() string      { return render(s) }
func (s *LoadModel) String() string { return render(s) }
func (s Assignment) String() string { return render(s) }
func (s *Insert) String() string    { return render(s) }
func (s *Delete) String() string    { return render(s) }
func (s *Update) String() string    { return render(s) }
func (s *CopyTo) String() string    { return render(s) }
func (s *CopyFrom) String() string  { return render(s) }
func (s *CopyModel) String() string { return render(s) }

func (s *Load) print(p *printer) {
	p.text("LOAD ")
	p.when(len(s.Paths) == 0, "STDIN")
	list(p, "", s.Paths)
	p.text(" INTO ")
	s.Into.print(p)
	format(p, s.Format)
	p.options(" WITH ", s.With)
	list(p, " SET ", s.Set)
}

func (s *LoadModel) print(p *printer) {
	p.text("LOAD ")
	path(p, s.Path, "STDIN")
	p.text(" INTO MODEL ", QuoteName(s.Name))
	format(p, s.Format)
	p.options(" WITH ", s.With)
}

func (s Assignment) print(p *printer) {
	p.text(QuoteName(s.Column), " = ")
	s.Value.print(p)
}

func (s *Insert) print(p *printer) {
	p.text("INSERT INTO ")
	s.Into.print(p)
	alias(p, s.Alias)
	p.names(s.Columns)
	for i, row := range s.Values {
		if i == 0 {
			p.text(" VALUES ")
		} else {
			p.text(", ")
		}
		list(p, "(", row)
		p.text(")")
	}
	if s.Select != nil {
		p.text(" ")
		s.Select.print(p)
	}
	if s.Conflict != "" {
		s.conflict(p)
	}
	list(p, " RETURNING ", s.Returning)
}

// conflict prints what becomes of rows whose key is taken.
func (s *Insert) conflict(p *printer) {
	p.text(" ON CONFLICT")
	p.names(s.Keys)
	switch {
	case s.Conflict == "UPDATE":
		list(p, " DO UPDATE SET ", s.Set)
		p.clause(" WHERE ", s.Where)
	case len(s.Keys) > 0:
		p.text(" DO NOTHING")
	default:
		p.text(" ", s.Conflict)
	}
}

func (s *Delete) print(p *printer) {
	p.text("DELETE FROM ")
	s.From.print(p)
	alias(p, s.Alias)
	list(p, " USING ", s.Using)
	p.clause(" WHERE ", s.Where)
	list(p, " RETURNING ", s.Returning)
}

func (s *Update) print(p *printer) {
	p.text("UPDATE ")
	s.Table.print(p)
	alias(p, s.Alias)
	list(p, " SET ", s.Set)
	list(p, " FROM ", s.From)
	p.clause(" WHERE ", s.Where)
	list(p, " RETURNING ", s.Returning)
}

func (s *CopyTo) print(p *printer) {
	p.text("COPY ")
	if s.Select != nil {
		p.text("(")
		s.Select.print(p)
		p.text(")")
	} else {
		s.From.print(p)
		p.names(s.Columns)
		list(p, " USING ", s.Using)
		p.clause(" WHERE ", s.Where)
		list(p, " ORDER BY ", s.OrderBy)
	}
	p.text(" TO ")
	path(p, s.Path, "STDOUT")
	format(p, s.Format)
	p.options(" WITH ", s.With)
}

func (s *CopyFrom) print(p *printer) {
	p.text("COPY ")
	s.Into.print(p)
	p.names(s.Columns)
	p.text(" FROM ")
	path(p, s.Path, "STDIN")
	format(p, s.Format)
	p.options(" WITH ", s.With)
}

func (s *CopyModel) print(p *printer) {
	p.text("COPY MODEL ")
	s.Model.print(p)
	p.text(" TO ")
	path(p, s.Path, "STDOUT")
	format(p, s.Format)
}

// path writes a path, or the name of the stream for none.
func path(p *printer, e Expr, stream string) {
	if e == nil {
		p.text(stream)
		return
	}
	e.print(p)
}

// format writes FORMAT name, or nothing for none.
func format(p *printer, name string) {
	if name != "" {
		p.text(" FORMAT ", QuoteName(name))
	}
}
