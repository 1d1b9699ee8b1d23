package option

import (
	"fmt"
	"strings"

	"parlance/storage/value"
)

// Truth reads a boolean as PostgreSQL does in settings: true, false, yes, no or what they begin with,
// on, off, of, 1 and 0, in any case.
func Truth(a Arg) (bool, error) {
	if a.List != nil || a.Ref == nil && a.Value.T != value.Boolean && a.Value.T != value.Integer &&
		a.Value.T != value.Text {
		_, err := literal(a, value.Boolean)
		return false, err
	}
	word := strings.ToLower(strings.TrimSpace(a.Text()))
	switch begins := func(whole string) bool { return word != "" && strings.HasPrefix(whole, word) }; {
	case begins("true"), begins("yes"), word == "on", word == "1":
		return true, nil
	case begins("false"), begins("no"), word == "off", word == "of", word == "0":
		return false, nil
	}
	return false, fmt.Errorf("%q is not a boolean: write on, off, true, false, yes, no, 1 or 0", a.Text())
}
