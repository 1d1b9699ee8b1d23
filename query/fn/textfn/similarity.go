package textfn

import (
	"context"
	"errors"
	"fmt"
	"unicode"

	"parlance/algo/edit"
	"parlance/query/fn"
	"parlance/storage/value"
)

var similarityFuncs = []fn.Func{
	{Name: "levenshtein", Doc: "edit distance in code points", Example: "levenshtein('colour', 'color')",
		Args: []value.Type{text, text}, Result: integer, Long: levenshtein},
	{Name: "jaro", Doc: "Jaro similarity, from 0 to 1", Example: "jaro('martha', 'marhta')",
		Args: []value.Type{text, text}, Result: float,
		Long: onTexts(func(ctx context.Context, a, b string) (float64,
			error) {
			return jaro(ctx, []rune(a), []rune(b))
		})},
	{Name: "jaro_winkler", Doc: "Jaro-Winkler similarity, from 0 to 1: a shared prefix of up to four code points " +
		"counts 0.1 each", Example: "jaro_winkler('martha', 'marhta')", Args: []value.Type{text, text}, Result: float,
		Long: onTexts(jaroWinkler)},
	{Name: "trigram_similarity", Doc: "shared trigrams of letters and digits over all, from 0 to 1, in lower case, " +
		"words padded as PostgreSQL does", Example: "trigram_similarity('word', 'words')",
		Args: []value.Type{text, text}, Result: float,
		Long: onTexts(onSets(trigrams))},
	{Name: "jaccard", Doc: "shared words, split at white space, over all words, from 0 to 1; 1 for two texts " +
		"without words", Example: "jaccard('the old dog', 'the dog')", Args: []value.Type{text, text}, Result: float,
		Long: onTexts(onSets(wordSet))},
}

func onTexts(f func(ctx context.Context, a, b string) (float64, error)) func(context.Context,
	[]value.Value) (value.Value, error) {
	return func(ctx context.Context, a []value.Value) (value.Value, error) {
		x, err := f(ctx, a[0].S, a[1].S)
		return value.Real(x), err
	}
}

func levenshtein(ctx context.Context, a []value.Value) (value.Value, error) {
	x, y := []rune(a[0].S), []rune(a[1].S)
	if len(x)*len(y) > 1<<28 {
		return value.Value{}, errors.New("texts too long for levenshtein")
	}
	n, err := edit.Levenshtein(ctx, x, y)
	return value.Int(int64(n)), err
}

// jaro computes (m/|a| + m/|b| + (m-t)/m) / 3 of m matching code points, no farther from each
// other than half the longer text, of which 2t stand in another order.
func jaro(ctx context.Context, a, b []rune) (float64, error) {
	if len(a)*len(b) > 1<<28 {
		return 0, errors.New("texts too long for their Jaro similarity")
	}
	if len(a) == 0 && len(b) == 0 {
		return 1, nil
	}
	reach := max(max(len(a), len(b))/2-1, 0)
	taken := make([]bool, len(b))
	var left []rune
	for i, r := range a {
		if i%64 == 63 && ctx.Err() != nil { // the texts are bounded: 64 times the other one is little
			return 0, ctx.Err()
		}
		for j := max(0, i-reach); j < min(len(b), i+reach+1); j++ {
			if !taken[j] && b[j] == r {
				taken[j] = true
				left = append(left, r)
				break
			}
		}
	}
	m := float64(len(left))
	if m == 0 {
		return 0, nil
	}
	moved, k := 0, 0
	for j, t := range taken {
		if t {
			if b[j] != left[k] {
				moved++
			}
			k++
		}
	}
	return (m/float64(len(a)) + m/float64(len(b)) + (m-float64(moved/2))/m) / 3, nil
}

// jaroWinkler computes j + 0.1·l·(1-j) with a shared prefix of l code points, 4 at most.
func jaroWinkler(ctx context.Context, a, b string) (float64, error) {
	x, y := []rune(a), []rune(b)
	j, err := jaro(ctx, x, y)
	l := 0
	for l < min(4, len(x), len(y)) && x[l] == y[l] {
		l++
	}
	return j + 0.1*float64(l)*(1-j), err
}

// onSets is the overlap of what two texts are cut into.
func onSets[K comparable](
	cut func(context.Context, string) (map[K]bool, error),
) func(ctx context.Context, a, b string) (float64, error) {
	return func(ctx context.Context, a, b string) (float64, error) {
		x, err := cut(ctx, a)
		if err != nil {
			return 0, err
		}
		y, err := cut(ctx, b)
		if err != nil {
			return 0, err
		}
		return overlap(ctx, x, y)
	}
}

// wordSet is the words of a text; it ends with its context.
func wordSet(ctx context.Context, s string) (map[string]bool, error) {
	out, t, from := map[string]bool{}, fn.Steps{Ctx: ctx}, -1
	for i, r := range s {
		if err := t.Next(); err != nil {
			return nil, err
		}
		switch space := unicode.IsSpace(r); {
		case !space && from < 0:
			from = i
		case space && from >= 0:
			out[s[from:i]] = true
			from = -1
		}
		if len(out) > fn.MaxItems {
			return nil, errTooMany
		}
	}
	if from >= 0 {
		out[s[from:]] = true
	}
	return out, nil
}

// errTooMany is that a comparison would hold too much.
var errTooMany = fmt.Errorf("the texts have more than %d different parts to compare", fn.MaxItems)

// trigrams pads each word with two blanks before and one behind; it ends with its context.
func trigrams(ctx context.Context, s string) (map[[3]rune]bool, error) {
	out, t, last := map[[3]rune]bool{}, fn.Steps{Ctx: ctx}, [2]rune{' ', ' '}
	within := false
	for _, r := range s {
		if err := t.Next(); err != nil {
			return nil, err
		}
		r = unicode.ToLower(r)
		switch letter := unicode.IsLetter(r) || unicode.IsDigit(r); {
		case letter:
			out[[3]rune{last[0], last[1], r}] = true
			last, within = [2]rune{last[1], r}, true
		case within:
			out[[3]rune{last[0], last[1], ' '}] = true
			last, within = [2]rune{' ', ' '}, false
		}
		if len(out) > fn.MaxItems {
			return nil, errTooMany
		}
	}
	if within {
		out[[3]rune{last[0], last[1], ' '}] = true
	}
	return out, nil
}

// overlap computes |a ∩ b| / |a ∪ b|, 1 for two empty sets.
func overlap[K comparable](ctx context.Context, a, b map[K]bool) (float64, error) {
	shared, t := 0, fn.Steps{Ctx: ctx}
	for x := range a {
		if err := t.Next(); err != nil {
			return 0, err
		}
		if b[x] {
			shared++
		}
	}
	if len(a)+len(b) == 0 {
		return 1, nil
	}
	return float64(shared) / float64(len(a)+len(b)-shared), nil
}
