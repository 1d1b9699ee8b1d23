package expectation

import (
	"context"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"parlance/algo/kind"
	"parlance/algo/option"
	"parlance/storage/value"
)

// Kinds of constraints: what is counted, and what the target is a share of.
const (
	Token      = "token"      // tokens of a form that have the label, of all tokens of the form
	Dictionary = "dictionary" // tokens in phrases of a dictionary, likewise
	Pattern    = "pattern"    // tokens that a pattern finds, likewise
	Separator  = "separator"  // tokens of a form that are a segment of their own, with the label
	Share      = "share"      // tokens that have the label, of all tokens
	Length     = "length"     // segments with the label of some lengths, of all segments with the label
	Segments   = "segments"   // segments with the label, a row
)

// Kinds lists the kinds of constraints.
var Kinds = []string{Token, Dictionary, Pattern, Separator, Share, Length, Segments}

// Directions of constraints on an expectation e with target u: e ≥ u, e ≤ u, e = u, |e − u| ≤ width, and the penalty
// (e − u)²/(2·width) in place of a bound.
const (
	AtLeast = ">="
	AtMost  = "<="
	Equal   = "="
	Box     = "box"
	Squared = "l2"
)

// Directions lists the directions.
var Directions = []string{AtLeast, AtMost, Equal, Box, Squared}

// Constraint is one row of the table of constraints.
type Constraint struct {
	Row       int // 1-based
	Kind      string
	Value     string // what the tokens are, or lengths
	Label     string // "" for all but outside, of lengths and segments
	Direction string
	Target    float64 // a share from 0 to 1; segments: a number a row
	Width     float64 // of box and l2
}

// String is the constraint in one line.
func (c Constraint) String() string {
	s := c.Kind
	if c.Value != "" {
		s += " '" + c.Value + "'"
	}
	if c.Label != "" {
		s += " label " + c.Label
	}
	return fmt.Sprintf("%s %s %g (row %d)", s, c.Direction, c.Target, c.Row)
}

// Table is what TRAIN reads AS constraints.
var Table = kind.TableUse{Name: "constraints", Doc: "what is expected of the labels", Columns: []kind.Column{
	{Name: "kind", Type: value.Text, Doc: strings.Join(Kinds, ", ")},
	{Name: "value", Type: value.Text, Doc: "a form, a label of the gazetteer, a pattern, or lengths such as 2, " +
		"1-3 or 7-", Optional: true},
	{Name: "label", Type: value.Text, Doc: "label that is counted, with those below it; NULL: any but outside, of " +
		"length and segments", Optional: true},
	{Name: "target", Type: value.Float, Doc: "share from 0 to 1; segments: number a row (sentence)"},
	{Name: "direction", Type: value.Text, Doc: strings.Join(Directions, ", ") + "; NULL: >=", Optional: true},
	{Name: "width", Type: value.Float, Doc: "half the width of box, variance of l2", Optional: true},
}}

// Read reads the rows of a table of constraints. Errors name the row.
func Read(ctx context.Context, t kind.Table) ([]Constraint, error) {
	var out []Constraint
	n := 0
	for row, err := range t.Rows(ctx) {
		if err != nil {
			return nil, err
		}
		n++
		c := Constraint{Row: n, Kind: strings.ToLower(row[0].S), Value: row[1].S, Label: row[2].S,
			Direction: strings.ToLower(row[4].S), Target: row[3].Float(), Width: row[5].Float()}
		if row[3].IsNull() {
			c.Target = math.NaN()
		}
		if c.Direction == "" {
			c.Direction = AtLeast
		}
		if err := c.check(); err != nil {
			return nil, fmt.Errorf("constraint in row %d: %w", n, err)
		}
		out = append(out, c)
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("%w: the table of constraints has no rows", kind.ErrNoData)
	}
	return out, nil
}

func (c *Constraint) check() error {
	if !slices.Contains(Kinds, c.Kind) {
		return fmt.Errorf("there is no kind %q%s; it is one of %s", c.Kind, option.DidYouMean(c.Kind, Kinds),
			strings.Join(Kinds, ", "))
	}
	if !slices.Contains(Directions, c.Direction) {
		return fmt.Errorf("there is no direction %q; it is one of %s", c.Direction, strings.Join(Directions, ", "))
	}
	most := 1.0
	if c.Kind == Segments {
		most = math.Inf(1)
	}
	if !(c.Target >= 0 && c.Target <= most) || math.IsInf(c.Target, 0) {
		return fmt.Errorf("target %g of %s must be from 0 to %g", c.Target, c.Kind, most)
	}
	if wide := c.Direction == Box || c.Direction == Squared; wide && !(c.Width > 0) {
		return fmt.Errorf("direction %s wants a width above 0", c.Direction)
	} else if !wide && c.Width != 0 {
		return fmt.Errorf("a width is for the directions box and l2, not %s", c.Direction)
	}
	return c.checkValue()
}

func (c *Constraint) checkValue() error {
	switch c.Kind {
	case Token, Dictionary, Separator:
		if c.Value == "" {
			return fmt.Errorf("%s wants a value", c.Kind)
		}
	case Pattern:
		if _, err := newPattern(c.Value); err != nil {
			return err
		}
	case Length:
		if _, _, err := lengths(c.Value); err != nil {
			return err
		}
	default:
		if c.Value != "" {
			return fmt.Errorf("%s takes no value, and has %q", c.Kind, c.Value)
		}
	}
	if c.Label == "" && c.Kind != Length && c.Kind != Segments && c.Kind != Separator {
		return fmt.Errorf("%s wants a label", c.Kind)
	}
	return nil
}

var lengthNotation = regexp.MustCompile(`^(\d+)(-(\d*))?$`)

// lengths reads 2, 1-3 or 7-; most is 0 for no limit.
func lengths(s string) (least, most int, err error) {
	m := lengthNotation.FindStringSubmatch(strings.ReplaceAll(s, " ", ""))
	if m == nil {
		return 0, 0, fmt.Errorf("lengths are written 2, 1-3 or 7-, not %q", s)
	}
	least, _ = strconv.Atoi(m[1])
	switch {
	case m[2] == "":
		most = least
	case m[3] != "":
		most, _ = strconv.Atoi(m[3])
	}
	if least < 1 || most != 0 && most < least {
		return 0, 0, fmt.Errorf("lengths %q are none", s)
	}
	return least, most, nil
}
