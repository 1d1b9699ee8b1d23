package ast

// Kinds of object that CREATE, DROP, ALTER and DESCRIBE name.
const (
	ObjectCorpus    = "CORPUS"
	ObjectGazetteer = "GAZETTEER"
	ObjectLexicon   = "LEXICON"
	ObjectTable     = "TABLE" // another word for a lexicon
	ObjectKB        = "KB"
	ObjectFeatures  = "FEATURES"
	ObjectModel     = "MODEL"
	ObjectUser      = "USER"
	ObjectKind      = "KIND"
	ObjectFormat    = "FORMAT"
)

// Create is CREATE [TEMPORARY] CORPUS|GAZETTEER|LEXICON|TABLE|KB.
type Create struct {
	Pos
	Temporary   bool
	Object      string // ObjectCorpus, ObjectGazetteer, ObjectLexicon, ObjectTable or ObjectKB
	IfNotExists bool
	Name        string
	Columns     []ColumnDef
	With        []Option
	As          *Select // nil if none
}

// ColumnDef is the name and type of a column.
type ColumnDef struct {
	Pos
	Name string
	Type Type
}

// CreateFeatures is CREATE FEATURES name AS 'templates'.
type CreateFeatures struct {
	Pos
	IfNotExists bool
	Name        string
	Templates   string
}

// CreateIndex is CREATE [FULLTEXT] INDEX ON target (columns) [WITH (option = value, …)].
type CreateIndex struct {
	Pos
	Fulltext    bool
	IfNotExists bool
	On          Target
	Columns     []string
	At          []Pos // of Columns
	With        []Option
}

// ColumnPos is the place of a column; that of the statement where it is not known.
func (s *CreateIndex) ColumnPos(i int) Pos {
	if i < len(s.At) {
		return s.At[i]
	}
	return s.Pos
}

// Drop is DROP object [IF EXISTS] name[@version].
type Drop struct {
	Pos
	Object   string // one of the Object constants but KIND and FORMAT
	IfExists bool
	Name     string
	NamePos  Pos
	Version  string // of a model; empty for all of it
}

// DropIndex is DROP INDEX [IF EXISTS] ON target (columns).
type DropIndex struct {
	Pos
	IfExists bool
	On       Target
	Columns  []string
}

// AlterRename is ALTER object name RENAME TO other.
type AlterRename struct {
	Pos
	Object string
	Name   string
	To     string
}

// AlterAddColumn is ALTER object name[.table] ADD [COLUMN] column type.
type AlterAddColumn struct {
	Pos
	Object string
	Name   string
	Table  string // of a knowledge base, empty for its triples and for other objects
	Column ColumnDef
}

// AlterDropColumn is ALTER object name[.table] DROP [COLUMN] column.
type AlterDropColumn struct {
	Pos
	Object string
	Name   string
	Table  string // of a knowledge base, empty for its triples and for other objects
	Column string
}

// AlterRenameColumn is ALTER object name[.table] RENAME [COLUMN] column TO other.
type AlterRenameColumn struct {
	Pos
	Object string
	Name   string
	Table  string // of a knowledge base, empty for its triples and for other objects
	Column string
	To     string
}

func (*Create) statement()            {}
func (*CreateFeatures) statement()    {}
func (*CreateIndex) statement()       {}
func (*Drop) statement()              {}
func (*DropIndex) statement()         {}
func (*AlterRename) statement()       {}
func (*AlterAddColumn) statement()    {}
func (*AlterDropColumn) statement()   {}
func (*AlterRenameColumn) statement() {}

// String prints the statement or its part.
func (s *Create) String() string            { return render(s) }
func (s ColumnDef) String() string          { return render(s) }
func (s *CreateFeatures) String() string    { return render(s) }
func (s *CreateIndex) String() string       { return render(s) }
func (s *Drop) String() string              { return render(s) }
func (s *DropIndex) String() string         { return render(s) }
func (s *AlterRename) String() string       { return render(s) }
func (s *AlterAddColumn) String() string    { return render(s) }
func (s *AlterDropColumn) String() string   { return render(s) }
func (s *AlterRenameColumn) String() string { return render(s) }

func (s *Create) print(p *printer) {
	p.text("CREATE ")
	if s.Temporary {
		p.text("TEMPORARY ")
	}
	p.text(s.Object, " ")
	p.when(s.IfNotExists, "IF NOT EXISTS ")
	p.text(QuoteName(s.Name))
	if len(s.Columns) > 0 {
		list(p, " (", s.Columns)
		p.text(")")
	}
	p.options(" WITH ", s.With)
	if s.As != nil {
		p.text(" AS ")
		s.As.print(p)
	}
}

func (s ColumnDef) print(p *printer) {
	p.text(QuoteName(s.Name), " ")
	s.Type.print(p)
}

func (s *CreateFeatures) print(p *printer) {
	p.text("CREATE FEATURES ")
	p.when(s.IfNotExists, "IF NOT EXISTS ")
	p.text(QuoteName(s.Name), " AS ", QuoteText(s.Templates))
}

func (s *CreateIndex) print(p *printer) {
	p.text("CREATE ")
	p.when(s.Fulltext, "FULLTEXT ")
	p.text("INDEX ")
	p.when(s.IfNotExists, "IF NOT EXISTS ")
	p.text("ON ")
	s.On.print(p)
	p.names(s.Columns)
	p.options(" WITH ", s.With)
}

func (s *Drop) print(p *printer) {
	p.text("DROP ", s.Object, " ")
	p.when(s.IfExists, "IF EXISTS ")
	reference(p, s.Name, s.Version, "")
}

func (s *DropIndex) print(p *printer) {
	p.text("DROP INDEX ")
	p.when(s.IfExists, "IF EXISTS ")
	p.text("ON ")
	s.On.print(p)
	p.names(s.Columns)
}

func (s *AlterRename) print(p *printer) {
	p.text("ALTER ", s.Object, " ", QuoteName(s.Name), " RENAME TO ", QuoteName(s.To))
}

// altered is what has the columns of an ALTER.
func altered(name, table string) string {
	if table == "" {
		return QuoteName(name)
	}
	return QuoteName(name) + "." + QuoteName(table)
}

func (s *AlterAddColumn) print(p *printer) {
	p.text("ALTER ", s.Object, " ", altered(s.Name, s.Table), " ADD COLUMN ")
	s.Column.print(p)
}

func (s *AlterDropColumn) print(p *printer) {
	p.text("ALTER ", s.Object, " ", altered(s.Name, s.Table), " DROP COLUMN ", QuoteName(s.Column))
}

func (s *AlterRenameColumn) print(p *printer) {
	p.text("ALTER ", s.Object, " ", altered(s.Name, s.Table), " RENAME COLUMN ", QuoteName(s.Column), " TO ",
		QuoteName(s.To))
}
