package mcmc

import "testing"

// The example: labels A, T, D, words Smith, Parsing, 1999.
const (
	labelA, labelT, labelD = 0, 1, 2
	nLabels                = 3
)

// delta is f(b) − f(a) with features (word, label) and (label, label).
func delta(a, b [3]int32) []Feature {
	var out []Feature
	for sign, y := range map[float64][3]int32{-1: a, 1: b} {
		for i := range y {
			out = append(out, Feature{int32(i)*nLabels + y[i], sign})
			if i > 0 {
				out = append(out, Feature{9 + y[i-1]*nLabels + y[i], sign})
			}
		}
	}
	return out
}

func labelled(s string) (y [3]int32) {
	for i, c := range s {
		y[i] = map[rune]int32{'A': labelA, 'T': labelT, 'D': labelD}[c]
	}
	return y
}

func TestSampleRankExample(t *testing.T) {
	gold := labelled("ATD")
	l := NewSampleRank(18, 1, 0)
	right := func(y [3]int32) (n float64) {
		for i := range y {
			if y[i] == gold[i] {
				n++
			}
		}
		return n
	}
	for _, c := range []struct {
		a, b   string
		update bool
	}{{"AAA", "ATA", true}, {"ATA", "ATD", true}, {"DTD", "ATD", false}, {"ATA", "ATD", false}, {"ADD", "ATD",
		false}, {"ATT", "ATD", false}} {
		a, b := labelled(c.a), labelled(c.b)
		if got := l.Learn(delta(a, b), right(b)-right(a)); got != c.update {
			t.Errorf("%s against %s: update %v", c.a, c.b, got)
		}
	}
	score := func(s string) float64 {
		return l.Score(delta([3]int32{}, labelled(s))) - l.Score(delta([3]int32{}, [3]int32{}))
	}
	base := l.Weights[0] + l.Weights[3] + l.Weights[6] + 2*l.Weights[9] // of AAA
	for s, want := range map[string]float64{"ATD": 4, "TTD": 3, "DTD": 3, "TDD": 2, "ATA": 1, "ADD": 1, "ATT": 2} {
		if got := score(s) + base; got != want {
			t.Errorf("score of %s = %v, want %v", s, got, want)
		}
	}
	best := 0
	for k := range 27 {
		y := [3]int32{int32(k / 9), int32(k / 3 % 3), int32(k % 3)}
		if l.Score(delta([3]int32{}, y))+base >= 4 {
			best++
			if y != gold {
				t.Errorf("%v is ranked first", y)
			}
		}
	}
	if best != 1 || l.Updates != 2 {
		t.Errorf("%d best, %d updates", best, l.Updates)
	}
}

// TestPreferences is the example of one unlabelled token, 2001, whose prediction is A and whose constraint wants D.
func TestPreferences(t *testing.T) {
	self := Truth{labelA}
	cons := Constraints{0: {{Labels: []int32{labelD}, Strength: 1}}}
	change := []Feature{{labelA, -1}, {labelD, 1}}
	model := func(lambda float64, l *SampleRank) float64 {
		return l.Score(change) + lambda*cons.Prefer(0, labelA, labelD)
	}
	for _, c := range []struct {
		name   string
		prefer func(*SampleRank) float64
		want   float64
		update bool
	}{
		{"self", func(*SampleRank) float64 { return self.Prefer(0, labelA, labelD) }, -1, false},
		{"constraints", func(*SampleRank) float64 { return cons.Prefer(0, labelA, labelD) }, 2, true},
		{"self+constraints", func(*SampleRank) float64 {
			return Mixture{{1, self}, {10, cons}}.Prefer(0, labelA, labelD)
		}, 19, true},
		{"model+constraints, λ small", func(l *SampleRank) float64 { return model(1e-4, l) }, -.9998, false},
		{"model+constraints, λ = 1", func(l *SampleRank) float64 { return model(1, l) }, 1, true},
	} {
		l := NewSampleRank(3, 1, 0)
		l.Weights[labelA] = 1
		p := c.prefer(l)
		near(t, c.name, p, c.want, 1e-12)
		if got := l.Learn(change, p); got != c.update {
			t.Errorf("%s: update %v", c.name, got)
		}
		if c.update && (l.Weights[labelA] != 0 || l.Weights[labelD] != 1) {
			t.Errorf("%s: weights %v", c.name, l.Weights)
		}
	}
}

func TestSampleRankAverage(t *testing.T) {
	l := NewSampleRank(1, 1, 0)
	f := []Feature{{0, 1}}
	l.Learn(f, 1)  // 1
	l.Learn(f, 1)  // stays: 1
	l.Learn(f, -1) // 0
	l.Learn(f, -1) // −1
	near(t, "average", l.Average()[0], (1+1+0-1)/4.0, 1e-12)
}
