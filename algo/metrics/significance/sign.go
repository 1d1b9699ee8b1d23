package significance

// Sign returns the two-sided exact p of the sign test of paired differences, and how many of them
// are above and below 0: ties, of at most tie, are dropped, and above ~ Binomial(above + below, ½).
// p is 1 where all are ties.
func Sign(differences []float64) (p float64, above, below int) {
	for _, d := range differences {
		switch {
		case d > tie:
			above++
		case d < -tie:
			below++
		}
	}
	return McNemar(above, below), above, below
}
