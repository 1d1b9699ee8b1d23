package learner

import (
	"strings"
	"testing"

	"parlance/storage/format/formattest"
	"parlance/storage/value"
)

// TestCRFsuite: what is read is written back, and what is no data of CRFsuite is refused with its line.
func TestCRFsuite(t *testing.T) {
	file := "B-X\tw[0]=a\\:b:0.5\tw[-1]=\\\\\nI-X\nO\tw[0]=c\tn:1e-3\n\nO\tz\n\n"
	for _, label := range []string{"xpos", "chunks"} {
		c := suite.Configure(t, "crfsuite", formattest.Arg("label", value.Str(label)),
			formattest.Arg("document", value.Str("file")))
		got, err := formattest.ReadString(c, file, 1)
		if err != nil {
			t.Fatal(err)
		}
		if text := got.Docs[0].Text; text != "a:b _ c\n_" {
			t.Errorf("text %q", text)
		}
		if back := formattest.Written(t, c, got.Docs); back != file {
			t.Errorf("written %q, want %q", back, file)
		}
	}
	for in, want := range map[string]string{
		"O\ta:x\n":          `the attribute a has the value "x"`,
		"O\tb\nO\ta:inf\n":  `:2: the attribute a has the value "inf"`,
		"\ta\n":             "the label is empty",
		"O\ta\n\nq-\tb:1\n": `"q-" is no tag`,
	} {
		c := suite.Configure(t, "crfsuite", formattest.Arg("label", value.Str("chunks")),
			formattest.Arg("document", value.Str("file")))
		if _, err := formattest.ReadString(c, in, 1); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", in, err, want)
		}
	}
}

func FuzzCRFsuite(f *testing.F) {
	formattest.Seeds(f, "B-X\tw[0]=a\tn:0.5\nO\tw[0]=b\n\n", "1\ta\tb\tc\n\n1\tc\t_\n", "O\n\tw[0]=a\n", "x\tw[0]=b\n")
	f.Fuzz(func(t *testing.T, in string) {
		suite.CheckRead(t, in, "crfsuite")
		suite.CheckRead(t, in, "crfsuite", formattest.Arg("label", value.Str("chunks")))
	})
}
