package place

import (
	"fmt"
	"strconv"
	"strings"

	"parlance/algo/option"
	"parlance/algo/text"
)

// Locate finds the places of a set that are written name = where, …: 1.2 is token 2 of sentence 1, 1.2-4 a span, 1.3
// the node 3 of sentence 1; 4 is the mention of that number, or that row of the layer of a span, from 1.
func Locate(s *Set, d *text.Document, places string) ([]Ref, error) {
	out := make([]Ref, len(s.places))
	given := make([]bool, len(s.places))
	var names []string
	for _, p := range s.places {
		names = append(names, p.Name)
	}
	for _, part := range strings.Split(places, ",") {
		if strings.TrimSpace(part) == "" {
			continue
		}
		name, where, ok := strings.Cut(part, "=")
		name, where = strings.TrimSpace(name), strings.TrimSpace(where)
		at := -1
		for i, n := range names {
			if n == name {
				at = i
			}
		}
		switch {
		case !ok:
			return nil, fmt.Errorf("places: %q is not name = place, such as %s", strings.TrimSpace(part), example(s))
		case at < 0:
			return nil, fmt.Errorf("places: the set has no place %s%s; places: %s", name,
				option.DidYouMean(name, names), strings.Join(names, ", "))
		case given[at]:
			return nil, fmt.Errorf("places: %s is given twice", name)
		}
		r, err := s.places[at].locate(d, where)
		if err != nil {
			return nil, fmt.Errorf("places: %s = %s: %w", name, where, err)
		}
		out[at], given[at] = r, true
	}
	for i, ok := range given {
		if !ok {
			return nil, fmt.Errorf("places: %s is not given, such as %s", names[i], example(s))
		}
	}
	return out, nil
}

// example writes places of a set.
func example(s *Set) string {
	var out []string
	for i, p := range s.places {
		switch {
		case p.Type == "token" || p.Type == "node":
			out = append(out, fmt.Sprintf("%s = 1.%d", p.Name, i+1))
		case p.Layer == "":
			out = append(out, fmt.Sprintf("%s = 1.%d-%d", p.Name, i+1, i+2))
		default:
			out = append(out, fmt.Sprintf("%s = %d", p.Name, i+1))
		}
	}
	return strings.Join(out, ", ")
}

func (p Decl) locate(d *text.Document, where string) (Ref, error) {
	if p.Layer != "" {
		return p.row(d, where)
	}
	sent, toks, ok := strings.Cut(where, ".")
	first, last, isSpan := strings.Cut(toks, "-")
	if !isSpan {
		last = first
	}
	s, err1 := strconv.Atoi(sent)
	f, err2 := strconv.Atoi(first)
	l, err3 := strconv.Atoi(last)
	bounds := d.SentenceTokens()
	switch {
	case !ok || err1 != nil || err2 != nil || err3 != nil || isSpan && p.Type == "token":
		notation := "sentence.first-last, such as 1.2-4"
		if p.Type == "token" {
			notation = "sentence.token, such as 1.2"
		}
		return Ref{}, fmt.Errorf("a %s is written %s", p.Type, notation)
	case s < 1 || s >= len(bounds):
		return Ref{}, fmt.Errorf("there is no sentence %d, the document has %d", s, len(bounds)-1)
	case f < 1 || l < f || l > int(bounds[s]-bounds[s-1]):
		return Ref{}, fmt.Errorf("sentence %d has %d tokens", s, bounds[s]-bounds[s-1])
	}
	return Span(int(bounds[s-1])+f-1, int(bounds[s-1])+l), nil
}

// row finds a row of a layer: a mention by its number, a node by sentence and number, another one by its place.
func (p Decl) row(d *text.Document, where string) (Ref, error) {
	l := d.Layer(p.Layer)
	if l == nil {
		return Ref{}, fmt.Errorf("the document has no layer %s", p.Layer)
	}
	sent, number := 0, where
	var err error
	if p.Layer == "constituents" {
		s, n, ok := strings.Cut(where, ".")
		if sent, err = strconv.Atoi(s); !ok || err != nil {
			return Ref{}, fmt.Errorf("a node is written sentence.node, such as 1.2")
		}
		number = n
	}
	n, err := strconv.Atoi(number)
	if err != nil {
		return Ref{}, fmt.Errorf("a row of %s is written as a number", p.Layer)
	}
	for i := range l.N {
		switch p.Layer {
		case "constituents":
			if int(l.Ints("sent")[i]) == sent && int(l.Ints("node")[i]) == n {
				return Row(i), nil
			}
		case "mentions":
			if int(l.Ints("mention")[i]) == n {
				return Row(i), nil
			}
		default:
			if i+1 == n {
				return Row(i), nil
			}
		}
	}
	return Ref{}, fmt.Errorf("%s has no such row", p.Layer)
}
