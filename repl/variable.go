package repl

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"parlance/db"
	"parlance/query/ast"
	"parlance/storage/value"
)

// variables are those of the shell: \set sets them, :name puts them into statements and arguments.
type variables struct{ values map[string]string }

// special is a variable that means something to the shell.
type special struct {
	name, value, doc string
	words            []string // values that it takes, the first one for none; nil for any
}

// truth are the values of switches.
var truth = []string{"on", "off"}

// specials are all of them.
var specials = []special{
	{"AUTOCOMMIT", "on", "statements outside a transaction block commit at once; on is all that it takes", []string{"on"}},
	{"ECHO", "none", "what is shown before it runs: none, queries, all lines of scripts, or errors: statements that " +
		"fail", []string{"none", "queries", "all", "errors"}},
	{"ERROR", "false", "whether the last statement failed", nil},
	{"LAST_ERROR_MESSAGE", "", "message of the last statement that failed", nil},
	{"LAST_ERROR_SQLSTATE", "00000", "code of the last statement that failed", nil},
	{"ON_ERROR_STOP", "off", "an error ends input that is not typed, as it does in exec", truth},
	{"QUIET", "off", "tags such as INSERT 3, and what commands report, are not shown", truth},
	{"ROW_COUNT", "0", "rows that the last statement returned or changed", nil},
	{"SQLSTATE", "00000", "code of the last statement, 00000 if it did not fail", nil},
}

func newVariables() *variables {
	v := &variables{map[string]string{}}
	for _, s := range specials {
		v.values[s.name] = s.value
	}
	return v
}

// set gives a variable a value.
func (v *variables) set(name, value string) error {
	if err := variableName(name); err != nil {
		return err
	}
	i := slices.IndexFunc(specials, func(s special) bool { return s.name == name })
	if i >= 0 && specials[i].words != nil {
		words := specials[i].words
		was := value
		if on, ok := boolean(value); ok && words[0] == "on" {
			value = map[bool]string{true: "on", false: "off"}[on]
		}
		if value = strings.ToLower(value); value == "" {
			value = words[0]
		}
		if !slices.Contains(words, value) {
			return fmt.Errorf("unrecognized value %q for %s: it takes %s", was, name, strings.Join(words, ", "))
		}
	}
	v.values[name] = value
	return nil
}

func variableName(name string) error {
	if name == "" || strings.ContainsFunc(name, func(r rune) bool { return !ast.NamePart(r) }) {
		return fmt.Errorf("invalid variable name: %q; letters, digits and _ make one", name)
	}
	return nil
}

// row sets a variable to each value of a row, and removes those of NULL; all of them or none.
func (v *variables) row(prefix string, columns []db.Column, row []value.Value) error {
	for _, c := range columns {
		name := prefix + c.Name
		if err := variableName(name); err != nil {
			return fmt.Errorf("%w; AS gives a column a name", err)
		}
		if slices.ContainsFunc(specials, func(s special) bool { return s.name == name }) {
			return fmt.Errorf("%s means something to the shell; AS gives the column another name", name)
		}
	}
	for i, c := range columns {
		if row[i].IsNull() {
			v.unset(prefix + c.Name)
		} else {
			v.values[prefix+c.Name] = row[i].String()
		}
	}
	return nil
}

// unset removes a variable; special ones have their first value again.
func (v *variables) unset(name string) {
	delete(v.values, name)
	for _, s := range specials {
		if s.name == name {
			v.values[name] = s.value
		}
	}
}

// on tells whether a switch is on.
func (v *variables) on(name string) bool { return v.values[name] == "on" }

// list writes all variables as \set shows them.
func (v *variables) list() string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(v.values)) {
		fmt.Fprintf(&b, "%s = '%s'\n", name, strings.ReplaceAll(v.values[name], "'", "''"))
	}
	return b.String()
}

// boolean reads true, false, yes, no, on, off, 1 and 0, and beginnings of them that are clear.
func boolean(s string) (value, ok bool) {
	if s == "" || strings.EqualFold(s, "o") {
		return false, false
	}
	for word, value := range map[string]bool{"true": true, "false": false, "yes": true, "no": false, "on": true,
		"off": false, "1": true, "0": false} {
		if len(s) <= len(word) && strings.EqualFold(s, word[:len(s)]) {
			return value, true
		}
	}
	return false, false
}

// Forms of references to variables.
const (
	plainForm = iota // :name
	textForm         // :'name'
	nameForm         // :"name"
	testForm         // :{?name}, whether it is set
)

// ref is a reference to a variable.
type ref struct {
	name   string
	form   int
	length int // of the reference
}

// reference reads the reference that text, which begins with a colon, begins with.
func reference(text string) (r ref, ok bool) {
	open, end := ":", ""
	for form, around := range [][2]string{textForm: {":'", "'"}, nameForm: {`:"`, `"`}, testForm: {":{?", "}"}} {
		if around[0] != "" && strings.HasPrefix(text, around[0]) {
			r.form, open, end = form, around[0], around[1]
		}
	}
	rest := text[len(open):]
	n := strings.IndexFunc(rest, func(c rune) bool { return !ast.NamePart(c) })
	if n < 0 {
		n = len(rest)
	}
	r.name, r.length = rest[:n], len(open)+n+len(end)
	return r, n > 0 && strings.HasPrefix(rest[n:], end)
}

// value is what stands for a reference, if its variable is set or the reference asks for that.
func (v *variables) value(r ref) (string, bool) {
	if v == nil {
		return "", false
	}
	value, ok := v.values[r.name]
	switch r.form {
	case textForm:
		return quote(value), ok
	case nameForm:
		return `"` + strings.ReplaceAll(value, `"`, `""`) + `"`, ok
	case testForm:
		return map[bool]string{true: "TRUE", false: "FALSE"}[ok], true
	}
	return value, ok
}
