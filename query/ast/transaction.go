package ast

// Begin is BEGIN or START TRANSACTION.
type Begin struct {
	Pos
	Modes string // READ ONLY, ISOLATION LEVEL SERIALIZABLE, … in upper case
}

// SetTransaction is SET TRANSACTION modes, or SET SESSION CHARACTERISTICS AS TRANSACTION modes.
type SetTransaction struct {
	Pos
	Session bool
	Modes   string // as in Begin
}

// Commit is COMMIT or END [AND CHAIN].
type Commit struct {
	Pos
	Chain bool // a block with the same modes follows
}

// Rollback is ROLLBACK or ABORT [AND CHAIN].
type Rollback struct {
	Pos
	Chain bool // as in Commit
}

// Savepoint is SAVEPOINT name.
type Savepoint struct {
	Pos
	Name string
}

// Release is RELEASE [SAVEPOINT] name.
type Release struct {
	Pos
	Name string
}

// RollbackTo is ROLLBACK TO [SAVEPOINT] name.
type RollbackTo struct {
	Pos
	Name string
}

func (*Begin) statement()          {}
func (*SetTransaction) statement() {}
func (*Commit) statement()         {}
func (*Rollback) statement()       {}
func (*Savepoint) statement()      {}
func (*Release) statement()        {}
func (*RollbackTo) statement()     {}

// String prints the statement.
func (s *Begin) String() string          { return render(s) }
func (s *SetTransaction) String() string { return render(s) }
func (s *Commit) String() string         { return render(s) }
func (s *Rollback) String() string       { return render(s) }
func (s *Savepoint) String() string      { return render(s) }
func (s *Release) String() string        { return render(s) }
func (s *RollbackTo) String() string     { return render(s) }

func (s *Begin) print(p *printer) {
	p.text("BEGIN")
	if s.Modes != "" {
		p.text(" ", s.Modes)
	}
}

func (s *SetTransaction) print(p *printer) {
	p.text("SET ")
	p.when(s.Session, "SESSION CHARACTERISTICS AS ")
	p.text("TRANSACTION ", s.Modes)
}

func (s *Commit) print(p *printer) {
	p.text("COMMIT")
	p.when(s.Chain, " AND CHAIN")
}

func (s *Rollback) print(p *printer) {
	p.text("ROLLBACK")
	p.when(s.Chain, " AND CHAIN")
}

func (s *Savepoint) print(p *printer) { p.text("SAVEPOINT ", QuoteName(s.Name)) }

func (s *Release) print(p *printer) { p.text("RELEASE SAVEPOINT ", QuoteName(s.Name)) }

func (s *RollbackTo) print(p *printer) { p.text("ROLLBACK TO SAVEPOINT ", QuoteName(s.Name)) }
