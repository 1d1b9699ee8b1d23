package treebank

import (
	"testing"

	"parlance/storage/format/formattest"
	"parlance/storage/value"
)

func FuzzPTB(f *testing.F) {
	formattest.Seeds(f, "( (S (NP-SBJ (-NONE- *-1)) (VP (VB go)\n (. .))))\n(NN -LRB-)",
		"# doc = a\n# note\n(ROOT (NP (NN "+
			"a)))\n# doc = b\n( )", "(NP the dog (NN x) y)", "((a b)(", "(X)", ")", "x (", "(( (a b)))# c\n# d", "# doc = \n")
	f.Fuzz(func(t *testing.T, in string) {
		suite.CheckRead(t, in, "ptb")
		suite.CheckRead(t, in, "ptb", formattest.Arg("document", value.Str("sentence")),
			formattest.Arg("traces", value.Str("keep")),
			formattest.Arg("escapes", value.Bool(false)))
		suite.CheckWritten(t, in, "ptb")
		suite.CheckWritten(t, in, "ptb", formattest.Arg("traces", value.Str("keep")))
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
