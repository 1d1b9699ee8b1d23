package fulltext

import "math"

// Parameters of BM25 (Robertson and Zaragoza 2009).
const (
	K1 = 1.2
	B  = 0.75
)

// Statistics of all units that are searched.
type Statistics struct {
	Units  int   // N
	Tokens int64 // in all units
	DF     []int // units that hold a leaf of the search
}

// IDF is the weight of a term that df of n units hold.
//
//	idf = ln(1 + (N − df + 0.5) / (df + 0.5))
func IDF(n, df int) float64 {
	return math.Log(1 + (float64(n-df)+0.5)/(float64(df)+0.5))
}

// Weight is what a term that occurs tf times adds to the score of a unit of the given length.
//
//	idf · tf·(k1 + 1) / (tf + k1·(1 − b + b·length/mean))
func Weight(idf, tf, length, mean float64) float64 {
	return idf * tf * (K1 + 1) / (tf + K1*(1-B+B*length/mean))
}

// Scores adds the weights of the leaves that are not excluded, for units ascending.
func (s *Search) Scores(units []uint32, lists []List, lengths []int32, st Statistics) []float64 {
	out := make([]float64, len(units))
	if st.Tokens == 0 {
		return out
	}
	mean := float64(st.Tokens) / float64(st.Units)
	for l, leaf := range s.Leaves {
		if leaf.Excluded {
			continue
		}
		idf := IDF(st.Units, st.DF[l])
		list, k := lists[l].Units, 0
		for i, u := range units {
			if k < len(list) && list[k] < u {
				if k++; k < len(list) && list[k] < u {
					k = len(list) - len(from(list[k:], u))
				}
			}
			if k == len(list) {
				break
			}
			if list[k] == u {
				out[i] += Weight(idf, float64(lists[l].Freqs[k]), float64(lengths[u]), mean)
			}
		}
	}
	return out
}
