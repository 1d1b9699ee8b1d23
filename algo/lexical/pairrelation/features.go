package pairrelation

import (
	"fmt"
	"math"
	"unicode"

	"parlance/algo/edit"
)

// maxAffix is the longest affix, in letters, that is a feature.
const maxAffix = 5

// features returns what maxent goes by, for the terms in the given order: hits of rules, how the terms
// are spelled, and how alike their use is. All are either there or not.
func (r *rules) features(p *pairOf, hits []hit) []string {
	var out []string
	add := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	add("bias")
	for _, h := range hits {
		name := fmt.Sprintf("rule=%s:%s", h.rule, leaves[h.label].code)
		if h.dir != neither {
			name += ":" + h.dir.String()
		}
		out = append(out, name)
	}
	add("decision=%s", leaves[r.decide(p, hits).label].code)
	r.spelling(p, add)
	r.use(p, add)
	return out
}

// spelling adds features of the forms.
func (r *rules) spelling(p *pairOf, add func(string, ...any)) {
	a, b := []rune(p.a.lower), []rune(p.b.lower)
	longest := max(len(a), len(b), 1)
	prefix, suffix := commonPrefix(a, b), commonSuffix(a, b)
	if longest <= longestTyped {
		add("distance=%d", 10*edit.Damerau(a, b)/longest)
	}
	add("prefix=%d", min(prefix, 6))
	add("suffix=%d", min(suffix, 6))
	add("length=%d", min(9, 10*min(len(a), len(b))/longest))
	add("words=%d,%d", min(len(p.a.words), 3), min(len(p.b.words), 3))
	add("script=%s,%s", script(p.a.text), script(p.b.text))
	add("capital=%t,%t", capital(p.a.text), capital(p.b.text))
	for i, t := range [][]rune{a, b} {
		for n := 2; n <= 3 && n < len(t); n++ {
			add("begins%d=%s", i+1, string(t[:n]))
			add("ends%d=%s", i+1, string(t[len(t)-n:]))
		}
	}
	// What differs where the rest is common: un- and nothing, -ful and -less.
	if x, y := a[:len(a)-suffix], b[:len(b)-suffix]; suffix >= 3 && len(x) <= maxAffix && len(y) <= maxAffix {
		add("before=%s|%s", string(x), string(y))
	}
	if x, y := a[prefix:], b[prefix:]; prefix >= 3 && len(x) <= maxAffix && len(y) <= maxAffix {
		add("behind=%s|%s", string(x), string(y))
	}
	shared := 0
	for _, w := range p.a.words {
		for _, v := range p.b.words {
			if w == v && !r.function[w] {
				shared++
			}
		}
	}
	add("shared=%d", min(shared, 3))
}

// use adds features of how alike the terms are used, as far as that is known.
func (r *rules) use(p *pairOf, add func(string, ...any)) {
	if p.scored {
		add("score=%d", int(math.Floor(20*max(-50, min(50, p.score)))))
	} else {
		add("score=?")
	}
	add("rank=%d", bucket(float64(p.rank)))
	add("back=%d", bucket(float64(p.back)))
	add("ranks=%d", bucket(math.Sqrt(float64(p.rank)*float64(p.back))))
	if p.count1 >= 0 && p.count2 >= 0 {
		add("ratio=%d", bucket((p.count1+1)/(p.count2+1))-bucket((p.count2+1)/(p.count1+1)))
	}
	for _, c := range []struct {
		name  string
		count float64
	}{{"contrast", p.contrast}, {"conjunction", p.conjunction}, {"such_as", p.suchAs}, {"part_of", p.partOf}} {
		if c.count >= 0 {
			add("%s=%d", c.name, bucket(c.count))
		}
	}
	if p.hasPMI {
		add("pmi=%d", int(math.Floor(max(-50, min(50, p.pmi)))))
	}
}

// bucket is 0 for numbers below 1, and 1 + ⌊log2 x⌋ else.
func bucket(x float64) int {
	if !(x >= 1) {
		return 0
	}
	return 1 + int(math.Log2(x))
}

// script is the script of the first letter.
func script(s string) string {
	for _, r := range s {
		if !unicode.IsLetter(r) {
			continue
		}
		for _, name := range []string{"Latin", "Han", "Hiragana", "Katakana", "Cyrillic", "Greek", "Arabic", "Hangul"} {
			if unicode.Is(unicode.Scripts[name], r) {
				return name
			}
		}
		return "other"
	}
	return "none"
}

func capital(s string) bool {
	for _, r := range s {
		return unicode.IsUpper(r)
	}
	return false
}

// swapped is the pair the other way round.
func (p *pairOf) swapped() *pairOf {
	return &pairOf{p.b, p.a, p.y, p.x, p.facts.swapped()}
}

// swapHits turns directions round.
func swapHits(hits []hit) []hit {
	out := make([]hit, len(hits))
	for i, h := range hits {
		out[i] = hit{h.label, -h.dir, h.rule}
	}
	return out
}
