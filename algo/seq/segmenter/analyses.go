package segmenter

import (
	"context"
	"slices"
)

// analysis is a sequence of words with the score of the best path that spells it.
type analysis struct {
	words []span
	score float64
}

// pathsForEach is how many paths are looked at for each analysis that is wanted: several spell the same words.
const pathsForEach = 32

// analyses returns the n best analyses by falling score of their best paths. forward has run. They are fewer where the
// 32·n best paths spell fewer.
func (s *search) analyses(ctx context.Context, n int) ([]analysis, error) {
	var out []analysis
	for k := n; len(out) < n && k <= pathsForEach*n; k *= 4 {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		paths, scores := s.kBest(k)
		out = out[:0]
		for i, p := range paths {
			words := s.read(nil, p)
			if !slices.ContainsFunc(out, func(a analysis) bool { return slices.Equal(a.words, words) }) {
				out = append(out, analysis{words, scores[i]})
			}
		}
		if len(paths) < k {
			break
		}
	}
	return out[:min(n, len(out))], nil
}
