package columnar

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"math"

	"parlance/storage/value"
)

// maxDepth bounds how deep lists and structs stand in each other.
const maxDepth = 64

// assembly puts the values of the leaves of a nested field together again, as their levels say (Melnik et al. 2010,
// "Dremel", section 4): lists as arrays, structs as objects, maps as objects where their keys are texts and else as
// arrays of pairs, other values as JSON has them, and as texts where it does not. Leaves that disagree are damage.
type assembly struct {
	ctx    context.Context
	leaves map[int]*leaf
}

var errLevels = errors.New("the columns of a nested column have levels that do not fit together")

// first is the definition level of the next entry, which the first leaf has.
func (a assembly) first(f *field) (int16, error) {
	def, _, ok, err := a.leaves[f.leaves[0]].peek(a.ctx)
	if err == nil && !ok {
		err = errLevels
	}
	return def, err
}

// skip passes over an entry of all leaves, which is nothing below a definition level.
func (a assembly) skip(f *field, below int16) error {
	for _, i := range f.leaves {
		def, _, ok, err := a.leaves[i].peek(a.ctx)
		switch {
		case err != nil:
			return err
		case !ok || def >= below:
			return errLevels
		}
		a.leaves[i].skip()
	}
	return nil
}

// goesOn reports whether a list has a further entry, by the repetition level of such entries; 0 for that of rows.
func (a assembly) goesOn(f *field, level int16) (bool, error) {
	more := false
	for n, i := range f.leaves {
		_, rep, ok, err := a.leaves[i].peek(a.ctx)
		if err != nil {
			return false, err
		}
		here := ok && rep == level
		if ok && rep > level || n > 0 && here != more {
			return false, errLevels
		}
		more = here
	}
	return more, nil
}

// append writes the next value of a field.
func (a assembly) append(to []byte, f *field) ([]byte, error) {
	if len(to) > maxPage {
		panic(tooLarge{len(to)})
	}
	def, err := a.first(f)
	switch {
	case err != nil:
		return to, err
	case def < f.present:
		return append(to, "null"...), a.skip(f, f.present)
	case f.shape == plainField:
		v, err := a.leaves[f.leaves[0]].take()
		if err != nil {
			return to, err
		}
		return appendScalar(to, v)
	case f.shape == structField:
		return a.appendStruct(to, f)
	case f.shape == mapField:
		return a.appendMap(to, f, def)
	}
	return a.appendEntries(append(to, '['), f, def, ']', func(to []byte) ([]byte, error) {
		return a.append(to, f.children[0])
	})
}

// appendEntries writes what entry writes of each entry of a list, and the end of the list.
func (a assembly) appendEntries(to []byte, f *field, def int16, end byte,
	entry func(to []byte) ([]byte, error)) ([]byte, error) {
	if def < f.entry {
		return append(to, end), a.skip(f, f.entry)
	}
	for {
		var err error
		if to, err = entry(to); err != nil {
			return to, err
		}
		more, err := a.goesOn(f, f.again)
		if err != nil {
			return to, err
		}
		if !more {
			return append(to, end), nil
		}
		to = append(to, ',')
	}
}

func (a assembly) appendStruct(to []byte, f *field) (_ []byte, err error) {
	to = append(to, '{')
	for k, child := range f.children {
		if k > 0 {
			to = append(to, ',')
		}
		if to, err = appendText(to, child.name); err != nil {
			return to, err
		}
		if to, err = a.append(append(to, ':'), child); err != nil {
			return to, err
		}
	}
	return append(to, '}'), nil
}

func (a assembly) appendMap(to []byte, f *field, def int16) ([]byte, error) {
	key, item := f.children[0], f.children[1]
	if key.typeOf() != value.Text {
		return a.appendEntries(append(to, '['), f, def, ']', func(to []byte) ([]byte, error) {
			to, err := a.append(append(to, '['), key)
			if err != nil {
				return to, err
			}
			to, err = a.append(append(to, ','), item)
			return append(to, ']'), err
		})
	}
	return a.appendEntries(append(to, '{'), f, def, '}', func(to []byte) ([]byte, error) {
		switch def, err := a.first(key); {
		case err != nil:
			return to, err
		case def < key.present:
			return to, &valueError{errors.New("a key of a map is NULL")}
		}
		to, err := a.append(to, key)
		if err != nil {
			return to, err
		}
		return a.append(append(to, ':'), item)
	})
}

// appendScalar writes a value; what JSON has no number for is a text.
func appendScalar(to []byte, v value.Value) ([]byte, error) {
	switch v.T {
	case value.Null:
		return append(to, "null"...), nil
	case value.JSON:
		return append(to, v.S...), nil
	case value.Integer, value.Boolean:
		return append(to, v.String()...), nil
	case value.Float:
		if f := v.Float(); !math.IsNaN(f) && !math.IsInf(f, 0) {
			return append(to, v.String()...), nil
		}
	}
	return appendText(to, v.String())
}

func appendText(to []byte, s string) ([]byte, error) {
	if err := value.CheckText(s); err != nil {
		return to, err
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(s)
	return append(to, bytes.TrimSuffix(b.Bytes(), []byte("\n"))...), err
}
