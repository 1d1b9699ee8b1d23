package ast

import (
	"strings"
)

// Show is SHOW name: a list of objects (SHOW MODELS) or a setting.
type Show struct {
	Pos
	Name    string // as written, with dots if qualified
	NamePos Pos
}

// Describe is DESCRIBE [object] name[@version][.layer].
type Describe struct {
	Pos
	Object  string // ObjectModel, ObjectKind, ObjectFormat, …, empty if unsaid
	Name    string
	Version string // of a model, empty if none
	Path    string // layer or relation, empty if none
}

// Check is CHECK CORPUS name [WITH (…)] or CHECK DATABASE.
type Check struct {
	Pos
	Corpus string // empty for the database
	With   []Option
}

// CancelJob is CANCEL JOB number.
type CancelJob struct {
	Pos
	Job Expr // a literal or parameter
}

// CancelStatement is CANCEL STATEMENT number.
type CancelStatement struct {
	Pos
	Statement Expr // a literal or parameter
}

// CancelSession is CANCEL SESSION number.
type CancelSession struct {
	Pos
	Session Expr // a literal or parameter
}

// ResumeJob is RESUME JOB number.
type ResumeJob struct {
	Pos
	Job Expr // a literal or parameter
}

// Set is SET [LOCAL] name = value, for the session or the transaction block.
type Set struct {
	Pos
	Local   bool
	Name    string // with dots if qualified
	NamePos Pos
	Value   OptionValue
}

// Reset is RESET name, or RESET ALL.
type Reset struct {
	Pos
	Name    string // empty for all
	NamePos Pos
	Default bool // SET name = DEFAULT
}

// AlterSystem is ALTER SYSTEM SET name = value or ALTER SYSTEM RESET name, for the database.
type AlterSystem struct {
	Pos
	Name    string // with dots if qualified
	NamePos Pos
	Value   OptionValue // nil for RESET

	Database bool // ALTER DATABASE, which is another name for ALTER SYSTEM
}

// Tag is what the statement answers.
func (s *AlterSystem) Tag() string {
	if s.Database {
		return "ALTER DATABASE"
	}
	return "ALTER SYSTEM"
}

// Reload is ALTER SYSTEM RELOAD: the file at the path of the database is opened anew.
type Reload struct {
	Pos
	Database bool // ALTER DATABASE, which is another name for ALTER SYSTEM
}

// Tag is what the statement answers.
func (s *Reload) Tag() string { return (&AlterSystem{Database: s.Database}).Tag() }

// ClearCache is CLEAR CACHE [FOR model].
type ClearCache struct {
	Pos
	Model *ModelRef // nil for all models
}

// Backup is BACKUP TO path.
type Backup struct {
	Pos
	Path Expr // a literal or parameter
}

// Compact is COMPACT.
type Compact struct{ Pos }

// Discard is DISCARD ALL, DISCARD TEMP, or DISCARD of what a session does not have.
type Discard struct {
	Pos
	What string // PLANS, SEQUENCES or TEMP; empty for all
}

// DiscardTemporary is What of a Discard that drops the temporary objects of the session.
const DiscardTemporary = "TEMP"

// Unlisten is UNLISTEN name or *.
type Unlisten struct {
	Pos
	Name string // empty for all
}

func (*Show) statement()            {}
func (*Describe) statement()        {}
func (*Check) statement()           {}
func (*CancelJob) statement()       {}
func (*CancelStatement) statement() {}
func (*CancelSession) statement()   {}
func (*ResumeJob) statement()       {}
func (*Set) statement()             {}
func (*Reset) statement()           {}
func (*AlterSystem) statement()     {}
func (*Reload) statement()          {}
func (*ClearCache) statement()      {}
func (*Backup) statement()          {}
func (*Compact) statement()         {}
func (*Discard) statement()         {}
func (*Unlisten) statement()        {}

// String prints the statement.
func (s *Show) String() string            { return render(s) }
func (s *Describe) String() string        { return render(s) }
func (s *Check) String() string           { return render(s) }
func (s *CancelJob) String() string       { return render(s) }
func (s *CancelStatement) String() string { return render(s) }
func (s *CancelSession) String() string   { return render(s) }
func (s *ResumeJob) String() string       { return render(s) }
func (s *Set) String() string             { return render(s) }
func (s *Reset) String() string           { return render(s) }
func (s *AlterSystem) String() string     { return render(s) }
func (s *Reload) String() string          { return render(s) }
func (s *ClearCache) String() string      { return render(s) }
func (s *Backup) String() string          { return render(s) }
func (s *Compact) String() string         { return render(s) }
func (s *Discard) String() string         { return render(s) }
func (s *Unlisten) String() string        { return render(s) }

func (s *Show) print(p *printer) { p.text("SHOW ", setting(s.Name)) }

func (s *Describe) print(p *printer) {
	p.text("DESCRIBE ")
	if s.Object != "" {
		p.text(s.Object, " ")
	}
	reference(p, s.Name, s.Version, s.Path)
}

func (s *Check) print(p *printer) {
	if s.Corpus == "" {
		p.text("CHECK DATABASE")
		return
	}
	p.text("CHECK CORPUS ", QuoteName(s.Corpus))
	p.options(" WITH ", s.With)
}

func (s *CancelJob) print(p *printer) { p.clause("CANCEL JOB ", s.Job) }

func (s *CancelStatement) print(p *printer) { p.clause("CANCEL STATEMENT ", s.Statement) }

func (s *CancelSession) print(p *printer) { p.clause("CANCEL SESSION ", s.Session) }

func (s *ResumeJob) print(p *printer) { p.clause("RESUME JOB ", s.Job) }

func (s *Set) print(p *printer) {
	p.text("SET ")
	p.when(s.Local, "LOCAL ")
	if name := setting(s.Name); s.Local && strings.EqualFold(name, "to") {
		p.text(`"`, name, `"`) // else LOCAL would be the name
	} else {
		p.text(name)
	}
	p.text(" = ")
	s.Value.print(p)
}

func (s *Reset) print(p *printer) {
	if s.Name == "" {
		p.text("RESET ALL")
		return
	}
	if s.Default {
		p.text("SET ", setting(s.Name), " = DEFAULT")
		return
	}
	p.text("RESET ", setting(s.Name))
}

func (s *AlterSystem) print(p *printer) {
	if s.Value == nil {
		p.text(s.Tag(), " RESET ", setting(s.Name))
		return
	}
	p.text(s.Tag(), " SET ", setting(s.Name), " = ")
	s.Value.print(p)
}

func (s *Reload) print(p *printer) { p.text(s.Tag(), " RELOAD") }

func (s *ClearCache) print(p *printer) {
	p.text("CLEAR CACHE")
	if s.Model != nil {
		p.text(" FOR ")
		s.Model.print(p)
	}
}

func (s *Backup) print(p *printer) { p.clause("BACKUP TO ", s.Path) }

func (s *Compact) print(p *printer) { p.text("COMPACT") }

func (s *Discard) print(p *printer) {
	p.text("DISCARD ", s.What)
	p.when(s.What == "", "ALL")
}

func (s *Unlisten) print(p *printer) {
	if s.Name == "" {
		p.text("UNLISTEN *")
		return
	}
	p.text("UNLISTEN ", QuoteName(s.Name))
}

// Deallocate is DEALLOCATE name or ALL. Drivers and connection pools send it to have statements forgotten that they
// have prepared by the protocol.
type Deallocate struct {
	Pos
	Name string // empty for ALL
}

func (*Deallocate) statement() {}

// String prints the statement.
func (s *Deallocate) String() string { return render(s) }

func (s *Deallocate) print(p *printer) {
	if s.Name == "" {
		p.text("DEALLOCATE ALL")
		return
	}
	p.text("DEALLOCATE ", QuoteName(s.Name))
}
