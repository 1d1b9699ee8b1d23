package picture

import (
	"bytes"
	"testing"

	"github.com/google/go-cmp/cmp"

	"parlance/storage/format/codec"
	"parlance/storage/value"
)

func TestMarkdown(t *testing.T) {
	columns := []codec.Column{{Name: "a|b", Type: value.Text}, {Name: "n", Type: value.Integer}}
	var b bytes.Buffer
	w, err := codec.NewRowWriter(suite.Configure(t, "markdown"), &b, columns)
	if err != nil {
		t.Fatal(err)
	}
	rows := [][]value.Value{{value.Str("x|y\nz"), value.Int(1)}, {{}, {}}}
	if err := w.Write(value.FromRows([]value.Type{value.Text, value.Integer}, rows)); err != nil {
		t.Fatal(err)
	}
	want := "| a\\|b | n |\n|---|---:|\n| x\\|y z | 1 |\n|  |  |\n"
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Error(diff)
	}
}
