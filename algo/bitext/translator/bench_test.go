package translator

import (
	"strings"
	"testing"

	"parlance/algo/bitext/bitexttest"
	"parlance/algo/kind"
	"parlance/algo/kindtest"
)

// BenchmarkTranslate translates generated sentences.
func BenchmarkTranslate(b *testing.B) {
	m := fresh(b, kindtest.Arg("aligner", "al"), kindtest.Arg("lm", "lm"))
	if err := m.Train(background, plain(kind.Documents(bitexttest.Pairs(bitexttest.Generated(2000, 2)...)))); err != nil {
		b.Fatal(err)
	}
	forms := strings.Fields("the n3 v5 a n7 . the n2 v1 a n9 .")
	for b.Loop() {
		if _, err := m.Translate(background, resources, forms, 1); err != nil {
			b.Fatal(err)
		}
	}
}
