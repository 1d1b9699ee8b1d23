package metrics

import (
	"math"
	"strings"
	"testing"
)

// TestGLEUByHand: for h = a b c d e, s = a b x d e, r = a b c d f, p_1 = (4 − 1)/5: e is of the source alone;
// p_2 = (3 − 1)/4, p_3 = 2/3 (c d e is in neither), p_4 = 1/2.
func TestGLEUByHand(t *testing.T) {
	f := strings.Fields
	row := gleuRow(f("a b x d e"), f("a b c d e"), [][]string{f("a b c d f")})
	sums := make([]float64, len(row))
	for i, v := range row {
		sums[i] = float64(v)
	}
	want := math.Pow(3.0/5*2.0/4*2.0/3*1.0/2, 0.25)
	if got := gleu.of(sums); math.Abs(got-want) > 1e-6 {
		t.Errorf("GLEU %v, want %v (%v)", got, want, row)
	}
}

func TestGLEUProperties(t *testing.T) {
	f := strings.Fields
	of := func(source, written string, references ...string) float64 {
		var refs [][]string
		for _, r := range references {
			refs = append(refs, f(r))
		}
		row := gleuRow(f(source), f(written), refs)
		sums := make([]float64, len(row))
		for i, v := range row {
			sums[i] = float64(v)
		}
		return gleu.of(sums)
	}
	if got := of("he go to the school", "he goes to school", "he goes to school"); got != 1 {
		t.Errorf("the reference has GLEU %v", got)
	}
	source, reference := "he go to the school now with all of his old friends",
		"he goes to school now with all of his old friends"
	kept, half := of(source, source, reference),
		of(source, "he goes to the school now with all of his old friends", reference)
	if kept >= half {
		t.Errorf("a sentence with one error corrected has %v, without %v", half, kept)
	}
	if got := of("a b c d", "a b c", "a b c d"); got >= 1 {
		t.Errorf("a sentence that is too short has %v", got)
	}
	if got := of("", "", ""); got != 0 {
		t.Errorf("nothing has %v", got)
	}
	if got := of("a b c d e", "a b c d e", "a b c d e", "x y z u v"); got >= 1 || got <= 0 {
		t.Errorf("one of two references: %v", got)
	}
}
