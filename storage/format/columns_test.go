package format

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"parlance/storage/value"
)

// checkFile reads a file and wants the same bytes written.
func checkFile(t *rapid.T, c Codec, file string) {
	t.Helper()
	got, err := readString(c, file, 2)
	if err != nil {
		t.Fatalf("%v in\n%s", err, file)
	}
	if diff := cmp.Diff(file, written(t, c, got.docs)); diff != "" {
		t.Fatal(diff)
	}
}

// headOf draws a head of token k of n, or _.
func headOf(t *rapid.T, k, n int) string {
	if h := rapid.IntRange(-1, n).Draw(t, "head"); h >= 0 && h != k {
		return fmt.Sprint(h)
	}
	return "_"
}

var cell = rapid.OneOf(word, rapid.Just("_"))

func TestConllxRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var b strings.Builder
		for range rapid.IntRange(1, 4).Draw(t, "sentences") {
			n := rapid.IntRange(1, 5).Draw(t, "tokens")
			for k := 1; k <= n; k++ {
				fmt.Fprintf(&b, "%d", k)
				for i := 1; i < 10; i++ {
					if i == 6 {
						b.WriteString("\t" + headOf(t, k, n))
						continue
					}
					b.WriteString("\t" + cell.Draw(t, "cell"))
				}
				b.WriteByte('\n')
			}
			b.WriteByte('\n')
		}
		cut := rapid.SampledFrom([]string{"sentence", "file", "2"}).Draw(t, "document")
		checkFile(t, rapidCodec(t, "conllx", arg("document", value.Str(cut))), b.String())
	})
}
