package count

import (
	"bytes"
	"context"
	"errors"
	"hash/fnv"
	"strings"
)

// Parts are saved states of texts that are cut by the hash of the text: each text is always in the same part of so
// many. So what shards have counted is added up part by part, each elsewhere.
type Parts struct {
	savers []*saver[string]
	bytes  []*bytes.Buffer
}

// NewParts returns n empty parts, 1 at least.
func NewParts(n int) *Parts {
	p := &Parts{savers: make([]*saver[string], max(n, 1)), bytes: make([]*bytes.Buffer, max(n, 1))}
	for i := range p.savers {
		p.bytes[i] = &bytes.Buffer{}
	}
	return p
}

// Add takes a text with its count. Texts come in rising order, each once.
func (p *Parts) Add(text string, n uint64) error {
	h := fnv.New64a()
	_, _ = h.Write([]byte(text))
	i := int(h.Sum64() % uint64(len(p.savers)))
	if p.savers[i] == nil {
		p.savers[i] = newSaver(texts, p.bytes[i])
	}
	return p.savers[i].add(text, n)
}

// Close returns the states, nil for parts without a text.
func (p *Parts) Close() ([][]byte, error) {
	out := make([][]byte, len(p.savers))
	for i, s := range p.savers {
		if s == nil {
			continue
		}
		if err := s.close(); err != nil {
			return nil, err
		}
		out[i] = p.bytes[i].Bytes()
	}
	return out, nil
}

// SaveParts saves the counts of a counter of texts in n parts.
func SaveParts(ctx context.Context, c *Counter[string], n int) ([][]byte, error) {
	p := NewParts(n)
	var failed error
	err := c.Each(ctx, 1, func(k string, n uint64) bool {
		failed = p.Add(k, n)
		return failed == nil
	})
	if err = errors.Join(failed, err); err != nil {
		return nil, err
	}
	return p.Close()
}

// LoadParts returns a counter of the texts of saved states, which must be closed; nil is a state without texts.
func LoadParts(ctx context.Context, states [][]byte, o Options) (*Counter[string], error) {
	c := New[string](o)
	for _, s := range states {
		if s == nil {
			continue
		}
		if err := c.Load(ctx, bytes.NewReader(s), nil); err != nil {
			return nil, errors.Join(err, c.Close())
		}
	}
	return c, nil
}

// MergeParts adds up saved states of texts.
func MergeParts(ctx context.Context, states [][]byte) ([]byte, error) {
	c, err := LoadParts(ctx, states, Options{})
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	if err = errors.Join(c.Save(ctx, &out), c.Close()); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// A key of several words is their texts with \x00 between. Bytes below 4 of a word are \x03 and the byte plus 4, so
// that keys are in the order of their words, and that \x01 and \x02 alone are free for what is no word.
const (
	between = "\x00"
	lowest  = '\x03'
)

// Marks that stand for a word in a key.
const (
	FirstMark  = "\x01"
	SecondMark = "\x02"
)

// AppendWord adds a word to a key; marks are not escaped.
func AppendWord(key []byte, first bool, word string) []byte {
	if !first {
		key = append(key, between...)
	}
	if strings.IndexFunc(word, func(c rune) bool { return c <= lowest }) < 0 {
		return append(key, word...)
	}
	for i := range len(word) {
		if b := word[i]; b <= lowest {
			key = append(key, lowest, b+4)
		} else {
			key = append(key, b)
		}
	}
	return key
}

// AppendMark adds a mark to a key.
func AppendMark(key []byte, first bool, mark string) []byte {
	if !first {
		key = append(key, between...)
	}
	return append(key, mark...)
}

// SplitKey appends the words of a key, as they stand in it, and its marks. WordOf gives the texts of words.
func SplitKey(dst []string, key string) []string {
	for more := true; more; {
		var w string
		w, key, more = strings.Cut(key, between)
		dst = append(dst, w)
	}
	return dst
}

// WordOf is the text of a word of a key.
func WordOf(part string) string {
	if strings.IndexByte(part, lowest) < 0 {
		return part
	}
	b := make([]byte, 0, len(part))
	for i := 0; i < len(part); i++ {
		c := part[i]
		if c == lowest && i+1 < len(part) {
			i++
			c = part[i] - 4
		}
		b = append(b, c)
	}
	return string(b)
}
