package segmenter

// nodeFeatures calls use for the contexts of a node, with the columns that it has there.
func (l *lattice) nodeFeatures(id nodeID, use func(key uint64, column uint16)) {
	if id < 0 {
		if int(l.nodes[^id].word) < len(l.w.dict.words) {
			l.w.unigram(&l.nodes[^id], use)
		}
		return
	}
	column := uint16(int(id) % l.width())
	l.keys = l.w.charKeys(l.keys[:0], l.characters, l.start(id))
	for _, k := range l.keys {
		use(k, column)
	}
}

// edgeFeatures calls use for the contexts of two nodes that follow each other, and dense for the places of dense
// weights.
func (l *lattice) edgeFeatures(a, b nodeID, use func(key uint64, column uint16), dense func(at int)) {
	w := l.w
	if a >= 0 || b >= 0 {
		dense(l.code(a)*w.codes + l.code(b))
		return
	}
	x, y := &l.nodes[^a], &l.nodes[^b]
	l.keys = w.afterKeys(l.keys[:0], x)
	for _, k := range l.keys {
		if w.afterAny(k) {
			use(k, 0)
		}
		use(k, tagColumn(y.tag))
	}
	l.keys = w.beforeKeys(l.keys[:0], y)
	for _, k := range l.keys {
		use(k, tagColumn(x.tag))
	}
	if w.TB {
		_, _, last := w.shape(x)
		_, first, _ := w.shape(y)
		for _, at := range w.typePlaces(last, first, x.tag, y.tag) {
			dense(at)
		}
	}
	if w.B {
		k := key(ctxTwoWords, uint64(x.word), uint64(y.word))
		for _, c := range w.pairColumns(x.tag, y.tag) {
			use(k, c)
		}
	}
}

// afterAny tells which contexts of the word before have a feature without the tag of the next word: TB0.
func (w *weights) afterAny(key uint64) bool { return key>>56 == ctxPrevType }

// difference finds what one path has and another has not.
type difference struct {
	at []nodeID // by place: the node of the marked path that starts there, plus 1
}

// mark notes the nodes of a path by where they start.
func (d *difference) mark(l *lattice, path []nodeID) {
	d.at = d.at[:0]
	for range l.n + 1 {
		d.at = append(d.at, 0)
	}
	for _, id := range path[1:] {
		d.at[l.start(id)] = id + 1
	}
}

// on tells whether the marked path has a node.
func (d *difference) on(l *lattice, id nodeID) bool { return id == ^0 || d.at[l.start(id)] == id+1 }

// each calls node and edge for the nodes and edges of a path that another one lacks.
func (d *difference) each(l *lattice, path, other []nodeID, node func(id nodeID), edge func(a, b nodeID)) {
	d.mark(l, other)
	before := true // the node before is shared
	for i, id := range path {
		shared := d.on(l, id)
		if !shared {
			node(id)
		}
		if i > 0 && !(shared && before) {
			edge(path[i-1], id)
		}
		before = shared
	}
}
