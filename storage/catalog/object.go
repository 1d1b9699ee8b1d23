// Package catalog describes the objects of a database: corpora, tables, knowledge bases and models, their columns and
// indexes, and where values of a row and keys of an index stand in the file. Objects are never changed: a change is a
// new one.
package catalog

import (
	"sort"
	"time"

	"parlance/storage/value"
)

// ObjectKind is the kind of a catalog entry.
type ObjectKind string

// The kinds of object. They share one name space.
const (
	CorpusObject    ObjectKind = "corpus"
	GazetteerObject ObjectKind = "gazetteer"
	LexiconObject   ObjectKind = "lexicon"
	KBObject        ObjectKind = "kb"
	FeaturesObject  ObjectKind = "features"
	ModelObject     ObjectKind = "model"
)

// ColumnDef is a declared column of an object.
type ColumnDef struct {
	Name   string     `json:"name"`
	Type   value.Type `json:"type"`
	Stored string     `json:"stored,omitempty"` // name in the file, if it differs
	Slot   int        `json:"slot,omitempty"`   // of a table: position in stored rows, 1-based; 0 means that in Columns
}

// Object is a catalog entry.
type Object struct {
	ID      uint32            `json:"id"`
	Name    string            `json:"name"`
	Kind    ObjectKind        `json:"kind"`
	Columns []ColumnDef       `json:"columns,omitempty"` // corpus metadata, table columns
	Options map[string]string `json:"options,omitempty"` // WITH of CREATE
	Source  string            `json:"source,omitempty"`  // templates of a feature set
	Indexes [][]string        `json:"indexes,omitempty"`
	Retired []string          `json:"retired,omitempty"` // stored names of dropped columns
	Width   int               `json:"width,omitempty"`   // number of values of a stored row, if columns were dropped
	Tables  []*Object         `json:"tables,omitempty"`  // of a knowledge base
	// of a table of a knowledge base: identifier of the knowledge base
	Owner   uint32    `json:"owner,omitempty"`
	Part    string    `json:"part,omitempty"` // and its name in it
	Created time.Time `json:"created"`
	// number of the session that alone sees a temporary object, 0 for an object of all
	Temporary uint64 `json:"temporary,omitempty"`

	Since  uint64  `json:"-"` // version of the first state with this entry, if a transaction has written it
	Before *Object `json:"-"` // the entry that older snapshots find; nil for none
}

// Table returns a table of a knowledge base, or nil.
func (o *Object) Table(part string) *Object {
	for _, t := range o.Tables {
		if t.Part == part {
			return t
		}
	}
	return nil
}

// EntryID is the identifier of the catalog entry that contains the object.
func (o *Object) EntryID() uint32 {
	if o.Owner != 0 {
		return o.Owner
	}
	return o.ID
}

// Column returns the position of a declared column, or -1.
func (o *Object) Column(name string) int {
	for i := range o.Columns {
		if o.Columns[i].Name == name {
			return i
		}
	}
	return -1
}

// Within returns the object, or its table, that has an identifier, or nil.
func (o *Object) Within(id uint32) *Object {
	if o.ID == id {
		return o
	}
	for _, t := range o.Tables {
		if t.ID == id {
			return t
		}
	}
	return nil
}

// NameTables gives the tables of a knowledge base their names.
func (o *Object) NameTables() {
	tables := o.Tables
	o.Tables = nil
	for _, t := range tables {
		c := *t
		c.Name = o.Name + "." + c.Part
		o.Tables = append(o.Tables, &c)
	}
}

// At returns the entry that snapshots of a version find, nil for none.
func (o *Object) At(version uint64) *Object {
	for o != nil && o.Since > version {
		o = o.Before
	}
	return o
}

// Kept is the entry without older entries that no snapshot from a version on finds.
func (o *Object) Kept(oldest uint64) *Object {
	if o == nil || o.Since <= oldest && o.Before == nil {
		return o
	}
	x := *o
	if x.Since <= oldest {
		x.Before = nil
	} else {
		x.Before = x.Before.Kept(oldest)
	}
	return &x
}

// SortObjects sorts entries by name.
func SortObjects(list []*Object) {
	sort.Slice(list, func(i, j int) bool { return list[i].Name < list[j].Name })
}
