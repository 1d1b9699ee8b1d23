package conll

import (
	"fmt"
	"strings"
	"testing"

	"parlance/algo/option"
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
		suite.CheckRead(t, in, "conll2007", formattest.Arg("document", value.Str("file")))
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
		suite.CheckWritten(t, in, "conll2012")
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
		suite.CheckWritten(t, in, "conll2009")
		suite.CheckWritten(t, in, "conll2009", formattest.Arg("predicted", value.Bool(true)))
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
