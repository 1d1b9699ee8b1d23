package db

import (
	"hash/maphash"

	"parlance/query/parse"
	"parlance/storage/recent"
)

// form returns the form of a statement, and whether it came before.
func (s *statements) form(in *parse.Scanned) (*form, bool, error) {
	fingerprint := in.Fingerprint()
	s.mu.Lock()
	found := s.forms.find(fingerprint)
	s.mu.Unlock()
	if found != nil {
		return found, true, nil
	}
	tree, err := in.Parse()
	if err != nil {
		return nil, false, err
	}
	f := &form{fingerprint: string(fingerprint), parsed: tree, tokens: in.Len()}
	if f.tokens <= formTokens {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.forms.keep(f)
	}
	return f, false, nil
}

// formCache keeps what statements with one fingerprint share.
type formCache struct {
	kept recent.Map[uint64, *form] // by the hash of the fingerprint
}

// Bounds of what a formCache keeps: tokens of all statements, of one, and trees of a form.
const (
	keptTokens = 1 << 16
	formTokens = 1 << 11
	keptTrees  = 32
)

// form is what statements with one fingerprint share. It is parameterised when it comes for the second time: many never
// do.
type form struct {
	fingerprint string
	parsed      *parse.Form
	tokens      int
	seen        bool
	parameters  *parse.Parameters               // nil for none
	trees       recent.Map[string, *parametric] // with parameters, by the literals that stay in them
}

// parametric is a tree with parameters for literals.
type parametric struct {
	parsed
	places parse.Places
}

var fingerprints = maphash.MakeSeed()

// find returns the form of a fingerprint, or nil.
func (f *formCache) find(fingerprint []byte) *form {
	found, ok := f.kept.Get(maphash.Bytes(fingerprints, fingerprint))
	if !ok || found.fingerprint != string(fingerprint) {
		return nil
	}
	return found
}

func (f *formCache) keep(x *form) {
	f.kept.Limit, f.kept.Cost = keptTokens, func(x *form) int { return x.tokens }
	f.kept.Put(maphash.String(fingerprints, x.fingerprint), x)
}
