package db

import (
	"hash/maphash"

	"parlance/query/parse"
	"parlance/storage/recent"
)

// template returns the template of a statement, and whether it was in the cache.
func (s *statements) template(in *parse.Scanned) (*template, bool, error) {
	fingerprint := in.Fingerprint()
	s.mu.Lock()
	found := s.templates.find(fingerprint)
	s.mu.Unlock()
	if found != nil {
		return found, true, nil
	}
	tree, err := in.Parse()
	if err != nil {
		return nil, false, err
	}
	f := &template{fingerprint: string(fingerprint), template: tree, tokens: in.Len()}
	if f.tokens <= maxTemplateTokens {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.templates.keep(f)
	}
	return f, false, nil
}

// templateCache keeps the templates of statements by fingerprint.
type templateCache struct {
	byHash recent.Map[uint64, *template] // by the hash of the fingerprint
}

// Bounds of a templateCache: the tokens of all templates and of one, and the trees of one.
const (
	maxCachedTokens   = 1 << 16
	maxTemplateTokens = 1 << 11
	maxCachedTrees    = 32
)

// template is what statements with one fingerprint share. Literals become parameters when the fingerprint comes for the
// second time: many never do.
type template struct {
	fingerprint string
	template    *parse.Template
	tokens      int
	seen        bool
	parameters  *parse.Parameters                  // nil for none
	trees       recent.Map[string, *parameterised] // with parameters, by the other literals in them
}

// parameterised is a tree with parameters in place of literals.
type parameterised struct {
	parsed
	places parse.Positions
}

var fingerprints = maphash.MakeSeed()

// find returns the template of a fingerprint, or nil.
func (f *templateCache) find(fingerprint []byte) *template {
	found, ok := f.byHash.Get(maphash.Bytes(fingerprints, fingerprint))
	if !ok || found.fingerprint != string(fingerprint) {
		return nil
	}
	return found
}

func (f *templateCache) keep(x *template) {
	f.byHash.Limit, f.byHash.Cost = maxCachedTokens, func(x *template) int { return x.tokens }
	f.byHash.Put(maphash.String(fingerprints, x.fingerprint), x)
}
