package ast

// Prepare is PREPARE name [(type, …)] AS statement.
type Prepare struct {
	Pos
	Name      string
	Types     []Type // of its first parameters; what others are their surroundings tell
	Statement Statement
}

// Execute is EXECUTE name [(value, …)].
type Execute struct {
	Pos
	Name string
	Args []Expr
}

// Deallocate is DEALLOCATE name or ALL.
type Deallocate struct {
	Pos
	Name string // empty for ALL
}

func (*Prepare) statement()    {}
func (*Execute) statement()    {}
func (*Deallocate) statement() {}

// String prints the statement.
func (s *Prepare) String() string    { return render(s) }
func (s *Execute) String() string    { return render(s) }
func (s *Deallocate) String() string { return render(s) }

func (s *Prepare) print(p *printer) {
	p.text("PREPARE ", QuoteName(s.Name))
	if len(s.Types) > 0 {
		list(p, " (", s.Types)
		p.text(")")
	}
	p.text(" AS ")
	s.Statement.print(p)
}

func (s *Execute) print(p *printer) {
	p.text("EXECUTE ", QuoteName(s.Name))
	if len(s.Args) > 0 {
		list(p, " (", s.Args)
		p.text(")")
	}
}

func (s *Deallocate) print(p *printer) {
	if s.Name == "" {
		p.text("DEALLOCATE ALL")
		return
	}
	p.text("DEALLOCATE ", QuoteName(s.Name))
}
