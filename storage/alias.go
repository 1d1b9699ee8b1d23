package storage

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"time"

	"parlance/storage/sealed"
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

// Promote points an alias of a model at a version, unless p is refused, and adds p to the history with the present time
// and the previous version. It returns ErrNotFound if there is no such version, and ErrAliasChanged if an alias in
// expect no longer names the version given there (0: none).
func (s *Store) Promote(name string, p Promotion, expect map[string]int) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	o, st := s.cat.byName[name], s.model(name).clone()
	if o == nil || o.Kind != ModelObject ||
		!slices.ContainsFunc(st.versions, func(v ModelVersion) bool { return v.Version == p.Version }) {
		return fmt.Errorf("model %s@%d %w", name, p.Version, ErrNotFound)
	}
	for alias, version := range expect {
		if st.Aliases[alias] != version {
			return fmt.Errorf("%s of %s %w", alias, name, ErrAliasChanged)
		}
	}
	p.From, p.When = st.Aliases[p.Alias], time.Now().UTC().Truncate(time.Microsecond)
	if !p.Refused {
		st.Aliases[p.Alias] = p.Version
	}
	st.Promotions = append(st.Promotions, p)
	if err := s.Update(func(tx *sealed.Tx) error { return putJSON(tx, modelKey(o.ID), st) }); err != nil {
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

func putJSON(tx *sealed.Tx, key []byte, v any) error {
	raw, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return tx.Bucket(bucketCatalog).Put(key, raw)
}
