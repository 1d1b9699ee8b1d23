package logic

import (
	"errors"
	"fmt"
	"strings"

	"parlance/algo/option"
)

// Names numbers names from 0 in the order in which they come.
type Names struct {
	list  []string
	index map[string]int32
}

// Add returns the number of a name, a new one for a new name.
func (n *Names) Add(name string) int32 {
	if i, ok := n.index[name]; ok {
		return i
	}
	if n.index == nil {
		n.index = map[string]int32{}
	}
	i := int32(len(n.list))
	n.list = append(n.list, name)
	n.index[name] = i
	return i
}

// Find returns the number of a name.
func (n *Names) Find(name string) (int32, bool) {
	i, ok := n.index[name]
	return i, ok
}

// Name returns the name of a number below Len.
func (n *Names) Name(i int32) string { return n.list[i] }

// List returns the names in order; it may not be changed.
func (n *Names) List() []string { return n.list }

// Len is the number of names.
func (n *Names) Len() int { return len(n.list) }

// None is the object of facts about an entity alone.
const None int32 = -1

// Arity tells what a relation speaks of.
type Arity uint8

// The arities. A relation may have both.
const (
	OfEntities Arity = 1 << iota
	OfPairs
)

// ArityOf returns the arity that a fact with the object has.
func ArityOf(object int32) Arity {
	if object == None {
		return OfEntities
	}
	return OfPairs
}

// Signature is what formulas may name. Arities of relations beyond the end, or 0, are both.
type Signature struct {
	Relations, Entities *Names
	Arities             []Arity
}

func (s *Signature) arity(relation int32) Arity {
	if int(relation) < len(s.Arities) && s.Arities[relation] != 0 {
		return s.Arities[relation]
	}
	return OfEntities | OfPairs
}

// Slot is what stands in a place of an atom: variable ID, or constant ID, which may be None.
type Slot struct {
	Var bool
	ID  int32
}

// Pattern is an atom with numbers for names.
type Pattern struct {
	Relation        int32
	Subject, Object Slot
}

// Bound is a rule whose names are known. A variable that stands alone in its atoms, and ranges
// over pairs too, is two: of the subject and of the object, the number after it.
type Bound struct {
	Rule  *Rule
	Tree  *Tree
	Atoms []Pattern // as Tree.Atoms
	alone []Arity   // by number of the variable: what an object that may be None ranges over; 0 for others
}

// Bind resolves the names of a rule. An unknown relation or constant is an *Error.
func (s *Signature) Bind(r *Rule) (*Bound, error) {
	b := &Bound{Rule: r, Tree: Compile(r.Body), Atoms: nil}
	first, err := b.variables(s)
	if err != nil {
		return nil, err
	}
	for _, a := range b.Tree.Atoms {
		rel, err := lookup(s.Relations, a.Name, "relation", a.At, newRelation(a.Name))
		if err != nil {
			return nil, err
		}
		p := Pattern{Relation: rel, Object: Slot{ID: None}}
		if p.Subject, err = s.slot(a.Terms[0], first); err != nil {
			return nil, err
		}
		switch {
		case len(a.Terms) == 2:
			if p.Object, err = s.slot(a.Terms[1], first); err != nil {
				return nil, err
			}
		case p.Subject.Var && b.alone[p.Subject.ID+1] != 0:
			p.Object = Slot{true, p.Subject.ID + 1}
		}
		b.Atoms = append(b.Atoms, p)
	}
	return b, nil
}

// variables numbers the variables, two each, and finds what those that stand alone range over.
func (b *Bound) variables(s *Signature) (map[string]int32, error) {
	first := map[string]int32{}
	for i, v := range b.Rule.Vars {
		first[v] = int32(2 * i)
		b.alone = append(b.alone, 0, OfEntities|OfPairs)
	}
	for _, a := range b.Tree.Atoms {
		for _, t := range a.Terms {
			if t.Var && len(a.Terms) == 2 {
				b.alone[first[t.Name]+1] = 0
			}
		}
	}
	for _, a := range b.Tree.Atoms {
		t := a.Terms[0]
		if !t.Var || b.alone[first[t.Name]+1] == 0 {
			continue
		}
		over := &b.alone[first[t.Name]+1]
		if rel, ok := s.Relations.Find(a.Name); ok {
			if *over&s.arity(rel) == 0 {
				return nil, &Error{a.At, fmt.Sprintf("%s(%s): the relations of %s are some of entities and some of pairs",
					quoted(a.Name), t.Name, t.Name),
					"a pair is named by two variables, as in worksFor(x,y) => person(x)"}
			}
			*over &= s.arity(rel)
		}
	}
	return first, nil
}

func (s *Signature) slot(t Term, first map[string]int32) (Slot, error) {
	if t.Var {
		return Slot{true, first[t.Name]}, nil
	}
	id, err := lookup(s.Entities, t.Name, "entity", t.At, "")
	var unknown *Error
	if errors.As(err, &unknown) && unknown.Hint == "" && implicit(t.Name) {
		unknown.Hint = "a variable stands behind forall: forall …, " + t.Name + ": …"
	}
	return Slot{ID: id}, err
}

// newRelation is the hint for a relation that only a rule names: it must be declared, for a typing error looks the
// same.
func newRelation(name string) string {
	return "a relation that only rules derive must be in the table of relations: INSERT INTO kb.relations " +
		"(relation) VALUES (" +
		"'" + strings.ReplaceAll(name, "'", "''") + "')"
}

// lookup finds a name or says which one is close, else what else would be right.
func lookup(n *Names, name, what string, at int, hint string) (int32, error) {
	if id, ok := n.Find(name); ok {
		return id, nil
	}
	e := &Error{at, fmt.Sprintf("unknown %s %s", what, quoted(name)), hint}
	if c := option.Closest(name, n.List()); c != "" {
		e.Hint = "did you mean " + quoted(c) + "?"
	}
	return 0, e
}
