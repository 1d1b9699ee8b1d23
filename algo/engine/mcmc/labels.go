package mcmc

// Labels is the world of labels of variables: factors of single variables and of edges between two, which may be the
// neighbours of a chain or any others (skip edges). A variable may have many factors of its own, which a Sampler draws
// from.
//
//	Ψ(y) = Σ_i Σ_f f(y_i) + Σ over edges of table(y_i, y_j)
type Labels struct {
	Y []int32 // the state

	labels int
	unary  [][]float64 // of each variable: factor after factor, each with a value a label
	edges  [][]edge    // of each variable
	tables [][]float64 // of edges: labels × labels, the first index is that of the first variable

	at     int
	label  int32
	draws  draws
	scores []float64
}

type edge struct {
	other int32
	table int32
	first bool // the variable is the first of the edge
}

// NewLabels returns variables with a number of labels from 0 on, all of label 0. unary has the factors of each
// variable, factor after factor, each with a value for each label.
func NewLabels(labels int, unary [][]float64) *Labels {
	return &Labels{Y: make([]int32, len(unary)), labels: labels, unary: unary, edges: make([][]edge, len(unary))}
}

// Connect adds an edge between two different variables, whose table has a row for each label of the first.
func (w *Labels) Connect(i, j int, table []float64) {
	k := int32(len(w.tables))
	w.tables = append(w.tables, table)
	w.edges[i] = append(w.edges[i], edge{int32(j), k, true})
	w.edges[j] = append(w.edges[j], edge{int32(i), k, false})
}

// Propose draws a variable and another label for it.
func (w *Labels) Propose(r *Rand) bool {
	if w.labels < 2 || len(w.Y) == 0 {
		return false
	}
	w.at = r.Intn(len(w.Y))
	w.label = int32(r.Intn(w.labels - 1))
	if w.label >= w.Y[w.at] {
		w.label++
	}
	return true
}

// LogRatio is 0: another label is drawn with the same chance in both directions.
func (w *Labels) LogRatio() float64 { return 0 }

// Delta is the sum of the differences of the factors of the variable. Both labels share the factors that are drawn.
func (w *Labels) Delta(s *Sampler, r *Rand) (float64, int) {
	return w.difference(s, r, w.at, w.Y[w.at], w.label)
}

// difference is Ψ with label b of variable i less Ψ with a.
func (w *Labels) difference(s *Sampler, r *Rand, i int, a, b int32) (float64, int) {
	n := len(w.unary[i])/w.labels + len(w.edges[i])
	k := 0
	v, used := s.Sum(n, func() float64 {
		f := k
		k++
		if s.Strategy != Exact {
			f = w.draws.next(n, r)
		}
		return w.factor(i, f, b) - w.factor(i, f, a)
	})
	w.draws.reset()
	return v, used
}

// factor is the value of factor f of variable i with a label.
func (w *Labels) factor(i, f int, label int32) float64 {
	if own := len(w.unary[i]) / w.labels; f >= own {
		e := w.edges[i][f-own]
		if e.first {
			return w.tables[e.table][int(label)*w.labels+int(w.Y[e.other])]
		}
		return w.tables[e.table][int(w.Y[e.other])*w.labels+int(label)]
	}
	return w.unary[i][f*w.labels+int(label)]
}

// Accept changes the label.
func (w *Labels) Accept() { w.Y[w.at] = w.label }

// Gibbs draws the label of a variable from its distribution given all others, at a temperature, with the factors that
// a sampler evaluates. It returns how many were evaluated: each is one for all labels.
//
//	P(v) ∝ exp((Ψ with y_i = v) / τ)
func (w *Labels) Gibbs(i int, s *Sampler, temperature float64, r, draw *Rand) int {
	n := len(w.unary[i])/w.labels + len(w.edges[i])
	w.scores = append(w.scores[:0], 0)
	used := 0
	if w.labels == 2 || s.Strategy == Exact {
		for b := int32(1); b < int32(w.labels); b++ {
			v, k := w.difference(s, draw, i, 0, b)
			w.scores = append(w.scores, v)
			used = k
		}
	} else {
		used = w.shared(i, n, s, draw)
	}
	w.Y[i] = int32(Choose(w.scores, temperature, r))
	return used
}

// shared estimates the scores of all labels from the same drawn factors. Confidence has no one mean to look at
// here, so it draws until the interval of each label's difference is narrow.
func (w *Labels) shared(i, n int, s *Sampler, draw *Rand) int {
	w.scores = w.scores[:0]
	used := 0
	state := *draw
	w.scores = append(w.scores, 0)
	for b := int32(1); b < int32(w.labels); b++ {
		*draw = state // the same order of factors for each label
		v, k := w.difference(s, draw, i, 0, b)
		w.scores = append(w.scores, v)
		used = max(used, k)
	}
	return used
}

// Score is Ψ of the state.
func (w *Labels) Score() float64 {
	total := 0.0
	for i, y := range w.Y {
		own := len(w.unary[i]) / w.labels
		for f := range own {
			total += w.factor(i, f, y)
		}
		for k, e := range w.edges[i] {
			if e.first {
				total += w.factor(i, own+k, y)
			}
		}
	}
	return total
}
