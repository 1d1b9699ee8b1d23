package storage

import (
	"fmt"
	"math"
	"slices"
	"time"

	"parlance/storage/bbolt"
)

// Promotion is one entry of an alias's history: a version that was promoted to it, or refused.
type Promotion struct {
	Alias     string    `json:"alias"`
	Version   int       `json:"version"`
	When      time.Time `json:"when"`
	From      int       `json:"from,omitempty"` // version that the alias named before, 0 for none
	User      string    `json:"user,omitempty"`
	Statement string    `json:"statement,omitempty"`
	Input     string    `json:"input,omitempty"`  // documents that both versions were scored on
	Metric    string    `json:"metric,omitempty"` // score by which it was decided, empty without a condition
	New       *number   `json:"new,omitempty"`    // score of Version
	Old       *number   `json:"old,omitempty"`    // score of the version to beat
	P         *number   `json:"p,omitempty"`      // paired significance of the difference
	Refused   bool      `json:"refused,omitempty"`
	Note      string    `json:"note,omitempty"`
}

// Score keeps figures of a promotion; NaN is none.
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

// Scores returns the figures of a promotion, NaN for those that it has not.
func (p *Promotion) Scores() (fresh, old, significance float64) {
	of := func(n *number) float64 {
		if n == nil {
			return math.NaN()
		}
		return float64(*n)
	}
	return of(p.New), of(p.Old), of(p.P)
}

// Promote points an alias of a model at a version, unless it is refused, and keeps the entry
// with the present time and the version before. ErrNotFound is returned if there is no such
// version, ErrMoved if an alias of expect names another one by now (0: none).
func (s *Store) Promote(name string, p Promotion, expect map[string]int) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	o, st := s.cat.byName[name], s.model(name).clone()
	if o == nil || o.Kind != ModelObject || !slices.ContainsFunc(st.versions, func(v ModelVersion) bool { return v.Version == p.Version }) {
		return fmt.Errorf("model %s@%d %w", name, p.Version, ErrNotFound)
	}
	for alias, version := range expect {
		if st.Aliases[alias] != version {
			return fmt.Errorf("%s of %s %w", alias, name, ErrMoved)
		}
	}
	p.From, p.When = st.Aliases[p.Alias], time.Now().UTC().Truncate(time.Microsecond)
	if !p.Refused {
		st.Aliases[p.Alias] = p.Version
	}
	st.Promotions = append(st.Promotions, p)
	if err := s.update(func(tx *bbolt.Tx) error { return putJSON(tx, modelKey(o.ID), st) }); err != nil {
		return err
	}
	s.setModel(name, st)
	return nil
}

// Alias returns the version that an alias points at.
func (s *Store) Alias(name, alias string) (int, bool) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	v, ok := s.model(name).Aliases[alias]
	return v, ok
}

// Aliases returns the aliases of a model. The map must not be changed.
func (s *Store) Aliases(name string) map[string]int {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.model(name).Aliases
}

// Promotions returns the history of a model's aliases.
func (s *Store) Promotions(name string) []Promotion {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.model(name).Promotions
}
