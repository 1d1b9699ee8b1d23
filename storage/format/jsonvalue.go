package format

import (
	"encoding/json"
	"errors"
	"io"
	"strings"
)

// largeJSON is from how many bytes on a value of JSON is decoded token by token, with looks at the context, which takes
// about twice as long.
const largeJSON = 1 << 20

// maxNested is how deep values of JSON lie in each other at most, as the library has it for values as a whole.
const maxNested = 10000

// jsonTokenTurn is how many tokens are read between looks at the context.
const jsonTokenTurn = 1 << 10

// readPiece is how much a decoder is given at once, between looks at the context.
const readPiece = 64 << 10

// pieces reads a text piece by piece, until the load is to end.
type pieces struct {
	text  string
	ended func() error // nil for no context
}

func (p *pieces) Read(b []byte) (int, error) {
	if err := over(p.ended); err != nil {
		return 0, err
	}
	if p.text == "" {
		return 0, io.EOF
	}
	n := copy(b[:min(len(b), readPiece)], p.text)
	p.text = p.text[n:]
	return n, nil
}

// over is why a load is to end, of type *loadEnded, or nil.
func over(ended func() error) error {
	if ended != nil {
		if err := ended(); err != nil {
			return &loadEnded{err}
		}
	}
	return nil
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
	dec := json.NewDecoder(&pieces{text, ended})
	dec.UseNumber()
	v, err := (&jsonByToken{dec: dec, ended: ended}).value(0)
	return v, dec, err
}

func (j *jsonByToken) value(depth int) (any, error) {
	if j.n++; j.n%jsonTokenTurn == 0 {
		if err := over(j.ended); err != nil {
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

// decodeObject decodes the object that a text is, with looks at the context where it is long.
func decodeObject(text string, ended func() error) (map[string]any, error) {
	if len(text) < largeJSON || ended == nil {
		return object(text)
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
		if err := over(ended); err != nil {
			return nil, err
		}
		return nil, errors.New("something follows the object")
	}
	if strings.Contains(text, `\u0000`) {
		return m, checkTextsUntil(m, &lookout{ended: ended})
	}
	return m, nil
}

// decodeValue decodes the next value of a decoder; one that is long with looks at the context.
func decodeValue(dec *json.Decoder, ended func() error) (v any, err error) {
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

// lookout looks at the context once in some thousand steps.
type lookout struct {
	ended func() error
	n     int
}

func (l *lookout) step() error {
	if l.n++; l.n%jsonTokenTurn != 0 {
		return nil
	}
	return over(l.ended)
}

// encodeJSON is json.Marshal for values that were decoded, with looks at the context.
func encodeJSON(to []byte, v any, look *lookout) ([]byte, error) {
	err := look.step()
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
			if to, err = encodeJSON(to, x, look); err != nil {
				return nil, err
			}
		}
		return append(to, ']'), nil
	case map[string]any:
		to = append(to, '{')
		for i, name := range sortedNames(v) {
			if i > 0 {
				to = append(to, ',')
			}
			if to, err = encodeJSON(to, name, look); err != nil {
				return nil, err
			}
			if to, err = encodeJSON(append(to, ':'), v[name], look); err != nil {
				return nil, err
			}
		}
		return append(to, '}'), nil
	}
	raw, err := json.Marshal(v)
	return append(to, raw...), err
}
