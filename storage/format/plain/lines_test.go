package plain

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"parlance/algo/option"
	"parlance/algo/text"
	"parlance/storage/format/codec"
	"parlance/storage/format/formattest"
	"parlance/storage/format/layers"
	"parlance/storage/value"
)

func TestTextPattern(t *testing.T) {
	in := "lost\n= a 1990\nOne.\n\nTwo.\n= b 1991\n"
	for _, c := range []struct {
		pattern string
		want    []string
	}{
		{"", []string{`stdin at stdin:1: "lost\n= a 1990\nOne.\n\nTwo.\n= b 1991"`}},
		{`^= `, []string{`stdin:1 at stdin:2: "= a 1990\nOne.\n\nTwo."`, `stdin:2 at stdin:6: "= b 1991"`}},
		{`^= (?P<id>\w+) (?P<year>\d+)$`, []string{`a at stdin:2: "One.\n\nTwo."`, `  field year text "1990"`,
			`b at stdin:6: ""`, `  field year text "1991"`}},
		{`^no`, nil},
	} {
		got, err := formattest.ReadString(suite.Configure(t, "text", formattest.Arg("document", value.Str(c.pattern))), in, 1)
		if err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		for i, d := range got.Docs {
			formattest.Dump(&b, d, got.Places[i])
		}
		want := strings.Join(c.want, "\n")
		if diff := cmp.Diff(want, strings.TrimSuffix(b.String(), "\n")); diff != "" {
			t.Errorf("%q: %s", c.pattern, diff)
		}
	}
	f, _ := codec.Find(suite, "text")
	if _, err := f.Configure([]option.Arg{formattest.Arg("document", value.Str("("))}); err == nil {
		t.Error("a pattern that does not compile passes")
	}
}

func TestLinesRoundTrip(t *testing.T) {
	line := formattest.AnyText.Filter(func(s string) bool { return s != "" && !strings.ContainsAny(s, "\r\n\ufeff") })
	rapid.Check(t, func(t *rapid.T) {
		where := rapid.SampledFrom([]string{"none", "first", "last"}).Draw(t, "label")
		var docs []*text.Document
		for i, s := range rapid.SliceOfN(line, 1, 4).Draw(t, "texts") {
			d := &text.Document{ID: fmt.Sprintf("stdin:%d", i+1), Text: s}
			if where != "none" {
				d.SetLayer(layers.Labels(formattest.Name.Draw(t, "name")))
			}
			docs = append(docs, d)
		}
		formattest.CheckDocuments(t, suite.Configure(t, "lines", formattest.Arg("label", value.Str(where))), docs)
	})
}
