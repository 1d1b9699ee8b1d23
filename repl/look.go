package repl

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// look is how rows are shown.
type look struct {
	format   string // one of formats but vertical
	expanded string // off, on, auto: of tables and unaligned rows
	usual    string // expanded without \x: auto on a terminal, else off
	null     string // what NULL is shown as
	bare     bool   // without names and number of rows
	footer   bool   // with the number of rows
	fieldsep string // between the columns of unaligned rows
	border   int    // lines of tables: 0 none, 1 between columns, 2 around them
	ascii    bool   // lines of tables are made of - | +
}

// formats are those in which rows are shown.
var formats = []string{"csv", "jsonl", "markdown", "picture", "table", "tsv", "unaligned", "vertical"}

func newLook(format string) look {
	l := look{expanded: "off", usual: "off", footer: true, fieldsep: "|", border: 1}
	_ = l.setFormat(format) // --format has checked it
	return l
}

// setFormat chooses a format, by psql's names too.
func (l *look) setFormat(format string) error {
	switch format {
	case "aligned", "wrapped":
		format = "table"
	case "vertical":
		l.format, l.expanded = "table", "on"
		return nil
	}
	if !slices.Contains(formats, format) {
		return fmt.Errorf("there is no format %s: %s are those that there are", quoted(format), strings.Join(formats, ", "))
	}
	l.format = format
	return nil
}

// machine tells whether rows are shown for programs, so that nothing else is shown among them.
func (l *look) machine() bool { return slices.Contains([]string{"csv", "tsv", "jsonl"}, l.format) }

// lookOption is something that \pset shows or sets.
type lookOption struct {
	name   string
	values []string // nil for any text
	get    func(l *look) string
	set    func(l *look, value string) error
}

// lookOptions are all of them but the pager, which belongs to the terminal.
var lookOptions = []lookOption{
	{"border", []string{"0", "1", "2"}, func(l *look) string { return string(rune('0' + l.border)) },
		func(l *look, v string) error { l.border = int(v[0] - '0'); return nil }},
	{"expanded", []string{"auto", "off", "on"}, func(l *look) string { return l.expanded },
		func(l *look, v string) error { l.expanded = v; return nil }},
	{"fieldsep", nil, func(l *look) string { return quote(l.fieldsep) }, func(l *look, v string) error { l.fieldsep = v; return nil }},
	{"footer", truth, func(l *look) string { return onOff(l.footer) }, func(l *look, v string) error { l.footer = v == "on"; return nil }},
	{"format", formats, func(l *look) string { return l.format }, (*look).setFormat},
	{"linestyle", []string{"ascii", "unicode"}, func(l *look) string { return map[bool]string{true: "ascii", false: "unicode"}[l.ascii] },
		func(l *look, v string) error { l.ascii = v == "ascii"; return nil }},
	{"null", nil, func(l *look) string { return quote(l.null) }, func(l *look, v string) error { l.null = v; return nil }},
	{"tuples_only", truth, func(l *look) string { return onOff(l.bare) }, func(l *look, v string) error { l.bare = v == "on"; return nil }},
}

func onOff(is bool) string { return map[bool]string{true: "on", false: "off"}[is] }

// lookNames are the names of what \pset takes.
func lookNames() []string {
	out := []string{"pager"}
	for _, o := range lookOptions {
		out = append(out, o.name)
	}
	slices.Sort(out)
	return out
}

// lookNamed finds an option by its name; psql's short names of some are known too.
func lookNamed(name string) (*lookOption, error) {
	name = cmp.Or(map[string]string{"x": "expanded", "t": "tuples_only"}[name], name)
	i := slices.IndexFunc(lookOptions, func(o lookOption) bool { return o.name == name })
	if i < 0 {
		return nil, fmt.Errorf("there is no %s: %s are what there is", quoted(name), strings.Join(lookNames(), ", "))
	}
	return &lookOptions[i], nil
}

// change sets an option to a value; without one, switches are turned over and others stay.
func (o *lookOption) change(l *look, value string, given bool) error {
	if is, ok := boolean(value); ok && slices.Contains(o.values, "on") {
		value = onOff(is)
	}
	if !given {
		if !slices.Contains(o.values, "on") {
			return nil
		}
		value = onOff(o.get(l) == "off")
		if o.name == "expanded" && l.expanded == l.usual {
			value = "on"
		} else if o.name == "expanded" {
			value = l.usual
		}
	}
	if o.values != nil && o.name != "format" && !slices.Contains(o.values, value) {
		return fmt.Errorf("%s takes %s, not %s", o.name, strings.Join(o.values, ", "), quoted(value))
	}
	return o.set(l, value)
}

// report tells what an option is.
func (o *lookOption) report(l *look) string {
	switch v := o.get(l); o.name {
	case "border":
		return "Border style is " + v + "."
	case "expanded":
		if v == "auto" {
			return "Expanded display is used automatically."
		}
		return "Expanded display is " + v + "."
	case "fieldsep":
		return "Field separator is \"" + l.fieldsep + "\"."
	case "footer":
		return "Default footer is " + v + "."
	case "format":
		return "Output format is " + v + "."
	case "linestyle":
		return "Line style is " + v + "."
	case "null":
		return "Null display is \"" + l.null + "\"."
	default:
		return "Tuples only is " + v + "."
	}
}
