package tuples

import (
	_ "embed"
	"slices"
	"strings"
)

//go:embed patterns.tsv
var patternTable string

// hyponymy is the surface patterns between a word and its hypernym, and which of X and Y is the hypernym.
var hyponymy = func() map[string]string {
	out := map[string]string{}
	for _, f := range table(patternTable) {
		out[f[0]] = f[1]
	}
	return out
}()

// maxBetween is how many words a surface pattern has between its nouns.
const maxBetween = 4

// surfacePairs yields neighbouring noun phrases with the words between them, X such as Y, and with the nouns that are
// coordinated with the second one.
func (s *sentence) surfacePairs(yield func(x, y int, pattern string)) {
	last := 0
	for j := 1; j < len(s.tok); j++ {
		if s.nouns[j] == "" || s.tok[j].rel == "compound" {
			continue
		}
		i := last
		last = j
		if i == 0 {
			continue
		}
		p := s.between(i, j)
		if p == "" || s.o.surface == "hyponymy" && hyponymy[p] == "" {
			continue
		}
		xs, ys := []int{i}, []int{j}
		if strings.HasSuffix(p, " other Y") { // A, B and other C
			xs = s.group(i, func(k int) bool { return k <= i })
		} else {
			ys = s.group(j, func(k int) bool { return k >= j })
		}
		for _, x := range xs {
			for _, y := range ys {
				if s.wanted(x) && s.wanted(y) {
					yield(x, y, p)
				}
			}
		}
	}
}

func (s *sentence) wanted(i int) bool {
	return s.o.names == "all" || !strings.HasSuffix(s.nouns[i], name)
}

// group is a noun and those coordinated with it that keep wants.
func (s *sentence) group(i int, keep func(int) bool) []int {
	first := s.first(i)
	out := []int{i}
	for k := range s.tok {
		if k > 0 && k != i && s.nouns[k] != "" && s.first(k) == first && keep(k) {
			out = append(out, k)
		}
	}
	return out
}

// between is the pattern of two noun phrases, "" where there are no words or too many between them. Articles and
// adjectives before Y are left out, but for other and the article after is.
func (s *sentence) between(i, j int) string {
	from, to := i+1, j
	for from < j && s.tok[from].rel == "flat" {
		from++
	}
	for to > from && s.premodifies(to-1, j) {
		to--
	}
	if to == from || to-from > maxBetween {
		return ""
	}
	words := []string{"X"}
	if i > 1 && strings.EqualFold(s.tok[i-1].form, "such") {
		words = []string{"such", "X"}
	}
	for k := from; k < to; k++ {
		words = append(words, strings.ToLower(s.tok[k].form))
	}
	if len(words) > 1 && words[len(words)-1] == "," {
		return ""
	}
	return strings.Join(append(words, "Y"), " ")
}

func (s *sentence) premodifies(k, j int) bool {
	w := &s.tok[k]
	if strings.EqualFold(w.form, "other") {
		return false
	}
	if w.upos == "DET" && k > 1 && s.tok[k-1].lemma == "be" {
		return false
	}
	return slices.Contains([]string{"det", "amod", "compound", "nummod"}, w.rel) && w.head == j ||
		w.rel == "advmod" && s.tok[w.head].rel == "amod" || w.rel == "nmod:poss" && w.head == j
}
