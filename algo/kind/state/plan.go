package state

import (
	"encoding"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
)

// node is what a type is at one place of a state.
type node struct {
	section  string
	t        reflect.Type
	is       form
	name     string // of the field
	index    int    // of the field in its struct
	fields   []*node
	elem     *node // of slices, arrays, pointers; values of maps
	key      *node
	words    words
	tags     []string
	checks   []check
	checked  bool // it, or what lies in it, has checks
	top      bool // there is one of it
	bare     bool // of a list: its length is that of the section of its values
	optional bool
	always   bool // of a pointer that is never nil
	inline   bool // a struct whose fields are written among those around it
	told     bool // its type has Loaded
}

type form uint8

const (
	number form = iota
	text
	structure
	array
	list
	mapping
	pointer
	spelled // by encoding.TextMarshaler
)

// loaded is a struct that is told when its fields are read and their checks have passed.
type loaded interface{ Loaded() error }

var (
	marshals   = reflect.TypeFor[encoding.TextMarshaler]()
	unmarshals = reflect.TypeFor[encoding.TextUnmarshaler]()
	loads      = reflect.TypeFor[loaded]()
	plans      sync.Map // planName → *node
)

// planName is a type whose sections begin with a prefix.
type planName struct {
	t      reflect.Type
	prefix string
}

// plan compiles the tags of a struct. It panics where they make no sense.
func plan(t reflect.Type, prefix string) *node {
	x := planName{t, prefix}
	if n, ok := plans.Load(x); ok {
		return n.(*node)
	}
	n := &node{t: t, section: prefix, top: true}
	(&compiler{}).structure(n, dotted(prefix))
	(&compiler{}).check(n)
	plans.Store(x, n)
	return n
}

// dotted is what the sections of the fields of a struct begin with.
func dotted(section string) string {
	if section == "" {
		return ""
	}
	return section + "."
}

// compiler knows the structs around a field, the outermost first.
type compiler struct{ around []*node }

func (c *compiler) structure(n *node, prefix string) {
	n.is, n.told = structure, reflect.PointerTo(n.t).Implements(loads)
	if slices.ContainsFunc(c.around, func(x *node) bool { return x.t == n.t }) {
		panic(fmt.Sprintf("state: %v holds itself: write it as a list", n.t))
	}
	c.around = append(c.around, n)
	for i := range n.t.NumField() {
		f := n.t.Field(i)
		tag, ok := f.Tag.Lookup("state")
		if !ok || tag == "-" {
			continue
		}
		if !f.IsExported() && !f.Anonymous {
			panic(fmt.Sprintf("state: field %s of %v is not exported", f.Name, n.t))
		}
		m := c.field(n, f, i, prefix, strings.Split(tag, ","))
		n.fields = append(n.fields, m)
		n.told = n.told && !(f.Anonymous && m.behind().told) // its Loaded is that of the field
	}
	if len(n.fields) == 0 {
		panic(fmt.Sprintf("state: %v has no tags", n.t))
	}
	c.around = c.around[:len(c.around)-1]
}

func (c *compiler) field(in *node, f reflect.StructField, index int, prefix string, tag []string) *node {
	section := prefix + tag[0]
	if tag[0] == "" {
		section = strings.TrimSuffix(prefix, ".")
	}
	m := c.node(f.Type, section, in.top, slices.Contains(tag, "always"))
	m.name, m.index, m.inline = f.Name, index, tag[0] == ""
	for _, x := range tag[1:] {
		switch x {
		case "optional":
			m.optional = true
		case "always":
			if m.is != pointer {
				panic("state: always is of pointers: " + section)
			}
		default:
			m.tags = append(m.tags, x)
		}
	}
	return m
}

func (c *compiler) node(t reflect.Type, section string, top, always bool) *node {
	n := &node{t: t, section: section, top: top, always: always}
	k := t.Kind()
	w, isNumber := wordsOf[k]
	switch {
	case t.Implements(marshals) && (t.Implements(unmarshals) || reflect.PointerTo(t).Implements(unmarshals)):
		n.is = spelled
	case isNumber:
		n.is, n.words = number, w
	case k == reflect.String:
		n.is = text
	case k == reflect.Struct:
		c.structure(n, dotted(section))
	case k == reflect.Array:
		n.is, n.elem = array, c.node(t.Elem(), within(t.Elem(), section), false, false)
	case k == reflect.Slice:
		n.is, n.elem = list, c.node(t.Elem(), within(t.Elem(), section), false, true) // no pointer in a list is nil
		n.bare = top && (n.elem.is == number || n.elem.is == text || n.elem.is == spelled)
	case k == reflect.Map:
		n.is, n.elem = mapping, c.node(t.Elem(), within(t.Elem(), section), false, true)
		n.key = c.node(t.Key(), section+".keys", false, false)
	case k == reflect.Pointer:
		n.is, n.elem = pointer, c.node(t.Elem(), within(t.Elem(), section), top && always, false)
	default:
		panic(fmt.Sprintf("state: section %s: a %v cannot be written", section, t))
	}
	return n
}

// within is the section of the values of a list, which has lengths of its own where they are lists.
func within(t reflect.Type, section string) string {
	switch t.Kind() {
	case reflect.Slice, reflect.Map, reflect.Pointer:
		if !t.Implements(marshals) {
			return section + ".each"
		}
	}
	return section
}

// check compiles the checks of the fields in a struct, once all structs are known.
func (c *compiler) check(n *node) {
	if n.is == structure {
		c.around = append(c.around, n)
		defer func() { c.around = c.around[:len(c.around)-1] }()
		for _, f := range n.fields {
			for _, tag := range f.tags {
				if !strings.HasPrefix(tag, "into=") {
					f.checks = append(f.checks, c.compile(f, tag))
				}
			}
			c.check(f)
			n.checked = n.checked || f.checked || len(f.checks) > 0
		}
		return
	}
	for _, x := range []*node{n.elem, n.key} {
		if x != nil {
			c.check(x)
			n.checked = n.checked || x.checked
		}
	}
}

// first is the section that is read first.
func (n *node) first() string {
	switch n.is {
	case structure:
		return n.fields[0].first()
	case array:
		return n.elem.first()
	case list:
		if n.bare {
			return n.section
		}
		return n.section + lengths
	case mapping:
		return n.section + lengths
	case pointer:
		if n.always {
			return n.elem.first()
		}
		return n.section + lengths
	}
	return n.section
}

// lengths ends the name of the section with the lengths of lists.
const lengths = ".lengths"
