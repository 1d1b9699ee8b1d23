package table

import (
	"context"
	"errors"
	"regexp"
	"slices"
	"strconv"

	"parlance/storage/format/codec"
	"parlance/storage/value"
)

// plainNumber matches numbers that are the same number when they are written back: no signs, blanks or zeros before
// them. Identifiers such as 007 stay text.
var plainNumber = regexp.MustCompile(`^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?$`)

// digits is how many digits a float keeps for sure.
const digits = 15

// NumericColumns reads the files once to find the metadata columns whose values are numbers all through: of type
// INTEGER if all of them are whole, else FLOAT. Values for NULL count for nothing. It returns nil for formats that
// type their values themselves, for standard input, which can be read only once, and where numbers = false.
func NumericColumns(ctx context.Context, c codec.Codec, src *codec.Sources) (map[string]value.Type, error) {
	s, ok := c.(*separated)
	if !ok || !s.numbers || src.Paths() == nil || s.ByPlace() {
		return nil, nil
	}
	columns := map[string]*numbersSeen{}
	err := src.Again().Each(func(file *codec.Source) error {
		n := 0
		return s.records(file, nil, func(names []string, record []part, _ int) error {
			if n++; n%1000 == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			for i, name := range names {
				if s.isNull(record[i]) || slices.Contains([]string{s.id, s.content, s.label}, name) {
					continue
				}
				if columns[name] == nil {
					columns[name] = &numbersSeen{}
				}
				columns[name].see(record[i].text)
			}
			return nil
		})
	})
	if malformed := (*codec.Error)(nil); errors.As(err, &malformed) {
		return nil, ctx.Err() // the reader of documents says what is wrong with a file
	}
	if err != nil {
		return nil, err
	}
	types := map[string]value.Type{}
	for name, c := range columns {
		if t := c.numeric(); t != value.Null {
			types[name] = t
		}
	}
	return types, nil
}

// numeric is the type of numbers that all values seen have, NULL where they have none.
func (c *numbersSeen) numeric() value.Type {
	switch {
	case c.texts || c.floats && c.long:
		return value.Null
	case c.floats:
		return value.Float
	}
	return value.Integer
}

// numbersSeen is what the values of a column were.
type numbersSeen struct {
	any           bool // there was one
	texts, floats bool
	long          bool // whole numbers that a float may not keep
}

func (c *numbersSeen) see(s string) {
	m := plainNumber.FindStringSubmatch(s)
	switch {
	case c.texts:
	case m == nil || s == "-0":
		c.texts = true
	case m[2] == "" && m[3] == "":
		_, err := strconv.ParseInt(s, 10, 64)
		c.texts = err != nil
		c.long = c.long || len(s) > digits
	default:
		_, err := strconv.ParseFloat(s, 64)
		c.texts = err != nil || m[2] == "" || len(m[1])+len(m[2])-1 > digits
		c.floats = true
	}
}
