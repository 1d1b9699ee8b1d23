package format

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"parlance/algo/option"
	"parlance/storage/format/codec"
	"parlance/storage/format/formattest"
	"parlance/storage/value"
)

func FuzzConll(f *testing.F) {
	formattest.Seeds(f, "-DOCSTART- -X- -X- O\n\nEU NNP B-NP B-ORG\nrejects VBZ B-VP O\n\na b I-c E-d\n",
		"a b O O\n\n\n-DOCSTART-\nc d S-x U-y\n", "El DA O\nMadrid B-LOC\n", "a\t2\tnsubj\nb\t0\troot\n",
		"# c\na B-x,B-y\n", "a 9\n")
	heads := option.Arg{Name: "columns", List: []option.Arg{{Value: value.Str("form")}, {Value: value.Str("head")},
		{Value: value.Str("deprel")}}}
	f.Fuzz(func(t *testing.T, in string) {
		suite.CheckRead(t, in, "conll")
		suite.CheckRead(t, in, "conll2002", formattest.Arg("document", value.Str("file")))
		suite.CheckRead(t, in, "conll2003", formattest.Arg("document", value.Str("2")))
		suite.CheckRead(t, in, "conll", heads, formattest.Arg("separator", value.Str("tab")),
			formattest.Arg("comment", value.Str("#")))
	})
}

func FuzzConllu(f *testing.F) {
	token := "\t_\t_\t_\t_\t0\troot\t_\tSpaceAfter=No\n"
	formattest.Seeds(f, "# newdoc id = a\n# text = b c\n1\tb"+token+"2\tc\t_\t_\t_\t_\t1\tdep\t1:dep\t_\n\n1\td"+token,
		"1-2\tab\t_\t_\t_\t_\t_\t_\t_\t_\n1\ta"+token+"2\tb"+token, "0.1\te"+token+"1\ta"+token+"1.1\te"+token,
		"1-2\tx\t_\t_\t_\t_\t_\t_\t_\t_\n1\ta"+token, "# only\n\n# newdoc\n", "# newdoc id = \n",
		"# newdoc id = a\n# x\n# newdoc id = b\n1\ta"+token+"\n# y\n# z\n# newdoc\n1\tb"+token, "# newdoc\n# global.Entity "+
			"= eid-etype-identity\n1\ta\t_\t_\t_\t_\t_\t_\t_\tEntity=(e1-person-A(e2[1/1]-x)\n"+
			"1.1\te\t_\t_\t_\t_\t_\t_\t_\tEntity=(e3)\n"+
			"2\tb\t_\t_\t_\t_\t_\t_\t_\tEntity=e1)(e3-y)\n\n"+
			"# newdoc\n1\ta\t_\t_\t_\t_\t_\t_\t_\tEntity=(e1-person\n",
		"1\ta\t_\t_\t_\t_\t7\t_\t_\t_\n")
	f.Fuzz(func(t *testing.T, in string) {
		suite.CheckRead(t, in, "conllu")
		suite.CheckRead(t, in, "conllu", formattest.Arg("document", value.Str("file")))
		suite.CheckRead(t, in, "conllu", formattest.Arg("document", value.Str("2")))
	})
}

func FuzzConllx(f *testing.F) {
	formattest.Seeds(f, "1\ta\tb\tc\td\te\t2\tx\t0\ty\n2\tb\t_\t_\t_\t_\t0\t_\t_\t_\n\n1\tc\t_\t_\t_\t_\t_\t_\t_\t_\n",
		"1\ta\n",
		"1\ta\t_\t_\t_\t_\t-1\t_\t_\t_\n")
	f.Fuzz(func(t *testing.T, in string) {
		suite.CheckRead(t, in, "conllx")
		suite.CheckRead(t, in, "crfsuite")
		suite.CheckRead(t, in, "conll2007", formattest.Arg("document", value.Str("file")))
	})
}

func FuzzPTB(f *testing.F) {
	formattest.Seeds(f, "( (S (NP-SBJ (-NONE- *-1)) (VP (VB go)\n (. .))))\n(NN -LRB-)",
		"# doc = a\n# note\n(ROOT (NP (NN "+
			"a)))\n# doc = b\n( )", "(NP the dog (NN x) y)", "((a b)(", "(X)", ")", "x (", "(( (a b)))# c\n# d", "# doc = \n")
	f.Fuzz(func(t *testing.T, in string) {
		suite.CheckRead(t, in, "ptb")
		suite.CheckRead(t, in, "ptb", formattest.Arg("document", value.Str("sentence")),
			formattest.Arg("traces", value.Str("keep")),
			formattest.Arg("escapes", value.Bool(false)))
		checkWritten(t, in, "ptb")
		checkWritten(t, in, "ptb", formattest.Arg("traces", value.Str("keep")))
	})
}

func FuzzSinica(f *testing.F) {
	formattest.Seeds(f, "#1:1.[7] S(agent:NP(Head:Nh:我們)|Head:VA4:上學)#。(PERIODCATEGORY)\n#1:2.[8] NP(Head:N:x)#\n",
		"#1:1.[7] NP(Head:N:x#", "#1 NP(a:b:c|)#", "#1 NP()#x", "#1 a:b#\n#2 A(b)(c)#")
	f.Fuzz(func(t *testing.T, in string) {
		suite.CheckRead(t, in, "sinica")
		suite.CheckRead(t, in, "sinica", formattest.Arg("document", value.Str("2")))
		suite.CheckRead(t, in, "sinica", formattest.Arg("document", value.Str("file")))
	})
}

func FuzzConll2012(f *testing.F) {
	row := func(n int, parse, frameset, ne, arg, coref string) string {
		return fmt.Sprintf("d\t0\t%d\tw%d\tNN\t%s\tl\t%s\t1\tA|b\t%s\t%s\t%s\n", n, n, parse, frameset, ne, arg, coref)
	}
	sentence := row(0, "(S(NP*)", "-", "(PER)", "(ARG0*)", "(3|(4)") + row(1, "(VP*", "01", "(DATE*", "(V*)", "(5") +
		row(2, "*))", "-", "*)", "*", "3)|5)")
	formattest.Seeds(f, "#begin document (d); part 001\n"+sentence+"\n# c\n"+sentence+"#end document\n", sentence,
		strings.ReplaceAll(sentence, "\t", "  "), "#begin document ()\n", "#begin document (a; part x)\n# c\n",
		"#end document\n"+sentence)
	f.Fuzz(func(t *testing.T, in string) {
		suite.CheckRead(t, in, "conll2012")
		checkWritten(t, in, "conll2012")
	})
}

func FuzzConll2009(f *testing.F) {
	formattest.Seeds(f,
		"1\ta\tl\tl\tN\tN\t_\t_\t2\t2\tSBJ\tSBJ\t_\t_\tA0\n2\tb\t_\tx\tV\tV\tf\t_\t0\t0\tROOT\t_\tY\tgo.01\t_\n\n1\tc"+
			strings.Repeat("\t_", 10)+"\tY\t_\n", "1\ta"+strings.Repeat("\t_", 12)+"\tA0\n", "1\ta"+strings.Repeat("\t_", 10)+
			"\tZ\t_\n")
	f.Fuzz(func(t *testing.T, in string) {
		suite.CheckRead(t, in, "conll2009")
		suite.CheckRead(t, in, "conll2009", formattest.Arg("document", value.Str("file")),
			formattest.Arg("predicted", value.Bool(true)))
		checkWritten(t, in, "conll2009")
		checkWritten(t, in, "conll2009", formattest.Arg("predicted", value.Bool(true)))
	})
}

func FuzzConllup(f *testing.F) {
	formattest.Seeds(f, "# newdoc id = "+
		"a\n1\tb\t_\t_\t_\t_\t2\tx\t_\t_\t_\tARG0\n1.1\te\t_\t_\t_\t_\t_\t_\t_\t_\t\t\n"+
		"2\tc\t_\t_\t_\t_\t0\troot\t_\t_\tgo.01\tV\n\n1\td\t_\t_\t_\t_\t_\t_\t_\t_\t_\t\n",
		"1\ta\t_\t_\t_\t_\t_\t_\t_\t_\n",
		"1\ta\t_\t_\t_\t_\t_\t_\t_\t_\tx\tA\tB\n")
	f.Fuzz(func(t *testing.T, in string) {
		suite.CheckRead(t, in, "conllup")
		suite.CheckRead(t, in, "conllup", formattest.Arg("document", value.Str("file")))
	})
}

func FuzzBrown(f *testing.F) {
	formattest.Seeds(f, "\tThe/at jury/nn ./.\n\n1/2/cd //in x/_\n", "word\n", "/x\n", "x/\n")
	f.Fuzz(func(t *testing.T, in string) {
		suite.CheckRead(t, in, "brown")
		suite.CheckRead(t, in, "brown", formattest.Arg("document", value.Str("2")))
		checkWritten(t, in, "brown")
		checkWritten(t, in, "brown", formattest.Arg("document", value.Str("sentence")))
	})
}

// checkWritten wants what is read to be the same after it is written, unless the writer refuses.
func checkWritten(t *testing.T, in, format string, args ...option.Arg) {
	t.Helper()
	c := suite.Configure(t, format, args...)
	got, err := formattest.ReadString(c, in, 1)
	if err != nil {
		return
	}
	var b bytes.Buffer
	w, err := codec.NewDocumentWriter(c, &b)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range got.Docs {
		if w.Write(d) != nil {
			return
		}
	}
	back, err := formattest.ReadString(c, b.String(), 1)
	if err != nil {
		t.Fatalf("%v in\n%s", err, b.String())
	}
	if diff := cmp.Diff(formattest.Dumps(got.Docs), formattest.Dumps(back.Docs)); diff != "" {
		t.Fatalf("%s\nin\n%s", diff, b.String())
	}
}

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

func FuzzTools(f *testing.F) {
	formattest.Seeds(f, `{"id":1,"text":"A 🍞 Ann","label":[[5,8,"PER"]],"cats":["a"],"entities":[{"id":1,"label":"L","start_offset":0,"end_offset":1}],"relations":[{"from_id":1,"to_id":1,"type":"r"}]}`,
		`{"text":"Ann B","tokens":[{"start":0,"end":3}],"spans":[{"start":0,"end":3,"label":"P"}],"relations":[{"head":0,"child":0,"label":"r"}],"accept":["x"],"answer":"accept","_input_hash":3}`,
		`[{"id":1,"data":{"text":"Ann"},"annotations":[{"completed_by":1,"result":[{"id":"x","type":"labels","value":{"start":0,"end":3,"text":"Ann","labels":["P"]}},{"type":"relation","from_id":"x","to_id":"x"},{"type":"choices","value":{"choices":["c"]}}]}]}]`,
		`{"id":"0","text":" Ann ate.","tokens":["Ann","ate","."],"ner_tags":["B-P","O","I-P"],"label":[1,"x"]}`,
		`[{"id":3,"text":"Ann","ner":[{"start":0,"end":3,"labels":["P"]}],"annotation_id":8}]`, `[`, `[{}`, "\n[\n]", `{"data":{}}`)
	f.Fuzz(func(t *testing.T, in string) {
		for _, name := range []string{"doccano", "prodigy", "label_studio", "hf"} {
			suite.CheckRead(t, in, name)
		}
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

func FuzzTabbed(f *testing.F) {
	formattest.Seeds(f, "New York\tLOC\n\nParis\n", "a\tb\t3\n", "\tx\n", "É\t\t4\r\n", "a\tb\tc\td\n")
	columns := []codec.Column{{Name: "word", Type: value.Text}, {Name: "label", Type: value.Text},
		{Name: "n", Type: value.Integer}}
	f.Fuzz(func(t *testing.T, in string) {
		suite.CheckReadRows(t, in, "gazetteer", columns)
		suite.CheckReadRows(t, in, "lexicon", columns, formattest.Arg("lower", value.Bool(true)))
	})
}

func FuzzLines(f *testing.F) {
	formattest.Seeds(f, "one\n\ntwo\n", "pos\tgood\nneg\tbad", "\tx\n", "x\t\n")
	f.Fuzz(func(t *testing.T, in string) {
		suite.CheckRead(t, in, "lines", formattest.Arg("blank", value.Bool(true)))
		suite.CheckRead(t, in, "lines", formattest.Arg("label", value.Str("first")))
		suite.CheckRead(t, in, "lines", formattest.Arg("label", value.Str("last")),
			formattest.Arg("separator", value.Str("::")))
	})
}

func FuzzText(f *testing.F) {
	formattest.Seeds(f, "lost\n= a\nOne.\n= b\nTwo.", "= \n= ")
	f.Fuzz(func(t *testing.T, in string) {
		suite.CheckRead(t, in, "text")
		suite.CheckRead(t, in, "text", formattest.Arg("document", value.Str(`^= (?P<id>\w*)(?P<rest>.*)$`)))
		suite.CheckRead(t, in, "text", formattest.Arg("document", value.Str(`^=`)))
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
