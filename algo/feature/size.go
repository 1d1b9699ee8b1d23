package feature

// Bytes is what the alphabet takes in memory, without what Go adds to large objects.
func (a *Alphabet) Bytes() int64 {
	n := int64(2*cap(a.tmpl) + 4*cap(a.vals) + 4*cap(a.seen))
	for _, v := range a.values {
		n += v.bytes()
	}
	for _, s := range a.single {
		n += int64(4 * cap(s))
	}
	for _, f := range a.families {
		n += int64(4 * cap(f.attrs))
		for i := range f.steps {
			n += int64(16*cap(f.steps[i].slots) + 8*cap(f.steps[i].filter))
		}
	}
	return n
}

// bytes counts the texts, their headers in the list, and the slots.
func (t *interner) bytes() int64 {
	n := int64(16*cap(t.texts) + 8*cap(t.slots) + 16*cap(t.short.slots))
	for _, s := range t.texts {
		n += int64(len(s)+15) &^ 15
	}
	return n
}
