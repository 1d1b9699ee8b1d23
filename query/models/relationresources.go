package models

import (
	"encoding/hex"
	"errors"
	"fmt"
	"slices"

	"parlance/algo/gazetteer"
	"parlance/algo/kind"
	"parlance/query/plan"
	"parlance/storage/catalog"
	"parlance/storage/value"
)

// relationOf finds the relation of a model that stands for a resource; the model is nil if an object has the name.
func (s *Resources) relationOf(res kind.Resource) (*plan.ModelUse, string, error) {
	ref, err := s.Resolver.Refer(res, s.Pins)
	if err != nil || ref.Object != nil {
		return nil, "", err
	}
	u, err := s.Resolver.Schema(ref.Version.Name, ref.Version.Version)
	return u, ref.relation, err
}

// gazetteerOfModel is the matcher of a relation that stands for a gazetteer, nil if an object has the name.
func (s *Resources) gazetteerOfModel(name string) (kind.Gazetteer, error) {
	m, rel, err := s.relationOf(kind.Resource{Kind: string(catalog.GazetteerObject), Name: name})
	if m == nil || err != nil {
		return nil, err
	}
	return s.Phrases(&plan.Phrases{Model: m, Rel: rel, Name: name}, "")
}

// lexiconOfModel is the table of a relation that stands for a lexicon, nil if an object has the name.
func (s *Resources) lexiconOfModel(name string) (kind.Lexicon, error) {
	m, rel, err := s.relationOf(kind.Resource{Kind: string(catalog.LexiconObject), Name: name})
	if m == nil || err != nil {
		return nil, err
	}
	if l, err := s.modelAsLexicon(m, rel); l != nil || err != nil {
		return l, err
	}
	key := fmt.Sprintf("words\x00%s\x00%s", m, rel)
	lex, err := s.Resolver.Set.compiled.getUnlocked(key, s.Resolver.weightsOf(m), func() (any, error) {
		l, err := s.readLexicon(m, rel)
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", name, err)
		}
		return l, nil
	})
	if err != nil {
		return nil, err
	}
	return lex.(kind.Lexicon), nil
}

// modelAsLexicon is the model itself if its kind implements kind.Lexicon and the relation is the first that can stand
// for a table; nil for others.
func (s *Resources) modelAsLexicon(m *plan.ModelUse, rel string) (kind.Lexicon, error) {
	first := slices.IndexFunc(m.Schema.Relations, isTable)
	if first < 0 || m.Schema.Relations[first].Name != rel {
		return nil, nil
	}
	l, err := s.Resolver.Fetch(m.Name, m.Version)
	if err != nil {
		return nil, err
	}
	lex, _ := l.Model.(kind.Lexicon)
	return lex, nil
}

// readLexicon makes a lexicon of the rows of a relation: its first column is the word.
func (s *Resources) readLexicon(m *plan.ModelUse, rel string) (*gazetteer.Lexicon, error) {
	var names []string
	for _, x := range s.Relations.Relations(m) {
		if x.Name == rel {
			for _, c := range x.Columns {
				names = append(names, c.Name)
			}
		}
	}
	if len(names) == 0 {
		return nil, errors.New("it has no columns")
	}
	lex := gazetteer.NewLexicon(names, "exact")
	return lex, s.Relations.ReadRelation(m, rel, func(row []value.Value) { lex.Add(texts(row)) })
}

// weightsOf is the content of a version: its number may be given again when all versions of a model were dropped.
func (r *Resolver) weightsOf(m *plan.ModelUse) (c content) {
	v, _ := r.Set.Store.ModelVersion(m.Name, m.Version)
	_, _ = hex.Decode(c.hash[:], []byte(v.WeightsHash[:min(len(v.WeightsHash), 64)]))
	return c
}
