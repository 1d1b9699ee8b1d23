package exec

import (
	"math"
	"strings"
	"time"

	"parlance/algo/option"
	"parlance/algo/text"
	"parlance/query/ast"
	"parlance/query/plan"
	"parlance/storage"
	"parlance/storage/format"
	"parlance/storage/value"
)

func Columns(spec string) []plan.Column {
	var out []plan.Column
	for _, f := range strings.Fields(spec) {
		name, t, _ := strings.Cut(f, ":")
		c := plan.Column{Name: name, Type: value.Text}
		switch t {
		case "int":
			c.Type = value.Integer
		case "float":
			c.Type = value.Float
		case "time":
			c.Type = value.Timestamp
		case "bool":
			c.Type = value.Boolean
		case "json":
			c.Type = value.JSON
		}
		out = append(out, c)
	}
	return out
}

func Integer(n int64) value.Value { return value.Int(n) }

func Time(t time.Time) value.Value {
	if t.IsZero() {
		return value.Value{}
	}
	return value.Time(t)
}

func Optional(s string) value.Value {
	if s == "" {
		return value.Value{}
	}
	return value.Str(s)
}

func Whole(n int) value.Value {
	if n == 0 {
		return value.Value{}
	}
	return value.Int(int64(n))
}

func OrText(s, other string) string {
	if s == "" {
		return other
	}
	return s
}

func UnknownFormat(pos ast.Pos, name string) error {
	var names []string
	for _, f := range format.List() {
		names = append(names, f.Name)
	}
	hint := "formats: " + strings.Join(names, ", ")
	if meant := option.DidYouMean(name, names); meant != "" {
		hint = strings.TrimPrefix(meant, "; ") + "; " + hint
	}
	return plan.Errorf(pos, plan.CodeUndefinedObject, hint, "there is no format %s", name)
}

func TypedColumns(o *storage.Object) string {
	parts := make([]string, len(o.Columns))
	for i, c := range o.Columns {
		parts[i] = c.Name + " " + c.Type.String()
	}
	return strings.Join(parts, ", ")
}

// reserved names would hide tables of the language.
func reserved(name string) bool {
	switch name {
	case "system", "pg_catalog", "information_schema":
		return true
	}
	return strings.EqualFold(name, "public") || text.Builtins(name) != nil
}

func columnNames(o *storage.Object) string {
	names := make([]string, len(o.Columns))
	for i, c := range o.Columns {
		names[i] = c.Name
	}
	return strings.Join(names, ", ")
}

func contains(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}

func given(args []option.Arg, name string) bool {
	for _, a := range args {
		if a.Name == name {
			return true
		}
	}
	return false
}

// figure is NULL for NaN.
func figure(x float64) value.Value {
	if math.IsNaN(x) {
		return value.Value{}
	}
	return value.Real(x)
}
