package triples

// Scorer scores triples: the higher, the more likely. It is safe for concurrent use, and all its
// scores are finite numbers.
type Scorer interface {
	// Score scores one triple.
	Score(Triple) float64
	// Scores scores every entity at the open side of triples that have the relation and the given
	// entities at the other side. Row i of out, as long as there are entities, is for given[i]. At
	// most BlockRows are given at once, so that products of matrices can answer them.
	Scores(open Side, relation int32, given []int32, out []float64)
}

// BlockRows is how many rows Scores is asked for at most.
const BlockRows = 64

// blockRows is how many rows are asked for, given the number of entities: no more than 32 MB of scores.
func blockRows(entities int) int { return max(1, min(BlockRows, 4<<20/max(1, entities))) }
