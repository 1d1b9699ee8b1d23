package metrics

import (
	"math"
	"strings"
	"testing"
)

// TestBLEU: the worked example, sums over two sentences, no match of four words, and repeated words, which count as
// often as the reference has them.
func TestBLEU(t *testing.T) {
	score := func(pairs ...string) float64 {
		m := Metric{Combine: BLEU}
		for i := 0; i < len(pairs); i += 2 {
			m.Units.Add(BLEUStatistics(strings.Fields(pairs[i]), strings.Fields(pairs[i+1]))...)
		}
		return m.Value()
	}
	for _, c := range []struct {
		pairs []string
		want  float64
	}{
		{[]string{"the cat sat on mat", "the cat sat on the mat"}, .578930},
		{[]string{"a b c d", "a b c d"}, 1},
		{[]string{"a b c d e f", "a b c d"}, math.Pow(4.0/6*3/5*2/4*1/3, .25)},
		{[]string{"a b c", "a b c"}, 0},
		{[]string{"", "a b c d"}, 0},
		{[]string{"a a a a a", "a a a a"}, math.Pow(4.0/5*3/4*2/3*1/2, .25)},
		{[]string{"a b c d", "a b c d", "x y", "z z z z"}, math.Exp(1-8.0/6) * math.Pow(4.0/6*3/4*2/2*1, .25)},
	} {
		if got := score(c.pairs...); math.Abs(got-c.want) > 1e-6 {
			t.Errorf("%q: %v, want %v", c.pairs, got, c.want)
		}
	}
}

// TestCharF: equal texts have 1, whatever their words; short ones count the n-grams that they have. Of "abc" against
// "abd", 2 of 3 characters, 1 of 2 pairs and no triple are right, both ways.
func TestCharF(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want float64
	}{{"ab c", "a bc", 1}, {"abc", "abd", (2.0/3 + .5) / 3}, {"", "abc", 0}, {"ab", "abab", 0},
		{"x", "y", 0}} {
		m := Metric{Combine: CharF}
		m.Units.Add(CharFStatistics(strings.Fields(c.a), strings.Fields(c.b))...)
		want := c.want
		if c.a == "ab" { // precision 1 and 1, recall 2/4 and 1/3
			p, r := 1.0, (.5+1.0/3)/2
			want = 5 * p * r / (4*p + r)
		}
		if got := m.Value(); math.Abs(got-want) > 1e-6 {
			t.Errorf("%q %q: %v, want %v", c.a, c.b, got, want)
		}
	}
}
