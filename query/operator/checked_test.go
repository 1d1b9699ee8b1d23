package operator

import (
	"strings"
	"testing"

	"parlance/query/plan"
	"parlance/storage/value"
)

// TestCheckedRefusesOtherTypes hands values on that their column does not have, in each form of a vector.
func TestCheckedRefusesOtherTypes(t *testing.T) {
	CheckTypes()
	for _, test := range []struct {
		declared value.Type
		of       value.Type // of the vector
		values   []value.Value
		fault    string
	}{
		{value.Integer, value.Integer, []value.Value{value.Int(1), {}}, ""},
		{value.Integer, value.Integer, []value.Value{value.Int(1), value.Str("2")}, "column 1, c, is declared as integer"},
		{value.Integer, value.Text, []value.Value{value.Str("2")}, "has a value of type text"},
		{value.Float, value.Float, []value.Value{value.Real(1), value.Int(2)}, "has a value of type integer"},
		{value.Boolean, value.Integer, []value.Value{value.Int(1)}, "has a value of type integer"},
		{value.Text, value.Text, []value.Value{{}, {}}, ""},
		{value.Null, value.Null, []value.Value{value.Int(1), value.Str("2")}, ""},
	} {
		cols := []plan.Column{{Name: "c", Type: test.declared}}
		rows := &oneBatch{b: &value.Batch{N: len(test.values), Cols: []value.Vec{value.FromValues(test.of, test.values)}}}
		_, err := NewChecked(rows, &plan.Union{Cols: cols}).Next(t.Context())
		if (err != nil) != (test.fault != "") || err != nil && !strings.Contains(err.Error(), test.fault) {
			t.Errorf("%v as %s: %v, want %q", test.values, test.declared, err, test.fault)
		}
	}
}
