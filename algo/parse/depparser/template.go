package depparser

import (
	"fmt"
	"strings"

	"parlance/algo/numeric/buffer"
	"parlance/algo/parse/tree"
)

// role is the place of a token in a part. In templates of labels s and t are the modifiers of the head
// before and after the modifier.
type role uint8

const (
	roleG role = iota
	roleH
	roleM
	roleS
	roleT
	roleL // leftmost modifier of the modifier, in templates of labels
	roleR // rightmost one
	roles
)

// piece is an atom of a token near one of the part.
type piece struct {
	atom   atom
	offset int
}

// template is a feature: the values of atoms of the tokens of a part, by role.
type template struct {
	name   string
	pieces [roles][]piece
	seed   uint64
}

// Letters of roles and atoms.
const (
	roleLetters = "ghmstlr"
	atomLetters = "wtcpfo" + clusterLetters
)

// parseTemplate reads atoms such as ht or mw-1: a role, an atom (w form, t finer tag, c coarser tag, p
// prefix, f suffix, o form if it is frequent, z path of the cluster, k j x y its prefixes) and the
// distance to the token that is meant.
func parseTemplate(name string) (template, error) {
	t := template{name: name, seed: hashString(name)}
	for _, word := range strings.Fields(name) {
		if len(word) < 2 {
			return t, fmt.Errorf("%q is no atom: a role of %s and an atom of %s are wanted", word, roleLetters, atomLetters)
		}
		r, a := strings.IndexByte(roleLetters, word[0]), strings.IndexByte(atomLetters, word[1])
		p := piece{atom: atom(a)}
		switch word[2:] {
		case "":
		case "-1":
			p.offset = -1
		case "+1":
			p.offset = 1
		default:
			r = -1
		}
		if r < 0 || a < 0 {
			return t, fmt.Errorf("%q is no atom: a role of %s, an atom of %s, and -1 or +1 or nothing are wanted", word,
				roleLetters, atomLetters)
		}
		t.pieces[r] = append(t.pieces[r], p)
	}
	return t, nil
}

// group is the templates of one type of part.
type group struct {
	templates []template
	used      [roles]bool
}

func newGroup(names []string) *group {
	g := &group{}
	for _, n := range names {
		t, err := parseTemplate(n)
		if err != nil {
			panic(err) // the sets are constants
		}
		g.templates = append(g.templates, t)
		for r, p := range t.pieces {
			g.used[r] = g.used[r] || len(p) > 0
		}
	}
	return g
}

// halves holds what the tokens of a sentence add to the keys of a group, by role, position and
// template. A key is the sum over the roles of a part, so that tokens are hashed once a sentence,
// not once a part.
type halves [roles][]uint64

// load hashes the tokens.
func (v *halves) load(g *group, s *sentence) {
	positions := s.n + 3
	T := len(g.templates)
	for r := range v {
		if !g.used[r] {
			v[r] = v[r][:0]
			continue
		}
		v[r] = buffer.Resize(v[r], positions*T)
		for t := range g.templates {
			tp := &g.templates[t]
			pieces := tp.pieces[r]
			if len(pieces) == 0 {
				for i := range positions {
					v[r][i*T+t] = 0
				}
				continue
			}
			seed := mix(tp.seed + uint64(r))
			for i := range positions {
				h := seed
				for _, p := range pieces {
					h = mix(h ^ s.value[p.atom][min(max(i+p.offset, 0), positions-1)])
				}
				v[r][i*T+t] = h
			}
		}
	}
}

// row returns the halves of a token in a role: of tree.None, the root (0) or a token.
func (v *halves) row(r role, T int, token int32) []uint64 {
	i := int(token+shift) * T
	return v[r][i : i+T]
}

// features are the templates by type of part, and what they are called together.
type features struct {
	head, modifier []string // of one token of an arc
	arcs           []string
	between        between // tags between head and modifier that arcs see
	parts          map[tree.Type][]string
	labels         []string
	below          []string // of labels, with each modifier of the modifier as l
	history        []string // of labels, with the label of the arc above or before
}

// between are the tags between head and modifier that arcs see.
type between uint8

const (
	nothing between = iota
	sets            // the sets of finer and of coarser ones
	singly          // and each finer one
)
