package ast

import "strings"

// Option is one name = value of a WITH or OVER list.
type Option struct {
	Pos
	Name  string // as written; reserved words are allowed
	Value OptionValue
}

// NameValue is an option value that names something: name[@version][.relation].
type NameValue struct {
	Pos
	Name     string
	Version  string // number or alias, empty if none
	Relation string // empty if none
}

// TupleValue is a list of option values in parentheses.
type TupleValue struct {
	Pos
	Items []OptionValue // one or more
}

// RangeValue is an interval to draw values from: log(low, high).
type RangeValue struct {
	Pos
	Name  string // how they are distributed
	Items []OptionValue
}

func (x *RangeValue) optionValue() {}
func (x *Literal) optionValue()    {}
func (x *Param) optionValue()      {}
func (x *NameValue) optionValue()  {}
func (x *TupleValue) optionValue() {}

// String prints the option or its value.
func (x Option) String() string      { return render(x) }
func (x *NameValue) String() string  { return render(x) }
func (x *TupleValue) String() string { return render(x) }
func (x *RangeValue) String() string { return render(x) }

func (x Option) print(p *printer) {
	if plain(x.Name) {
		p.text(x.Name)
	} else {
		p.text(QuoteName(x.Name))
	}
	p.text(" = ")
	x.Value.print(p)
}

func (x *NameValue) print(p *printer) {
	p.text(QuoteName(x.Name), version(x.Version))
	if x.Relation != "" {
		p.text(".", QuoteName(x.Relation))
	}
}

func (x *TupleValue) print(p *printer) {
	list(p, "(", x.Items)
	p.text(")")
}

func (x *RangeValue) print(p *printer) {
	if x.Name == "log" || x.Name == "uniform" {
		p.text(x.Name)
	} else { // words such as ANY mean something else before a parenthesis
		p.text(`"`, strings.ReplaceAll(x.Name, `"`, `""`), `"`)
	}
	list(p, "(", x.Items)
	p.text(")")
}
