package gecmodule

import (
	"slices"
	"strings"

	"parlance/algo/correct/confusion"
)

// Pattern is a context that wants a comma: words before and after a gap. The start of the sentence is the word <s>.
type Pattern struct {
	Left, Right string // words, apart by blanks
	Gaps        int    // how often the context occurred
	Commas      int    // how often with a comma
}

func (p Pattern) key() string { return p.Left + " | " + p.Right }

// gapContexts yields the contexts of a gap before token i: one to three words before, none to three words after. The
// token at i itself, where it is a comma, is passed over.
func gapContexts(s *confusion.Sentence, i, after int, yield func(left, right string)) {
	left := ""
	for n := 1; n <= 3 && i-n >= -1; n++ {
		left = strings.TrimSuffix(s.Word(i-n)+" "+left, " ")
		yield(left, "")
		right := ""
		for k := 1; k <= 3 && after+k <= len(s.Forms); k++ {
			right = strings.TrimPrefix(right+" "+s.Word(after+k-1), " ")
			yield(left, right)
		}
	}
}

// Contexts counts the contexts of gaps and keeps those that occur count times or more, with a comma in a share of rate
// or more. Sentences are those that are right.
func Contexts(list []*confusion.Sentence, rate float64, count int) []Pattern {
	type seen struct{ gaps, commas int }
	counts := map[[2]string]*seen{}
	for _, s := range list {
		for i := 1; i <= len(s.Forms); i++ {
			if s.Word(i-1) == "," || i == len(s.Forms) {
				continue
			}
			comma, after := s.Word(i) == ",", i
			if comma {
				after++
			}
			gapContexts(s, i, after, func(left, right string) {
				x := counts[[2]string{left, right}]
				if x == nil {
					x = &seen{}
					counts[[2]string{left, right}] = x
				}
				x.gaps++
				if comma {
					x.commas++
				}
			})
		}
	}
	var out []Pattern
	for k, x := range counts {
		if x.gaps >= count && float64(x.commas) >= rate*float64(x.gaps) {
			out = append(out, Pattern{k[0], k[1], x.gaps, x.commas})
		}
	}
	slices.SortFunc(out, func(a, b Pattern) int { return strings.Compare(a.key(), b.key()) })
	return out
}

// matches tells whether a pattern wants a comma in the gap before token i.
func (l *lists) matches(s *confusion.Sentence, i int) bool {
	found := false
	if len(l.patterns) > 0 {
		gapContexts(s, i, i, func(left, right string) {
			found = found || l.patterns[Pattern{Left: left, Right: right}.key()]
		})
	}
	return found
}

// keepsGap tells whether a gap is looked at: its left or right word was seen beside a comma often.
func (l *lists) keepsGap(s *confusion.Sentence, i int) bool {
	return l.gaps[s.Word(i-1)+" ,"] || l.gaps[", "+s.Word(i)] || l.matches(s, i)
}

// minBesideComma is how often a word stands beside a comma that makes gaps beside it candidates.
const minBesideComma = 3

// besideCommas lists the words that stand before and after commas.
func besideCommas(list []*confusion.Sentence) []string {
	n := map[string]int{}
	for _, s := range list {
		for i, w := range s.Lower {
			if w == "," && i > 0 {
				n[s.Word(i-1)+" ,"]++
				n[", "+s.Word(i+1)]++
			}
		}
	}
	var out []string
	for k, x := range n {
		if x >= minBesideComma {
			out = append(out, k)
		}
	}
	slices.Sort(out)
	return out
}

// Capitals lists the words that are never written in lower case but at the start of a sentence, and with a capital
// count times or more.
func Capitals(list []*confusion.Sentence, count int) []string {
	upper, lower := map[string]int{}, map[string]bool{}
	for _, s := range list {
		start := true
		for i, w := range s.Forms {
			switch {
			case w == s.Lower[i]:
				lower[w] = true
			case !start && confusion.Title(s.Lower[i]) == w:
				upper[w]++
			}
			start = (start || strings.HasSuffix(w, ".") || strings.ContainsAny(w, "\":?!(")) && !isLetter(w)
		}
	}
	var out []string
	for w, n := range upper {
		if n >= count && !lower[strings.ToLower(w)] {
			out = append(out, w)
		}
	}
	slices.Sort(out)
	return out
}

func isLetter(w string) bool {
	return w != "" && strings.ToLower(w) != strings.ToUpper(w)
}

// findLower finds words in lower case that are always written with a capital.
func (l *lists) findLower(s *confusion.Sentence) []confusion.Candidate {
	var out []confusion.Candidate
	for i, w := range s.Forms {
		if w != s.Lower[i] {
			continue
		}
		if c, ok := l.capitals[w]; ok {
			o := confusion.Option{Label: 1, Fill: w, Edit: confusion.Edit{Start: i, End: i + 1, Words: c}}
			out = append(out, confusion.Candidate{Slot: i, SlotEnd: i + 1, Fill: w, Options: []confusion.Option{o}})
		}
	}
	return out
}

// findWords finds the words that were corrected to others in the training data.
func (l *lists) findWords(s *confusion.Sentence) []confusion.Candidate {
	var out []confusion.Candidate
	for i, w := range s.Lower {
		to := l.Forms[w]
		if len(to) == 0 {
			continue
		}
		c := confusion.Candidate{Slot: i, SlotEnd: i + 1, Source: l.wordAt[w], Fill: w}
		for _, x := range to {
			c.Options = append(c.Options, confusion.Option{Label: l.wordAt[x], Fill: x,
				Edit: confusion.Edit{Start: i, End: i + 1, Words: confusion.As(x, s.Forms[i])}})
		}
		out = append(out, c)
	}
	return out
}
