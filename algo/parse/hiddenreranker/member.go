package hiddenreranker

import (
	"parlance/algo/parse/candidates"
	"parlance/algo/parse/constituent"
)

// member is one hidden-variable model.
type member struct {
	name      string // domain/graph
	domain    string
	siblings  bool
	k         int  // values of a class
	normalise bool // a word with more values is no better for that
	senses    senses

	singles map[uint64]int32 // features of words with a class, by hash
	pairs   map[uint64]int32 // features of edges with the classes of both ends
	theta   []float64        // of singles by value, then of pairs by value of the parent, then of the other
}

// newMember makes a member without weights; name is one that parseMember reads.
func (m *model) newMember(name string) *member {
	domain, graph, _ := parseMember(name)
	x := &member{name: name, domain: domain, siblings: graph == "sibling", k: m.opt.values, normalise: m.opt.normalise}
	switch domain {
	case "lexical", "supersense":
		x.k = m.opt.subValues
	case "none":
		x.k = 1
	}
	return x
}

// size is how many weights there are.
func (m *member) size() int { return len(m.singles)*m.k + len(m.pairs)*m.k*m.k }

// classified is a variable with the classes of its values.
type classified struct {
	variable
	classes []piece
	sign    uint64 // of the classes
}

// read returns the words of a tree.
func (m *member) read(x *reader, t *constituent.Node, s *candidates.Sentence) []classified {
	list := x.read(t, s.Words, m.siblings)
	out := make([]classified, len(list))
	for i := range list {
		v := &list[i]
		form, tag := "", ""
		if v.token <= len(s.Words) {
			form = s.Words[v.token-1]
		}
		if m.domain == "supersense" {
			tag = tagOf(t, v.token)
		}
		c := m.classes(v, form, tag)
		out[i] = classified{variable: *v, classes: c, sign: facts(c).sign()}
	}
	return out
}

// tagOf is the label of a leaf.
func tagOf(t *constituent.Node, token int) string {
	for _, l := range t.Leaves(nil) {
		if l.Token == token {
			return l.Label
		}
	}
	return ""
}

// single and pair are the keys of features with classes.
func single(f, class piece) uint64       { return mix(f.hash, class.hash) }
func pair(f, parent, class piece) uint64 { return mix(mix(f.hash, parent.hash), class.hash) }

// features calls visit for each feature of a tree with its classes; down is of the class of the word itself, up that of
// its parent, nil for a feature of the word alone.
func (m *member) features(list []classified, visit func(key uint64, f piece, up *piece, down piece)) {
	for i := range list {
		v := &list[i]
		for _, c := range v.classes {
			for _, f := range v.word {
				visit(single(f, c), f, nil, c)
			}
			if v.parent < 0 {
				continue
			}
			for k := range list[v.parent].classes {
				u := &list[v.parent].classes[k]
				for _, f := range v.edge {
					visit(pair(f, *u, c), f, u, c)
				}
			}
		}
	}
}
