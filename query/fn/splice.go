package fn

import (
	"errors"

	"parlance/storage/value"
)

// Splice is how an aggregate writes its value: what its rows give, one after the other. The value over some of the
// rows is then a part of that over all.
type Splice struct {
	Open, Close string
	Type        value.Type
	// Piece is what a row gives, and what stands before it unless it is the first.
	Piece func(args []value.Value) (before, piece string, err error)
}

// Text returns the value of n rows, whose pieces are the texts, one after the other.
func (s *Splice) Text(n int, texts []string) (value.Value, error) {
	if n > mostItems && s.Type == jsonType {
		return value.Value{}, ErrItems
	}
	if len(texts) == 1 && s.Open == "" && s.Close == "" {
		return bounded(texts[0])
	}
	var b builder
	b.add(s.Open)
	for _, t := range texts {
		b.add(t)
	}
	b.add(s.Close)
	v, err := b.text()
	v.T = s.Type
	return v, err
}

var (
	splicedTexts = &Splice{Type: text, Piece: func(a []value.Value) (before, piece string, err error) {
		if len(a) > 1 {
			before = a[1].String()
		}
		return before, a[0].String(), nil
	}}
	splicedItems = &Splice{Open: "[", Close: "]", Type: jsonType, Piece: func(a []value.Value) (before, piece string, err error) {
		piece, err = element(a[0])
		return ",", piece, err
	}}
	splicedPairs = &Splice{Open: "{", Close: "}", Type: jsonType, Piece: func(a []value.Value) (before, piece string, err error) {
		if a[0].IsNull() {
			return "", "", Refused(errors.New("a key of an object is not NULL"))
		}
		key, err := quoted(a[0].String())
		if err != nil {
			return "", "", err
		}
		v, err := element(a[1])
		return ",", key + ":" + v, err
	}}
)
