package ast

import "strconv"

// Declare is DECLARE name CURSOR [WITH HOLD] FOR select.
type Declare struct {
	Pos
	Name   string
	Hold   bool // the cursor outlives the transaction block
	Select *Select
}

// Fetch is FETCH or MOVE direction FROM cursor.
type Fetch struct {
	Pos
	Move      bool // rows are passed over
	Direction string
	All       bool  // with Forward and Backward
	Count     int64 // how many rows, or which one; not negative but for Absolute and Relative
	Cursor    string
}

// The directions of Fetch. Forward and Backward take a number of rows, Absolute and Relative one row.
const (
	Forward  = "FORWARD"
	Backward = "BACKWARD"
	Absolute = "ABSOLUTE"
	Relative = "RELATIVE"
)

// Close is CLOSE cursor, or CLOSE ALL.
type Close struct {
	Pos
	Name string // empty for all
}

func (*Declare) statement() {}
func (*Fetch) statement()   {}
func (*Close) statement()   {}

// String prints the statement.
func (s *Declare) String() string { return render(s) }
func (s *Fetch) String() string   { return render(s) }
func (s *Close) String() string   { return render(s) }

func (s *Declare) print(p *printer) {
	p.text("DECLARE ", QuoteName(s.Name), " CURSOR ")
	p.when(s.Hold, "WITH HOLD ")
	p.text("FOR ")
	s.Select.print(p)
}

func (s *Fetch) print(p *printer) {
	verb, count := "FETCH ", strconv.FormatInt(s.Count, 10)
	if s.Move {
		verb = "MOVE "
	}
	if s.All {
		count = "ALL"
	}
	p.text(verb, s.Direction, " ", count, " FROM ", QuoteName(s.Cursor))
}

func (s *Close) print(p *printer) {
	if s.Name == "" {
		p.text("CLOSE ALL")
		return
	}
	p.text("CLOSE ", QuoteName(s.Name))
}
