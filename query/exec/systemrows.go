package exec

import (
	"math"
	"strings"
	"time"

	"parlance/query/plan"
	"parlance/storage/value"
)

// Columns makes the columns of a system table of a list of names, each with a type after a colon: int, float, time,
// bool or json; text without one.
func Columns(list string) []plan.Column {
	var out []plan.Column
	for _, f := range strings.Fields(list) {
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

// TimeOrNull is NULL for the zero time.
func TimeOrNull(t time.Time) value.Value {
	if t.IsZero() {
		return value.Value{}
	}
	return value.Time(t)
}

// TextOrNull is NULL for "".
func TextOrNull(s string) value.Value {
	if s == "" {
		return value.Value{}
	}
	return value.Str(s)
}

// IntOrNull is NULL for 0.
func IntOrNull(n int) value.Value {
	if n == 0 {
		return value.Value{}
	}
	return value.Int(int64(n))
}

// RealOrNull is NULL for NaN.
func RealOrNull(x float64) value.Value {
	if math.IsNaN(x) {
		return value.Value{}
	}
	return value.Real(x)
}
