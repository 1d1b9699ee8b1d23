package option

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"parlance/storage/value"
)

// scale is a family of units, by what they are worth in the smallest one, from small to large.
type scale []struct {
	name  string
	worth int64
}

// scales are the units of time and memory, as PostgreSQL writes them in settings.
var scales = []scale{
	{{"us", 1}, {"ms", 1000}, {"s", 1e6}, {"min", 60e6}, {"h", 3600e6}, {"d", 86400e6}},
	{{"B", 1}, {"kB", 1 << 10}, {"MB", 1 << 20}, {"GB", 1 << 30}, {"TB", 1 << 40}},
}

func (s scale) worth(unit string) int64 {
	if unit == "bytes" {
		unit = "B"
	}
	for _, u := range s {
		if u.name == unit {
			return u.worth
		}
	}
	return 0
}

// whole reads an integer; where the option has a unit of time or memory, a text may name one of its
// scale, and have a fraction: '1.5s' is 1500 where the unit is ms.
func (d *Decl) whole(a Arg) (int64, error) {
	v, err := literal(a, value.Integer)
	if err == nil {
		return v.Int(), nil
	}
	text := strings.TrimSpace(a.Text())
	digits := strings.TrimRight(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
	n, bad := strconv.ParseFloat(strings.TrimSpace(digits), 64)
	if a.List != nil || bad != nil || len(digits) == len(text) {
		return 0, err
	}
	for _, s := range scales {
		own := s.worth(d.Unit)
		if own == 0 {
			continue
		}
		given := s.worth(text[len(digits):])
		switch total := n * float64(given) / float64(own); {
		case given == 0:
			var names []string
			for _, u := range s {
				names = append(names, u.name)
			}
			return 0, fmt.Errorf("%q has none of the units %s", text, strings.Join(names, ", "))
		case total != math.Trunc(total) || math.Abs(total) > 1<<53:
			return 0, fmt.Errorf("%q is no whole number of %s", text, d.Unit)
		default:
			return int64(total), nil
		}
	}
	return 0, err
}

// Shown is the value in the largest unit of its scale in which it is whole, such as 7s for 7000 ms; values
// without a unit of time or memory, and 0, are shown as they are.
func (d *Decl) Shown() string {
	v := d.Value()
	n, err := strconv.ParseInt(v, 10, 64)
	if err != nil || n == 0 {
		return v
	}
	for _, s := range scales {
		own := s.worth(d.Unit)
		if own == 0 {
			continue
		}
		for i := len(s) - 1; i >= 0; i-- {
			if u := s[i]; u.worth >= own && n%(u.worth/own) == 0 {
				return strconv.FormatInt(n/(u.worth/own), 10) + u.name
			}
		}
	}
	return v
}
