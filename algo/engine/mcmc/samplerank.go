package mcmc

// Feature is a feature of a state with its value, or the change of it.
type Feature struct {
	ID    int32
	Value float64
}

// Preference says how much better a state is than another, by what is known besides the model: 0 for equally good.
type Preference interface {
	// Prefer is F(y′) − F(y) where variable i changes its label from a to b.
	Prefer(i int, a, b int32) float64
}

// Truth prefers the labels of gold, or of predictions that are taken for gold: F is less one for each wrong label.
type Truth []int32

// Prefer is 1 where a wrong label becomes right, −1 where a right one becomes wrong.
func (t Truth) Prefer(i int, a, b int32) float64 {
	d := 0.0
	if b == t[i] {
		d++
	}
	if a == t[i] {
		d--
	}
	return d
}

// Constraints prefers labels that constraints ask for: F is the sum over constraints of strength × c, where c is 1
// where a variable has one of the labels, and −1 where it has not.
type Constraints map[int][]Constraint // by variable

// Constraint wants one of some labels.
type Constraint struct {
	Labels   []int32
	Strength float64
}

// Prefer is the change of F.
func (c Constraints) Prefer(i int, a, b int32) float64 {
	d := 0.0
	for _, x := range c[i] {
		d += x.Strength * (x.holds(b) - x.holds(a))
	}
	return d
}

func (c Constraint) holds(label int32) float64 {
	for _, l := range c.Labels {
		if l == label {
			return 1
		}
	}
	return -1
}

// Mixture is a weighted sum of preferences: predictions and constraints, for instance.
type Mixture []Weighted

// Weighted is a preference with its weight.
type Weighted struct {
	Weight float64
	Preference
}

// Prefer is the weighted sum.
func (m Mixture) Prefer(i int, a, b int32) float64 {
	d := 0.0
	for _, x := range m {
		d += x.Weight * x.Preference.Prefer(i, a, b)
	}
	return d
}

// SampleRank learns weights from pairs of states, one of which is preferred: where the model does not rank them so, the
// weights move by the difference of their features (Singh, Yao, Riedel and McCallum 2010). Equal scores count as a
// wrong ranking, else weights of 0 would never change.
//
//	F(y′) > F(y) and θ·(f(y′) − f(y)) ≤ margin:    θ += rate · (f(y′) − f(y))
//	F(y′) < F(y) and θ·(f(y′) − f(y)) ≥ −margin:   θ −= rate · (f(y′) − f(y))
type SampleRank struct {
	Weights []float64
	Rate    float64
	Margin  float64

	summed  []float64 // Σ over updates of time × change, for the average
	time    float64
	Updates int
}

// NewSampleRank returns a learner of n weights, all 0.
func NewSampleRank(weights int, rate, margin float64) *SampleRank {
	return &SampleRank{Weights: make([]float64, weights), Rate: rate, Margin: margin, summed: make([]float64, weights)}
}

// Score is θ·Δ.
func (l *SampleRank) Score(delta []Feature) float64 {
	s := 0.0
	for _, f := range delta {
		s += l.Weights[f.ID] * f.Value
	}
	return s
}

// Learn looks at a proposed change with the features Δ = f(y′) − f(y) and the preference F(y′) − F(y), and reports
// whether it has moved the weights. A feature may occur several times.
func (l *SampleRank) Learn(delta []Feature, preference float64) bool {
	l.time++
	if preference == 0 {
		return false
	}
	step, score := l.Rate, l.Score(delta)
	if preference < 0 {
		step, score = -step, -score
	}
	if score > l.Margin {
		return false
	}
	l.Updates++
	for _, f := range delta {
		l.Weights[f.ID] += step * f.Value
		l.summed[f.ID] += (l.time - 1) * step * f.Value
	}
	return true
}

// Average is the mean of the weights after each change that was looked at.
func (l *SampleRank) Average() []float64 {
	out := make([]float64, len(l.Weights))
	for i, w := range l.Weights {
		out[i] = w
		if l.time > 0 {
			out[i] -= l.summed[i] / l.time
		}
	}
	return out
}

// State is what a learner goes on from besides Weights and Updates. It is live: what is written into it is the state.
func (l *SampleRank) State() (time *float64, summed []float64) { return &l.time, l.summed }
