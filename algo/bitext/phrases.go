package bitext

// Box is a pair of phrases: source words [I1, I2) and target words [J1, J2).
type Box struct{ I1, I2, J1, J2 int }

// Phrases yields the phrase pairs of n source and m target words with up to most words a side: there is a link inside,
// and none between a word inside and one outside (Koehn, Och and Marcu 2003, sec. 2). Target words without links may
// stand at the ends; so may source words.
func Phrases(n, m, most int, links []Link, yield func(Box)) {
	first, last := make([]int, n), make([]int, n) // of the targets of source words; first > last for none
	for i := range first {
		first[i], last[i] = m, -1
	}
	linked := make([]bool, m)
	low, high := make([]int, m), make([]int, m) // of the sources of target words
	for j := range low {
		low[j], high[j] = n, -1
	}
	for _, l := range links {
		first[l.Source], last[l.Source] = min(first[l.Source], l.Target), max(last[l.Source], l.Target)
		low[l.Target], high[l.Target] = min(low[l.Target], l.Source), max(high[l.Target], l.Source)
		linked[l.Target] = true
	}
	for i1 := range n {
		a, b := m, -1
		for i2 := i1 + 1; i2 <= min(n, i1+most); i2++ {
			a, b = min(a, first[i2-1]), max(b, last[i2-1])
			if b < 0 || b-a >= most || !inside(low[a:b+1], high[a:b+1], i1, i2) {
				continue
			}
			for j1 := a; j1 >= 0 && b-j1 < most && (j1 == a || !linked[j1]); j1-- {
				for j2 := b + 1; j2 <= m && j2-j1 <= most && (j2 == b+1 || !linked[j2-1]); j2++ {
					yield(Box{i1, i2, j1, j2})
				}
			}
		}
	}
}

// inside reports whether all sources of target words are in [i1, i2).
func inside(low, high []int, i1, i2 int) bool {
	for k := range low {
		if low[k] < i1 && high[k] >= 0 || high[k] >= i2 {
			return false
		}
	}
	return true
}
