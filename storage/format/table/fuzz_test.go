package table

import (
	"regexp"
	"testing"

	"parlance/algo/option"
	"parlance/storage/format/codec"
	"parlance/storage/format/formattest"
	"parlance/storage/value"
)

// manySentences matches numbers of sentences that would need gigabytes.
var manySentences = regexp.MustCompile(`[0-9]{6}`)

func FuzzJSONL(f *testing.F) {
	formattest.Seeds(f, `{"id":"a","text":"Zoë met Ann","entities":[{"start":0,"end":3,"label":"PER"}]}`,
		`{"text":"é b","tokens":[{"start":0,"end":1},{"start":2,"end":3,"sent":2,"form":"x"}],"chunks":[{"sent":2,"tok_start":1,"tok_end":1,"label":"L"}],"dependencies":[{"sent":1,"tok":1,"head":0}]}`, `{"text":"t","labels":["a"],"x":[1],"y":1e9,"z":null}`, `{"text":"t","words":[{"sent":1,"id":"1-2","line":"l"}]}`, `{"text":"\ud800","id":{}}`, `[]`, `{"text":"a"}{`)
	columns := []codec.Column{{Name: "text", Type: value.Text}, {Name: "x", Type: value.Integer},
		{Name: "y", Type: value.Float}}
	f.Fuzz(func(t *testing.T, in string) {
		if manySentences.MatchString(in) {
			t.Skip("numbers of sentences that would need gigabytes")
		}
		suite.CheckRead(t, in, "jsonl")
		suite.CheckReadRows(t, in, "jsonl", columns)
	})
}

func FuzzSeparated(f *testing.F) {
	formattest.Seeds(f, "id,text,label\na,\"b, \"\"c\"\"\",d\n", "text\n\"one\ntwo\"\n", "text\ttext\na\tb\n",
		"a,b\n1,x\n",
		"text\n\"open", "text\n\"a\xff\"\n", ",\n,\n")
	columns := []codec.Column{{Name: "a", Type: value.Integer}, {Name: "text", Type: value.Text}}
	named := option.Arg{Name: "columns", List: []option.Arg{{Value: value.Str("text")}, {Value: value.Str("a")}}}
	f.Fuzz(func(t *testing.T, in string) {
		for _, format := range []string{"csv", "tsv"} {
			suite.CheckRead(t, in, format)
			suite.CheckRead(t, in, format, named, formattest.Arg("header", value.Bool(false)))
			suite.CheckReadRows(t, in, format, columns)
			suite.CheckReadRows(t, in, format, columns, named, formattest.Arg("header", value.Bool(false)))
		}
	})
}
