package tagger

import "parlance/algo/text"

// Forms are the forms of a document's tokens, empty ones where they are not there.
func Forms(d *text.Document) []string {
	l := d.Layer("tokens")
	if l == nil {
		return nil
	}
	if f := l.Strs("form"); f != nil {
		return f
	}
	return make([]string, l.N)
}
