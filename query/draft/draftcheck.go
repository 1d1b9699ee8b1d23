package draft

import (
	"fmt"
	"strings"

	"parlance/algo/text"
	"parlance/query/fault"
	"parlance/storage/value"
)

// Key is the unique key of the rows of a layer.
type Key struct {
	Place []string // columns that ON CONFLICT compares, besides doc
	more  []string // further columns of the key, such as the label; nil if a place has at most one row
}

// KeyOf returns the key of a layer; ok is false for layers without one.
func KeyOf(def *text.LayerDef) (Key, bool) {
	if def.Spans {
		return Key{[]string{"sent", "tok_start", "tok_end"}, []string{"label"}}, true
	}
	switch def {
	case text.Dependencies:
		return Key{Place: []string{"sent", "tok"}}, true
	case text.Constituents:
		return Key{Place: []string{"sent", "node"}}, true
	case text.Mentions:
		return Key{[]string{"sent", "char_start", "char_end"}, []string{"cluster"}}, true
	case text.Roles:
		return Key{[]string{"sent", "predicate", "tok_start", "tok_end"}, []string{"label"}}, true
	case text.Edits:
		return Key{[]string{"char_start", "char_end", "annotator"}, []string{"correction", "type"}}, true
	case text.Relations:
		return Key{[]string{"subject_start", "subject_end", "object_start", "object_end"}, []string{"label"}}, true
	case text.Alignments:
		return Key{Place: []string{"sent", "tok", "other_doc", "other_sent", "other_tok"}}, true
	case text.Labels:
		return Key{Place: []string{"label"}}, true
	}
	return Key{}, false
}

// ConflictKey lists the columns by which ON CONFLICT compares rows of a layer, besides doc. It is empty for layers
// without ON CONFLICT.
func ConflictKey(def *text.LayerDef) []string {
	key, _ := KeyOf(def)
	return key.Place
}

// Key encodes some columns of a row as a text, to compare rows by it.
func (x *Draft) Key(row *Row, columns ...[]string) string {
	var b strings.Builder
	for _, list := range columns {
		for _, name := range list {
			c := x.Def.Index(name)
			if x.Def.Columns[c].Type == value.Integer {
				fmt.Fprintf(&b, "%d\x00", row.Ints[c])
			} else {
				b.WriteString(row.Strs[c] + "\x00")
			}
		}
	}
	return b.String()
}

// check verifies the changed rows against the whole layer.
func (x *Draft) check() error {
	for _, row := range x.Rows {
		if row.Changed {
			if err := x.checkRow(row); err != nil {
				return err
			}
		}
	}
	if err := x.checkDuplicates(); err != nil {
		return err
	}
	switch x.Def {
	case text.Dependencies:
		return x.checkHeads()
	case text.Constituents:
		return x.checkNodes()
	}
	return nil
}

// labelled reports whether the rows of a layer must have a label.
func labelled(def *text.LayerDef) bool {
	return def.Spans || def == text.Labels || def == text.Constituents || def == text.Roles || def == text.Relations
}

func (x *Draft) checkRow(row *Row) error {
	if c := x.Def.Index("label"); c >= 0 && labelled(x.Def) && row.Strs[c] == "" {
		return fault.New("23502", "a row of %s needs a label", x.Name)
	}
	if x.Def == text.Roles {
		if p := int(x.Get(row, "predicate")); p < 1 || p > x.length(int(x.Get(row, "sent"))) {
			return fault.New("23503", "document %s has no token %d in sentence %d for the predicate", x.Doc.ID, p,
				x.Get(row, "sent"))
		}
	}
	return nil
}

// checkDuplicates refuses a changed row whose key another row has.
func (x *Draft) checkDuplicates() error {
	key, ok := KeyOf(x.Def)
	if !ok {
		return nil
	}
	seen := map[string]*Row{}
	for _, row := range x.Rows {
		k := x.Key(row, key.Place, key.more)
		if old := seen[k]; old != nil && (old.Changed || row.Changed) {
			return fault.New("23505", "document %s has this row of %s already: %s", x.Doc.ID, x.Name,
				x.show(row, append(key.Place[:len(key.Place):len(key.Place)], key.more...)))
		}
		seen[k] = row
	}
	if x.Def != text.Mentions {
		return nil
	}
	numbers := map[int32]*Row{}
	for _, row := range x.Rows {
		n := x.Get(row, "mention")
		if old := numbers[n]; old != nil && (old.Changed || row.Changed) {
			return fault.New("23505", "document %s has a mention %d already", x.Doc.ID, n)
		}
		numbers[n] = row
	}
	return nil
}

// show prints columns of a row with their names, for messages; offsets are shown as the text between them.
func (x *Draft) show(row *Row, columns []string) string {
	var parts []string
	for _, name := range columns {
		c := x.Def.Index(name)
		switch {
		case x.Def.Columns[c].Role == text.Offset:
			if first, ok := strings.CutSuffix(name, "_start"); ok {
				parts = append(parts, fmt.Sprintf("%q", x.slice(row.Ints[c], x.Get(row, first+"_end"))))
			}
		case x.Def.Columns[c].Type == value.Integer:
			parts = append(parts, fmt.Sprintf("%s %d", name, row.Ints[c]))
		default:
			parts = append(parts, name+" "+row.Strs[c])
		}
	}
	return strings.Join(parts, ", ")
}

// checkHeads verifies the heads of changed tokens: in the sentence, not the token itself, no cycle.
func (x *Draft) checkHeads() error {
	head := map[[2]int32]int32{}
	for _, row := range x.Rows {
		head[[2]int32{x.Get(row, "sent"), x.Get(row, "tok")}] = x.Get(row, "head")
	}
	for _, row := range x.Rows {
		if !row.Changed {
			continue
		}
		sent, tok, h := x.Get(row, "sent"), x.Get(row, "tok"), x.Get(row, "head")
		if h == tok {
			return fault.New("23514", "token %d of sentence %d in %s is its own head", tok, sent, x.Doc.ID)
		}
		if n := x.length(int(sent)); h < 0 || int(h) > n {
			return fault.New("23503", "document %s has no token %d in sentence %d for a head; tokens are 1 to %d, 0 is the root",
				x.Doc.ID, h, sent, n)
		}
		chain := fmt.Sprint(tok)
		for at, steps := h, 0; at != 0 && steps <= len(x.Rows); steps++ {
			chain += fmt.Sprintf(" → %d", at)
			if at == tok {
				return fault.New("23514", "the heads of sentence %d in %s would run in a circle: %s", sent, x.Doc.ID, chain)
			}
			at = head[[2]int32{sent, at}]
		}
	}
	return nil
}

// checkNodes verifies that the parent of a changed node is an earlier node, and that no node has a deleted parent.
func (x *Draft) checkNodes() error {
	type id struct{ sent, node int32 }
	nodes, gone := map[id]bool{}, map[id]bool{}
	for _, row := range x.Rows {
		nodes[id{x.Get(row, "sent"), x.Get(row, "node")}] = true
	}
	for _, row := range x.gone {
		gone[id{x.Get(row, "sent"), x.Get(row, "node")}] = true
	}
	for _, row := range x.Rows {
		sent, node, parent := x.Get(row, "sent"), x.Get(row, "node"), x.Get(row, "parent")
		switch at := (id{sent, parent}); {
		case row.Changed && node < 1:
			return fault.New("23502", "a row of %s needs a node, numbered from 1", x.Name)
		case row.Changed && parent >= node:
			return fault.New("23514",
				"node %d of sentence %d in %s comes before the node %d above it: nodes are numbered in preorder", node, sent,
				x.Doc.ID, parent)
		case parent != 0 && !nodes[at] && (row.Changed || gone[at]):
			return fault.New("23503", "node %d of sentence %d in %s hangs below node %d, which is not there", node, sent,
				x.Doc.ID, parent)
		}
	}
	return nil
}
