package registry

import (
	"math"
	"time"
)

// Promotion is an entry of the history of an alias: a version that it was pointed at, or that was refused.
type Promotion struct {
	Alias     string    `json:"alias"`
	Version   int       `json:"version"`
	When      time.Time `json:"when"`
	From      int       `json:"from,omitempty"` // previous version of the alias, 0 for none
	User      string    `json:"user,omitempty"`
	Statement string    `json:"statement,omitempty"`
	Input     string    `json:"input,omitempty"`  // documents that both versions were scored on
	Metric    string    `json:"metric,omitempty"` // metric of the condition, empty without a condition
	New       *number   `json:"new,omitempty"`    // score of Version
	Old       *number   `json:"old,omitempty"`    // score of the version to beat
	P         *number   `json:"p,omitempty"`      // paired significance of the difference
	Refused   bool      `json:"refused,omitempty"`
	Note      string    `json:"note,omitempty"`
}

// Score sets the scores and the p value of a promotion; NaN stands for none.
func (p *Promotion) Score(fresh, old, significance float64) {
	for _, x := range []struct {
		at    **number
		value float64
	}{{&p.New, fresh}, {&p.Old, old}, {&p.P, significance}} {
		if n := number(x.value); !math.IsNaN(x.value) {
			*x.at = &n
		}
	}
}

// Scores returns the scores and the p value of a promotion, NaN for those that it lacks.
func (p *Promotion) Scores() (fresh, old, significance float64) {
	of := func(n *number) float64 {
		if n == nil {
			return math.NaN()
		}
		return float64(*n)
	}
	return of(p.New), of(p.Old), of(p.P)
}
