package exec

import (
	"context"
	"math"
	"slices"
	"unicode/utf8"

	"parlance/algo/text"
	"parlance/query/annotate"
	"parlance/query/document"
	"parlance/query/fault"
	"parlance/query/operator"
	"parlance/query/plan"
	"parlance/storage"
	"parlance/storage/value"
)

// layerScan turns documents into the rows of a layer.
type layerScan struct {
	r         *Execution
	n         *plan.Layer
	src       DocumentSource
	annotator *annotate.Annotator // nil without models
	call      *functionCall       // of a table function, else nil
	queue     []*text.Document
	step      int // documents annotated at once
	done      bool
	adhoc     adhocTexts // src of ad-hoc texts
	scratch   *scratch   // nil where what it yields may be read after its end
}

func (r *Execution) layer(n *plan.Layer) (operator.Operator, error) {
	if columnar(n) {
		return r.columnScan(n)
	}
	s := &layerScan{r: r, n: n, step: 512}
	if r.reusesScratch {
		s.scratch = scratches.Get().(*scratch)
	}
	if n.Call != nil {
		c, err := r.newFunctionCall(n)
		if err != nil {
			return nil, fault.At(n.Call.Pos, err)
		}
		s.call = c
	}
	if len(n.Models) > 0 {
		var a *annotate.Annotator
		if s.scratch != nil {
			a = &s.scratch.annotator
			a.Reuses = true
		} else {
			a = new(annotate.Annotator)
		}
		if err := r.initAnnotator(a, n, nil); err != nil {
			return nil, err
		}
		s.annotator, r.adhocAnnotator = a, a
		if n.Limit > 0 {
			s.step = min(s.step, max(2*r.Workers(), n.Limit))
		}
	}
	if n.Corpus == nil {
		a := &s.adhoc
		a.r, a.n = r, n
		if s.scratch != nil {
			a.scratch = &s.scratch.cut
		} else if n.Rows == nil {
			a.scratch = new(document.Scratch)
		}
		if n.Rows != nil {
			op, err := r.Build(n.Rows)
			if err != nil {
				return nil, err
			}
			a.rows = op
		}
		s.src = a
		return s, nil
	}
	ids, err := r.Selection(r.Context(), n, n.DocFilter)
	if err == nil {
		ids, err = r.pruneSegments(n, ids)
	}
	s.src = &StoredDocuments{R: r, Corpus: n.Corpus, filter: n.DocFilter, Node: n, Want: s.want(), Selected: ids}
	return s, err
}

// want tells storage which parts of the documents are read.
func (s *layerScan) want() storage.Want {
	w := storage.Want{IDs: true}
	need := map[string]bool{}
	for i, c := range s.n.Columns() {
		if !s.n.Need[i] {
			continue
		}
		switch {
		case !c.Document && s.n.Def != nil && i > 0:
			w.Text = w.Text || s.columnNeedsText(c.Name)
		case c.Name == "text":
			w.Text = true
		case c.Name != "id" && i > 0 || s.n.Def == nil && i > 1:
			need[c.Name] = true
		}
	}
	if s.call != nil {
		s.callWant(&w)
	} else if s.n.Def != nil {
		w.Layers = append(w.Layers, storage.LayerWant{Name: s.n.Name})
		for _, c := range s.n.Def.Columns {
			if c.Role == text.OfToken {
				w.Layers = append(w.Layers, storage.LayerWant{Name: "tokens"})
			}
		}
	}
	if s.annotator != nil {
		w.Text = true
		for _, m := range s.annotator.Models {
			schema := m.Schema
			for _, f := range schema.DocumentFields() {
				need[f] = true
			}
			for _, r := range schema.Reads {
				w.Layers = append(w.Layers, storage.LayerWant{Name: r.Layer})
			}
		}
	}
	for _, c := range s.n.Corpus.Columns {
		if need[c.Name] {
			w.Fields = append(w.Fields, c.Name)
		}
	}
	w.Layers = UniqueLayers(w.Layers)
	return w
}

func UniqueLayers(in []storage.LayerWant) []storage.LayerWant {
	var out []storage.LayerWant
	seen := map[string]bool{}
	for _, l := range in {
		if !seen[l.Name] {
			seen[l.Name] = true
			out = append(out, l)
		}
	}
	return out
}

func (s *layerScan) columnNeedsText(name string) bool {
	i := s.n.Def.Index(name)
	return i >= 0 && s.n.Def.Columns[i].Role != text.Plain
}

func (s *layerScan) Next(ctx context.Context) (*value.Batch, error) {
	for {
		docs, err := s.documents(ctx)
		if err == nil && docs != nil && s.call != nil {
			docs, err = s.call.apply(ctx, docs)
		}
		if err != nil || docs == nil {
			return nil, err
		}
		if b := s.r.layOut(s.n, docs, s.columns()); b.N > 0 {
			return b, nil
		}
	}
}

// documents returns the next documents, annotated.
func (s *layerScan) documents(ctx context.Context) ([]*text.Document, error) {
	if s.annotator == nil {
		return s.src.Next(ctx)
	}
	for !s.done && (len(s.queue) < s.step || s.annotator.NeedsAll()) {
		docs, err := s.src.Next(ctx)
		if err != nil {
			return nil, err
		}
		if docs == nil {
			s.done = true
			break
		}
		if s.call != nil {
			if docs, err = s.call.prefilter(ctx, docs); err != nil {
				return nil, err
			}
		}
		if len(s.queue) == 0 {
			s.queue = slices.Clip(docs)
		} else {
			s.queue = append(s.queue, docs...)
		}
	}
	if len(s.queue) == 0 {
		return nil, nil
	}
	k := min(s.step, len(s.queue))
	if s.annotator.NeedsAll() {
		k = len(s.queue)
	}
	docs := s.queue[:k]
	s.queue = s.queue[k:]
	return s.annotator.Apply(ctx, docs)
}

func (s *layerScan) Close() error {
	err := s.src.close()
	if s.scratch != nil {
		s.scratch.release()
		s.scratch = nil
	}
	return err
}

// columns returns empty columns for a batch, in the room if there is one: expressions make others of them before the next.
func (s *layerScan) columns() []value.Vec {
	n := len(s.n.Columns())
	if s.scratch == nil || n > len(s.scratch.columns) {
		return make([]value.Vec, n)
	}
	out := s.scratch.columns[:n]
	clear(out)
	return out
}

// Rows lays the layer's rows of documents out in a batch; unread columns stay empty.
func (r *Execution) Rows(n *plan.Layer, docs []*text.Document) *value.Batch {
	return r.layOut(n, docs, make([]value.Vec, len(n.Columns())))
}

// layOut is rows with columns that are there and empty.
func (r *Execution) layOut(n *plan.Layer, docs []*text.Document, into []value.Vec) *value.Batch {
	cols := n.Columns()
	b := &value.Batch{Cols: into}
	if n.Def == nil {
		b.N = len(docs)
		for i := range cols {
			if n.Need[i] {
				b.Cols[i] = documentColumn(docs, n, i)
			}
		}
		return b
	}
	var room [1]*text.Layer
	layers := room[:]
	if len(docs) != 1 {
		layers = make([]*text.Layer, len(docs))
	}
	for i, d := range docs {
		if l := d.Layer(n.Name); l != nil {
			layers[i] = l
			b.N += l.N
		}
	}
	for i, c := range cols {
		switch {
		case !n.Need[i]:
		case n.Number(i) && !c.Document:
			b.Cols[i] = rowNumbers(layers, b.N)
		case i == 0 || c.Document:
			b.Cols[i] = repeated(docs, layers, n, i, b.N)
		case c.Name == "prob" && i > len(n.Def.Columns):
			b.Cols[i] = probColumn(layers, b.N)
		case c.Name == "rank" && i > len(n.Def.Columns):
			b.Cols[i] = rankColumn(layers, b.N)
		default:
			b.Cols[i] = layerColumn(docs, layers, n.Def, i-1, b.N)
		}
	}
	return b
}

// repeated repeats a document's value for each of its rows.
func repeated(docs []*text.Document, layers []*text.Layer, n *plan.Layer, i, total int) value.Vec {
	name := n.Columns()[i].Name
	out := make([]value.Value, 0, total)
	for k, d := range docs {
		if layers[k] == nil {
			continue
		}
		v := documentValue(d, n, i, name)
		for range layers[k].N {
			out = append(out, v)
		}
	}
	return value.FromValues(n.Columns()[i].Type, out)
}

func probColumn(layers []*text.Layer, total int) value.Vec {
	v := value.Vec{Type: value.Float, Floats: make([]float64, 0, total)}
	for _, l := range layers {
		if l == nil {
			continue
		}
		for i := range l.N {
			if l.Prob == nil || math.IsNaN(l.Prob[i]) {
				if v.Null == nil {
					v.Null = make([]bool, total)
				}
				v.Null[len(v.Floats)] = true
				v.Floats = append(v.Floats, 0)
				continue
			}
			v.Floats = append(v.Floats, l.Prob[i])
		}
	}
	return v
}

func rankColumn(layers []*text.Layer, total int) value.Vec {
	v := value.Vec{Type: value.Integer, Ints: make([]int64, 0, total)}
	for _, l := range layers {
		if l == nil {
			continue
		}
		for i := range l.N {
			rank := int64(1)
			if l.Rank != nil {
				rank = int64(l.Rank[i])
			}
			v.Ints = append(v.Ints, rank)
		}
	}
	return v
}

// layerColumn is column c of the layer's definition for all rows.
func layerColumn(docs []*text.Document, layers []*text.Layer, def *text.LayerDef, c, total int) value.Vec {
	col := def.Columns[c]
	out := value.Vec{Type: col.Type}
	switch col.Type {
	case value.Integer:
		out.Ints = make([]int64, 0, total)
		for k, l := range layers {
			if l != nil {
				out.Ints = appendInts(out.Ints, docs[k], l, c)
			}
		}
	case value.Float:
		out.Floats = make([]float64, 0, total)
		for _, l := range layers {
			if l == nil {
				continue
			}
			if l.Cols[c].Floats == nil {
				out.Floats = append(out.Floats, make([]float64, l.N)...)
				continue
			}
			out.Floats = append(out.Floats, l.Cols[c].Floats...)
		}
	default:
		out.Strs = make([]string, 0, total)
		for k, l := range layers {
			if l != nil {
				out.Strs = appendStrs(out.Strs, docs[k], l, c)
			}
		}
		markMissing(&out, col)
	}
	return out
}

// markMissing makes empty strings NULL, but for what is really text.
func markMissing(v *value.Vec, c text.Column) {
	if c.Role != text.Plain {
		return
	}
	for i, s := range v.Strs {
		if s == "" {
			if v.Null == nil {
				v.Null = make([]bool, len(v.Strs))
			}
			v.Null[i] = true
		}
	}
}

func appendInts(dst []int64, d *text.Document, l *text.Layer, c int) []int64 {
	ints := l.Cols[c].Ints
	if ints == nil {
		return append(dst, make([]int64, l.N)...)
	}
	if l.Def.Columns[c].Role == text.Offset {
		return AppendCodePoints(dst, d.Text, ints)
	}
	for _, x := range ints {
		dst = append(dst, int64(x))
	}
	return dst
}

// AppendCodePoints converts byte offsets, counting from the last one while they ascend.
func AppendCodePoints(dst []int64, s string, offsets []int32) []int64 {
	at, count := 0, 0
	for _, o := range offsets {
		to := min(int(o), len(s))
		if to < at {
			at, count = 0, 0
		}
		count += utf8.RuneCountInString(s[at:to])
		at = to
		dst = append(dst, int64(count))
	}
	return dst
}

func appendStrs(dst []string, d *text.Document, l *text.Layer, c int) []string {
	switch l.Def.Columns[c].Role {
	case text.Slice:
		from := l.Def.Columns[c].From
		start, end := l.Ints(from+"_start"), l.Ints(from+"_end")
		for i := range l.N {
			s := ""
			if start != nil && end != nil && start[i] <= end[i] {
				s = d.Text[start[i]:end[i]]
			}
			dst = append(dst, s)
		}
		return dst
	case text.OfToken:
		return appendForms(dst, d, l)
	}
	if l.Cols[c].Strs == nil {
		return append(dst, make([]string, l.N)...)
	}
	return append(dst, l.Cols[c].Strs...)
}

// appendForms looks up the form of the token that each row names by sent and tok.
func appendForms(dst []string, d *text.Document, l *text.Layer) []string {
	toks := d.Layer("tokens")
	if toks == nil {
		return append(dst, make([]string, l.N)...)
	}
	bounds := d.SentenceTokens()
	sent, tok, forms := l.Ints("sent"), l.Ints("tok"), toks.Strs("form")
	for i := range l.N {
		form := ""
		if s := int(sent[i]); s >= 1 && s < len(bounds) {
			if row := int(bounds[s-1]) + int(tok[i]) - 1; row >= 0 && row < len(forms) {
				form = forms[row]
			}
		}
		dst = append(dst, form)
	}
	return dst
}
