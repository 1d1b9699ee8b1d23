package textfn

import (
	"math/rand/v2"
	"strings"
	"testing"

	"golang.org/x/text/unicode/norm"

	"parlance/query/fn"
	"parlance/query/fn/fntest"
	"parlance/storage/value"
)

// TestFormsInParts compares normal forms that are made in parts with those that are made at once, of texts in which
// parts end between letters and their marks.
func TestFormsInParts(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	pieces := []string{"a", "e\u0301", "\u0301\u0323", "\ufdfa", "각", "ᄀ\u1161", "\u00e9", " ",
		strings.Repeat("\u0301", 40), "\xff"}
	for range 12 {
		var b strings.Builder
		for n := range 5 {
			if n == 2 { // a part may end among marks
				b.WriteString(strings.Repeat("\u0301", r.IntN(2)*2*fn.LongText))
			}
			b.WriteString(strings.Repeat(pieces[r.IntN(len(pieces))], 1+r.IntN(1000)))
		}
		b.WriteString(strings.Repeat("e\u0301", fn.LongText/3))
		s := b.String()
		forms := map[string]norm.Form{"NFC": norm.NFC, "NFD": norm.NFD, "NFKC": norm.NFKC, "NFKD": norm.NFKD}
		for name, form := range forms {
			want := form.String(s)
			if got, err := fntest.Call(t, Functions, "normalize", value.Str(s), value.Str(name)); err != nil || got.S != want {
				t.Fatalf("%s: %d bytes, %v; want %d", name, len(got.S), err, len(want))
			}
			for _, x := range []string{s, want} {
				got, err := fntest.Call(t, Functions, "is_normalized", value.Str(x), value.Str(name))
				if err != nil || got.Bool() != form.IsNormalString(x) {
					t.Fatalf("%s of %d bytes: %v, %v", name, len(x), got, err)
				}
			}
		}
	}
}
