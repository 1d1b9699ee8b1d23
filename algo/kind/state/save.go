package state

import (
	"cmp"
	"encoding"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"parlance/algo/kind"
)

// Save writes the state of a model, a pointer to a struct.
func Save(w *kind.Writer, model any) error { return SaveAs(w, "", model) }

// SaveAs writes a state in sections that begin with a name and a dot.
func SaveAs(w *kind.Writer, name string, model any) error {
	v := reflect.ValueOf(model).Elem()
	return (&saver{w: w}).save(plan(v.Type(), name), one(v))
}

type saver struct {
	w   *kind.Writer
	buf []byte
}

// save writes the values of a node at the places.
func (s *saver) save(n *node, p places) error {
	switch n.is {
	case number:
		return s.numbers(n.section, n.words, gather(n, p))
	case text:
		return s.w.Strings(n.section, gatherTexts(p))
	case spelled:
		return s.spelled(n, p)
	case structure:
		for _, f := range n.fields {
			if err := s.save(f, p.at(f.index)); err != nil {
				return err
			}
		}
		return nil
	case array:
		return s.save(n.elem, p.inside())
	case list:
		if !n.bare {
			if err := s.lengths(n, p); err != nil {
				return err
			}
		}
		return s.save(n.elem, p.inside())
	case mapping:
		return s.maps(n, p)
	}
	return s.pointers(n, p)
}

// gather is the vector of the numbers at the places; it shares memory with a list that has all of them.
func gather(n *node, p places) vector {
	if p.lists && len(p.path) == 0 {
		if len(p.in) == 1 {
			if x := p.in[0]; x.Kind() == reflect.Slice {
				if v, ok := n.words.of(x.Interface()); ok {
					return v
				}
			}
		} else if v, ok := joined(n, p); ok {
			return v
		}
	}
	v := n.words.make(p.count())
	v.gather(p, n.t.Kind())
	return v
}

// joined is the numbers of slices one after the other.
func joined(n *node, p places) (v vector, ok bool) {
	v = n.words.make(p.count())
	at := 0
	for _, x := range p.in {
		if x.Kind() != reflect.Slice || !x.CanAddr() || !v.fill(at, x.Addr().Interface()) {
			return nil, false
		}
		at += x.Len()
	}
	return v, true
}

func gatherTexts(p places) []string {
	if p.lists && len(p.path) == 0 && len(p.in) == 1 && p.in[0].Kind() == reflect.Slice {
		if x, ok := p.in[0].Interface().([]string); ok {
			return x
		}
	}
	texts := make([]string, 0, p.count())
	p.visit(func(v reflect.Value) { texts = append(texts, v.String()) })
	return texts
}

func (s *saver) spelled(n *node, p places) (err error) {
	texts := make([]string, 0, p.count())
	p.visit(func(v reflect.Value) {
		b, e := v.Interface().(encoding.TextMarshaler).MarshalText()
		if e != nil {
			err = e
		}
		texts = append(texts, string(b))
	})
	if err != nil {
		return fmt.Errorf("section %s: %w", n.section, err)
	}
	return s.w.Strings(n.section, texts)
}

func (s *saver) lengths(n *node, p places) error {
	of := make(vec[int], 0, p.count())
	p.visit(func(v reflect.Value) { of = append(of, v.Len()) })
	return s.numbers(n.section+lengths, wordsOf[reflect.Int], of)
}

func (s *saver) pointers(n *node, p places) error {
	of, to := make(vec[int], 0, p.count()), places{}
	p.visit(func(v reflect.Value) {
		if v.IsNil() {
			of = append(of, 0)
			return
		}
		of, to.in = append(of, 1), append(to.in, v.Elem())
	})
	if n.always {
		if len(to.in) != len(of) {
			return fmt.Errorf("section %s: a pointer is nil", n.section)
		}
	} else if err := s.numbers(n.section+lengths, wordsOf[reflect.Int], of); err != nil {
		return err
	}
	return s.save(n.elem, to)
}

// maps writes maps as their rising keys and the values of these.
func (s *saver) maps(n *node, p places) error {
	if err := s.lengths(n, p); err != nil {
		return err
	}
	keys, values := places{}, places{}
	p.visit(func(v reflect.Value) {
		list := v.MapKeys()
		slices.SortFunc(list, compareKeys)
		for _, k := range list {
			keys.in, values.in = append(keys.in, k), append(values.in, v.MapIndex(k))
		}
	})
	if err := s.save(n.key, keys); err != nil {
		return err
	}
	return s.save(n.elem, values)
}

// compareKeys orders numbers, texts, and structs and arrays of such.
func compareKeys(a, b reflect.Value) int {
	part, n := reflect.Value.Index, 0
	switch {
	case a.Kind() == reflect.String:
		return strings.Compare(a.String(), b.String())
	case a.Kind() == reflect.Struct:
		part, n = reflect.Value.Field, a.NumField()
	case a.Kind() == reflect.Array:
		n = a.Len()
	case a.CanInt():
		return cmp.Compare(a.Int(), b.Int())
	case a.CanUint():
		return cmp.Compare(a.Uint(), b.Uint())
	}
	for i := range n {
		if d := compareKeys(part(a, i), part(b, i)); d != 0 {
			return d
		}
	}
	return 0
}

// signed marks the width of words that may be below 0.
const signed = 0x80

// pieceBytes is how many bytes are handed over at once.
const pieceBytes = 1 << 20

func (s *saver) numbers(section string, w words, v vector) error {
	width, head := w.size, []byte(nil)
	if w.head {
		lo, hi := v.bounds()
		width = widthOf(lo, hi)
		head = []byte{byte(width)}
		if lo < 0 {
			head[0] |= signed
		}
	}
	n := v.len()
	size := len(head) + n*width
	return s.w.Section(section, size, func(put func([]byte) error) error {
		if need := min(size, pieceBytes); cap(s.buf) < need {
			s.buf = make([]byte, need)
		}
		buf := s.buf[:min(size, pieceBytes)]
		used := copy(buf, head)
		for at := 0; at < n || at == 0; {
			k := min(n-at, (len(buf)-used)/width)
			v.put(buf[used:], at, k, width)
			if err := put(buf[:used+k*width]); err != nil {
				return err
			}
			if at, used = at+k, 0; n == 0 {
				break
			}
		}
		return nil
	})
}
