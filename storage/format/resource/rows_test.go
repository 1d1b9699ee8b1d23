package resource

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"parlance/storage/format/codec"
	"parlance/storage/format/formattest"
	"parlance/storage/value"
)

func FuzzTabbed(f *testing.F) {
	formattest.Seeds(f, "New York\tLOC\n\nParis\n", "a\tb\t3\n", "\tx\n", "É\t\t4\r\n", "a\tb\tc\td\n")
	columns := []codec.Column{{Name: "word", Type: value.Text}, {Name: "label", Type: value.Text},
		{Name: "n", Type: value.Integer}}
	f.Fuzz(func(t *testing.T, in string) {
		suite.CheckReadRows(t, in, "gazetteer", columns)
		suite.CheckReadRows(t, in, "lexicon", columns, formattest.Arg("lower", value.Bool(true)))
	})
}

func FuzzTriples(f *testing.F) {
	formattest.Seeds(f, "a\tr\tb\n", "a\tr\tb\t0.5\tfalse\r\n", "a\tr\n", "a\t\tb\n", "a\tr\tb\tNaN\n",
		"0.5\tp(x) => q(x)\n",
		"# no rule\np(x)\t2\n", "1\t2\n")
	columns := []codec.Column{{Name: "subject", Type: value.Text}, {Name: "relation", Type: value.Text},
		{Name: "object", Type: value.Text}, {Name: "weight", Type: value.Float},
		{Name: "truth", Type: value.Boolean}}
	f.Fuzz(func(t *testing.T, in string) {
		suite.CheckReadRows(t, in, "triples", columns)
		suite.CheckReadRows(t, in, "triples", columns[:3], formattest.ListArg("columns", "object", "_", "relation",
			"subject"))
		suite.CheckReadRows(t, in, "types", []codec.Column{{Name: "entity", Type: value.Text},
			{Name: "type", Type: value.Text}})
		suite.CheckReadRows(t, in, "signatures", []codec.Column{{Name: "relation", Type: value.Text},
			{Name: "domain", Type: value.Text}, {Name: "range", Type: value.Text},
			{Name: "count", Type: value.Integer}})
		suite.CheckReadRows(t, in, "rules", []codec.Column{{Name: "rule", Type: value.Text},
			{Name: "weight", Type: value.Float}})
	})
}

func TestTabbedRoundTrip(t *testing.T) {
	str := rapid.OneOf(formattest.AnyText, formattest.Word).Filter(func(s string) bool {
		return s != "" && strings.TrimSpace(s) == s && !strings.ContainsAny(s, "\t\n\ufeff")
	})
	columns := []codec.Column{{Name: "word", Type: value.Text}, {Name: "label", Type: value.Text},
		{Name: "n", Type: value.Integer}}
	rapid.Check(t, func(t *rapid.T) {
		rows := formattest.DrawRows(t, columns, str)
		for i := range rows {
			rows[i][0] = value.Str(str.Draw(t, "word"))
		}
		formattest.CheckRows(t, suite.Configure(t, rapid.SampledFrom([]string{"gazetteer", "lexicon"}).Draw(t, "format")),
			columns, rows)
	})
}

func TestTriplesRoundTrip(t *testing.T) {
	str := rapid.OneOf(formattest.AnyText, formattest.Word).Filter(func(s string) bool {
		return s != "" && strings.TrimSpace(s) == s && !strings.ContainsAny(s, "\t\n\ufeff")
	})
	columns := []codec.Column{{Name: "subject", Type: value.Text}, {Name: "relation", Type: value.Text},
		{Name: "object", Type: value.Text}, {Name: "weight", Type: value.Float},
		{Name: "truth", Type: value.Boolean}}
	rapid.Check(t, func(t *rapid.T) {
		rows := formattest.DrawRows(t, columns, str)
		for i := range rows {
			for k := range 3 {
				rows[i][k] = value.Str(str.Draw(t, "name"))
			}
		}
		formattest.CheckRows(t, suite.Configure(t, "triples"), columns, rows)
	})
}
