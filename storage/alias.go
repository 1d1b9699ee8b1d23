package storage

import (
	"fmt"
	"slices"
	"time"

	"go.etcd.io/bbolt"
)

// Promotion is one entry of an alias's history.
type Promotion struct {
	Alias   string    `json:"alias"`
	Version int       `json:"version"`
	When    time.Time `json:"when"`
}

// SetAlias points an alias of a model at a version; ErrNotFound if there is no such version.
func (s *Store) SetAlias(name, alias string, version int) error {
	o, ok := s.Object(name)
	if !ok {
		return fmt.Errorf("model %s %w", name, ErrNotFound)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	st := s.model(name).clone()
	if !slices.ContainsFunc(st.versions, func(v ModelVersion) bool { return v.Version == version }) {
		return fmt.Errorf("model %s@%d %w", name, version, ErrNotFound)
	}
	st.Aliases[alias] = version
	st.Promotions = append(st.Promotions, Promotion{alias, version, time.Now().UTC().Truncate(time.Microsecond)})
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
