package record

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"parlance/algo/option"
)

// Type says how the values of an attribute are compared.
type Type uint8

// The types. Missing values add nothing.
const (
	Name     Type = iota // equal, one the initial of the other, or different
	String               // equal or different
	Number               // 1 − |a − b| / tolerance, in steps of a quarter
	Words                // cosine of the words
	List                 // cosine of the items between semicolons
	Trigrams             // cosine of the runs of three characters
)

// TypeNames are the names of the types.
var TypeNames = []string{"name", "string", "number", "words", "list", "trigrams"}

// featureNames are what has a weight, by type.
var featureNames = [][]string{
	Name:     {"equal", "initial", "different"},
	String:   {"equal", "different"},
	Number:   {"near", "both"},
	Words:    {"cosine", "both"},
	List:     {"cosine", "both"},
	Trigrams: {"cosine", "both"},
}

// defaults are the weights of the features where none are given.
var defaults = [][]float64{
	Name:     {.15, .05, -3},
	String:   {.3, 0},
	Number:   {.3, 0},
	Words:    {2, 0},
	List:     {2, 0},
	Trigrams: {3, -1.5},
}

// Attribute is a column of the records and how it is compared.
type Attribute struct {
	Column    string
	Type      Type
	Tolerance float64   // of numbers
	Weights   []float64 // of its features
}

// mostWeight bounds weights, so that sums over entities of a million records stay exact.
const mostWeight = 50

// ParseAttributes reads attributes: column type [weights], of numbers column type tolerance [weights]. Commas divide
// attributes of one text.
func ParseAttributes(list []string) ([]Attribute, error) {
	if len(list) == 0 {
		return nil, errors.New("there is no attribute; give: column type")
	}
	var out []Attribute
	for _, part := range strings.Split(strings.Join(list, ","), ",") {
		f := strings.Fields(part)
		if len(f) < 2 {
			return nil, fmt.Errorf("%q is no attribute; give: column type, where type is %s", strings.TrimSpace(part),
				oneOf(TypeNames))
		}
		k := slices.Index(TypeNames, f[1])
		if k < 0 {
			return nil, fmt.Errorf("unknown type %q of attribute %s%s; types are %s", f[1], f[0],
				option.DidYouMean(f[1], TypeNames), oneOf(TypeNames))
		}
		if slices.ContainsFunc(out, func(a Attribute) bool { return a.Column == f[0] && a.Type == Type(k) }) {
			return nil, fmt.Errorf("attribute %s %s is given twice", f[0], f[1])
		}
		a := Attribute{Column: f[0], Type: Type(k), Tolerance: 1, Weights: slices.Clone(defaults[k])}
		if err := a.numbers(f[2:]); err != nil {
			return nil, fmt.Errorf("attribute %s: %w", f[0], err)
		}
		out = append(out, a)
	}
	return out, nil
}

// numbers reads the tolerance and the weights.
func (a *Attribute) numbers(f []string) error {
	var list []float64
	for _, s := range f {
		v, err := strconv.ParseFloat(s, 64)
		if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("%q is no number", s)
		}
		list = append(list, v)
	}
	if a.Type == Number && len(list) > 0 {
		if a.Tolerance = list[0]; !(a.Tolerance > 0) {
			return errors.New("the tolerance of a number is above 0")
		}
		list = list[1:]
	}
	if len(list) > len(a.Weights) {
		return fmt.Errorf("a %s has %d weights: %s", TypeNames[a.Type], len(a.Weights),
			strings.Join(featureNames[a.Type], ", "))
	}
	for i, w := range list {
		if math.Abs(w) > mostWeight {
			return fmt.Errorf("weight %v is outside [-%d, %d]", w, mostWeight, mostWeight)
		}
		a.Weights[i] = w
	}
	return nil
}

func oneOf(names []string) string {
	return strings.Join(names[:len(names)-1], ", ") + " or " + names[len(names)-1]
}

// Features are the names of the features of attributes, in the order of weights.
func Features(list []Attribute) []string {
	var out []string
	for _, a := range list {
		for _, f := range featureNames[a.Type] {
			out = append(out, a.Column+" "+f)
		}
	}
	return out
}

// Weights are those of all features, in order.
func Weights(list []Attribute) []float64 {
	var out []float64
	for _, a := range list {
		out = append(out, a.Weights...)
	}
	return out
}

// Features of two records are products of sparse vectors. An attribute has some of these vectors, its parts:
//
//	name     both [present], same first letter, the letter of a full name, the letter of an initial, the whole name
//	string   both, the whole string
//	others   both, the vector of unit length
//
// products says which combination of the products of parts each feature is:
//
//	name.equal     = whole
//	name.initial   = letter − full letter − initial letter   (the same letter, where one is an initial and one is not)
//	name.different = both − name.equal − name.initial
var products = [][][]float64{
	Name:     {{0, 0, 0, 0, 1}, {0, 1, -1, -1, 0}, {1, -1, 1, 1, -1}},
	String:   {{0, 1}, {1, -1}},
	Number:   {{0, 1}, {1, 0}},
	Words:    {{0, 1}, {1, 0}},
	List:     {{0, 1}, {1, 0}},
	Trigrams: {{0, 1}, {1, 0}},
}

// parts is how many parts a type has.
func (t Type) parts() int { return len(products[t][0]) }

// partWeights are the weights of the products of parts that are the same as weights of features.
func partWeights(list []Attribute, weights []float64) []float64 {
	var out []float64
	at := 0
	for _, a := range list {
		w := make([]float64, a.Type.parts())
		for _, row := range products[a.Type] {
			for p, x := range row {
				w[p] += x * weights[at]
			}
			at++
		}
		out = append(out, w...)
	}
	return out
}
