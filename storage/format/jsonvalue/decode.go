package jsonvalue

import (
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"

	"parlance/storage/format/codec"
	"parlance/storage/value"
)

// largeJSON is from how many bytes on a value of JSON is decoded token by token, with looks at the context, which takes
// about twice as long.
const largeJSON = 1 << 20

// maxNested is how deep values of JSON lie in each other at most, as the library has it for values as a whole.
const maxNested = 10000

// ReadPiece is how much a decoder is given at once, between looks at the context.
const ReadPiece = 64 << 10

// Pieces reads a text piece by piece, until the load is to end.
type Pieces struct {
	Text  string
	Ended func() error // nil for no context
}

// Read implements io.Reader.
func (p *Pieces) Read(b []byte) (int, error) {
	if err := codec.Over(p.Ended); err != nil {
		return 0, err
	}
	if p.Text == "" {
		return 0, io.EOF
	}
	n := copy(b[:min(len(b), ReadPiece)], p.Text)
	p.Text = p.Text[n:]
	return n, nil
}

// jsonByToken decodes values token by token.
type jsonByToken struct {
	dec   *json.Decoder
	ended func() error
	n     int
}

// decodeLarge decodes a value of JSON with looks at the context; it gives what the library gives for the whole. Where
// something follows it, the decoder stands there.
func decodeLarge(text string, ended func() error) (any, *json.Decoder, error) {
	dec := json.NewDecoder(&Pieces{text, ended})
	dec.UseNumber()
	v, err := (&jsonByToken{dec: dec, ended: ended}).value(0)
	return v, dec, err
}

func (j *jsonByToken) value(depth int) (any, error) {
	if j.n++; j.n%codec.Turn == 0 {
		if err := codec.Over(j.ended); err != nil {
			return nil, err
		}
	}
	if depth > maxNested {
		return nil, errors.New("exceeded max depth")
	}
	t, err := j.dec.Token()
	if err != nil {
		return nil, err
	}
	switch t {
	case json.Delim('['):
		out := []any{}
		for j.dec.More() {
			v, err := j.value(depth + 1)
			if err != nil {
				return nil, err
			}
			out = append(out, v)
		}
		_, err = j.dec.Token()
		return out, unfinished(err)
	case json.Delim('{'):
		out := map[string]any{}
		for j.dec.More() {
			k, err := j.dec.Token()
			if err != nil {
				return nil, unfinished(err)
			}
			v, err := j.value(depth + 1)
			if err != nil {
				return nil, unfinished(err)
			}
			out[k.(string)] = v // a decoder gives no other keys
		}
		_, err = j.dec.Token()
		return out, unfinished(err)
	}
	return t, nil
}

// unfinished is the error of a value that the text ends within.
func unfinished(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

// Decode decodes the object that a text is, with looks at the context where it is long.
func Decode(text string, ended func() error) (map[string]any, error) {
	if len(text) < largeJSON || ended == nil {
		return Object(text)
	}
	v, dec, err := decodeLarge(text, ended)
	if err != nil {
		return nil, err
	}
	m, ok := v.(map[string]any)
	if !ok {
		return nil, errors.New("an object is wanted")
	}
	if _, err := dec.Token(); err != io.EOF {
		if err := codec.Over(ended); err != nil {
			return nil, err
		}
		return nil, errors.New("something follows the object")
	}
	if strings.Contains(text, `\u0000`) {
		return m, CheckTextsUntil(m, &codec.Lookout{Ended: ended})
	}
	return m, nil
}

// DecodeNext decodes the next value of a decoder; one that is long with looks at the context.
func DecodeNext(dec *json.Decoder, ended func() error) (v any, err error) {
	if ended == nil {
		err = dec.Decode(&v)
		return v, err
	}
	var raw json.RawMessage
	if err := dec.Decode(&raw); err != nil {
		return nil, err
	}
	if len(raw) >= largeJSON {
		v, _, err = decodeLarge(string(raw), ended)
		return v, err
	}
	one := json.NewDecoder(strings.NewReader(string(raw)))
	one.UseNumber()
	err = one.Decode(&v)
	return v, err
}

// appendJSON is json.Marshal for values that were decoded, with looks at the context.
func appendJSON(to []byte, v any, look *codec.Lookout) ([]byte, error) {
	err := look.Step()
	if err != nil {
		return nil, err
	}
	switch v := v.(type) {
	case []any:
		to = append(to, '[')
		for i, x := range v {
			if i > 0 {
				to = append(to, ',')
			}
			if to, err = appendJSON(to, x, look); err != nil {
				return nil, err
			}
		}
		return append(to, ']'), nil
	case map[string]any:
		to = append(to, '{')
		for i, name := range Names(v) {
			if i > 0 {
				to = append(to, ',')
			}
			if to, err = appendJSON(to, name, look); err != nil {
				return nil, err
			}
			if to, err = appendJSON(append(to, ':'), v[name], look); err != nil {
				return nil, err
			}
		}
		return append(to, '}'), nil
	}
	raw, err := json.Marshal(v)
	return append(to, raw...), err
}

// Object decodes a line, keeping whole numbers whole.
func Object(line string) (map[string]any, error) {
	dec := json.NewDecoder(strings.NewReader(line))
	dec.UseNumber()
	var m map[string]any
	var wrong *json.UnmarshalTypeError
	if err := dec.Decode(&m); errors.As(err, &wrong) || err == nil && m == nil {
		return nil, errors.New("an object is wanted")
	} else if err != nil {
		return nil, err
	}
	if _, err := dec.Token(); err != io.EOF {
		return nil, errors.New("something follows the object")
	}
	if strings.Contains(line, `\u0000`) {
		return m, CheckTexts(m)
	}
	return m, nil
}

// CheckTexts looks for what is no text in a value of JSON.
func CheckTexts(v any) error { return CheckTextsUntil(v, &codec.Lookout{}) }

// CheckTextsUntil is CheckTexts with looks at the context.
func CheckTextsUntil(v any, look *codec.Lookout) error {
	if err := look.Step(); err != nil {
		return err
	}
	switch v := v.(type) {
	case string:
		return value.CheckText(v)
	case []any:
		for _, x := range v {
			if err := CheckTextsUntil(x, look); err != nil {
				return err
			}
		}
	case map[string]any:
		for _, name := range Names(v) {
			if err := errors.Join(value.CheckText(name), CheckTextsUntil(v[name], look)); err != nil {
				return err
			}
		}
	}
	return nil
}

// Fault says what is wrong with a line of JSON.
func Fault(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return errors.New("the line ends before the object does")
	}
	return err // which may have a code of its own
}

// Names returns the names of the members of an object, sorted.
func Names(m map[string]any) []string {
	names := make([]string, 0, len(m))
	for n := range m {
		names = append(names, n)
	}
	slices.Sort(names)
	return names
}

// IsArray reports whether a value is a list.
func IsArray(v any) bool { _, ok := v.([]any); return ok }
