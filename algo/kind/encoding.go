package kind

import (
	"errors"
	"fmt"
)

// Encoding is the number of the formats in which kinds write their sections, of all kinds together. It rises when the
// sections of a kind change; it is recorded with every version of a model. Models from before it was recorded have 0.
const Encoding = 1

// Errors of models whose sections have another format. They are not damaged.
var (
	ErrOlder = errors.New("was written by an older version of Parlance")
	ErrNewer = errors.New("was written by a newer version of Parlance")
)

// CheckEncoding refuses a model whose sections this program does not read: ErrOlder or ErrNewer.
func CheckEncoding(model string, encoding int) error {
	err := ErrOlder
	switch {
	case encoding == Encoding:
		return nil
	case encoding > Encoding:
		err = ErrNewer
	}
	return fmt.Errorf("model %s %w: its weights have the format %d, this program reads %d", model, err, encoding, Encoding)
}

// IsEncoding reports whether an error is one of CheckEncoding.
func IsEncoding(err error) bool { return errors.Is(err, ErrOlder) || errors.Is(err, ErrNewer) }
