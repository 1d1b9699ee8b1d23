package frame

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"parlance/algo/kind"
)

// Lemmas gives lemmas to forms by their tags: those that were seen, else by the longest ending that was seen with the
// tag. It learns from predicates with their senses, such as killed with kill.01, and from lemmas of tokens.
type Lemmas struct {
	words   map[string]string // by tag and form
	endings map[string]string // by tag and ending: how much goes, and what comes
}

// mostEnding is the length of the longest ending.
const mostEnding = 5

// Stem is the lemma that a sense is of: kill of kill.01, grow of grow_up.04, "" of 01, which says none.
func Stem(sense string) string {
	i := strings.LastIndexByte(sense, '.')
	if i <= 0 {
		return ""
	}
	sense = sense[:i]
	if i := strings.IndexByte(sense, '_'); i > 0 {
		sense = sense[:i]
	}
	return sense
}

func pair(tag, form string) string { return tag + "\t" + form }

// lemmaCounts is how often forms had lemmas.
type lemmaCounts map[[3]string]int // tag, form in lower case, lemma

func (c lemmaCounts) add(tag, form, lemma string) {
	if lemma != "" && form != "" {
		c[[3]string{tag, strings.ToLower(form), lemma}]++
	}
}

// best is the most frequent value of each key, of equal ones the least.
func best(counts map[[2]string]int) map[string]string {
	out, most := map[string]string{}, map[string]int{}
	for _, k := range slices.SortedFunc(maps.Keys(counts), func(a, b [2]string) int {
		return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1]))
	}) {
		if n := counts[k]; n > most[k[0]] {
			out[k[0]], most[k[0]] = k[1], n
		}
	}
	return out
}

// lemmas are learned from the counts.
func (c lemmaCounts) lemmas() *Lemmas {
	words, endings := map[[2]string]int{}, map[[2]string]int{}
	for k, n := range c {
		tag, form, lemma := k[0], k[1], k[2]
		words[[2]string{pair(tag, form), lemma}] += n
		common := 0
		for common < min(len(form), len(lemma)) && form[common] == lemma[common] {
			common++
		}
		rule := fmt.Sprintf("%d %s", len(form)-common, lemma[common:])
		for size := len(form) - common; size <= min(mostEnding, len(form)); size++ {
			endings[[2]string{pair(tag, form[len(form)-size:]), rule}]++
		}
	}
	return &Lemmas{best(words), best(endings)}
}

// Of is the lemma of a form.
func (l *Lemmas) Of(form, tag string) string {
	form = strings.ToLower(form)
	if w, ok := l.words[pair(tag, form)]; ok {
		return w
	}
	for size := min(mostEnding, len(form)); size >= 0; size-- {
		if rule, ok := l.endings[pair(tag, form[len(form)-size:])]; ok {
			var gone int
			fmt.Sscanf(rule, "%d", &gone)
			_, comes, _ := strings.Cut(rule, " ")
			if gone <= len(form) {
				return form[:len(form)-gone] + comes
			}
		}
	}
	return form
}

// Encode writes the tables.
func (l *Lemmas) Encode(w *kind.Writer) error {
	for i, m := range []map[string]string{l.words, l.endings} {
		var list []string
		for _, k := range slices.Sorted(maps.Keys(m)) {
			list = append(list, k, m[k])
		}
		if err := w.Strings([]string{"words", "endings"}[i], list); err != nil {
			return err
		}
	}
	return nil
}

// DecodeLemmas reads what Encode wrote.
func DecodeLemmas(r *kind.Reader) (*Lemmas, error) {
	l := &Lemmas{map[string]string{}, map[string]string{}}
	for i, m := range []map[string]string{l.words, l.endings} {
		name := []string{"words", "endings"}[i]
		list, err := r.Strings(name)
		if err != nil {
			return nil, err
		}
		if len(list)%2 != 0 {
			return nil, kind.Corrupt(name, "have one without a lemma")
		}
		for k := 0; k < len(list); k += 2 {
			m[list[k]] = list[k+1]
		}
	}
	return l, nil
}
