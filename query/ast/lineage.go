package ast

// Replay is REPLAY model@version.
type Replay struct {
	Pos
	Model ModelRef
}

// DiffModels is DIFF MODEL model, model [ON input, …] [WITH (…)].
type DiffModels struct {
	Pos
	A, B ModelRef
	On   []Input // documents on which predictions are compared; empty for none
	With []Option
}

func (*Replay) statement()     {}
func (*DiffModels) statement() {}

// String prints the statement.
func (s *Replay) String() string     { return render(s) }
func (s *DiffModels) String() string { return render(s) }

func (s *Replay) print(p *printer) {
	p.text("REPLAY ")
	s.Model.print(p)
}

func (s *DiffModels) print(p *printer) {
	list(p, "DIFF MODEL ", []ModelRef{s.A, s.B})
	list(p, " ON ", s.On)
	p.options(" WITH ", s.With)
}
