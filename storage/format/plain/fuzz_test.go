package plain

import (
	"testing"

	"parlance/storage/format/formattest"
	"parlance/storage/value"
)

func FuzzBrown(f *testing.F) {
	formattest.Seeds(f, "\tThe/at jury/nn ./.\n\n1/2/cd //in x/_\n", "word\n", "/x\n", "x/\n")
	f.Fuzz(func(t *testing.T, in string) {
		suite.CheckRead(t, in, "brown")
		suite.CheckRead(t, in, "brown", formattest.Arg("document", value.Str("2")))
		suite.CheckWritten(t, in, "brown")
		suite.CheckWritten(t, in, "brown", formattest.Arg("document", value.Str("sentence")))
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
