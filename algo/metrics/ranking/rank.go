package ranking

// Ties says what rank an answer has among candidates of the same score.
type Ties uint8

// The ties.
const (
	Last Ties = iota // behind all others, the cautious choice
	Middle
	Foremost
)

// Rank returns the rank, from 1, of an answer that the given numbers of other candidates are
// above and level with.
func Rank(above, level int, ties Ties) float64 {
	switch ties {
	case Middle:
		return float64(above) + 1 + float64(level)/2
	case Foremost:
		return float64(above + 1)
	}
	return float64(above + level + 1)
}

// Reciprocal returns 1/rank, 0 for ranks below 1, which stand for an answer that was not found.
func Reciprocal(rank float64) float64 {
	if rank < 1 {
		return 0
	}
	return 1 / rank
}

// Within returns 1 for an answer among the first k and 0 else.
func Within(rank float64, k int) float64 {
	if rank >= 1 && rank <= float64(k) {
		return 1
	}
	return 0
}
