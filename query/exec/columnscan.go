package exec

import (
	"cmp"
	"context"
	"slices"
	"unicode/utf8"

	"parlance/algo/text"
	"parlance/query/plan"
	"parlance/storage/documents"
	"parlance/storage/guard"
	"parlance/storage/value"
)

// columnScan yields the stored rows of a layer, a batch for each window of documents. The columns of a batch are those
// that storage has decoded; no documents are made.
type columnScan struct {
	r        *Execution
	n        *plan.Layer
	want     documents.Want
	selected []documents.Window
	at       int // next of selected

	direct  int             // batches that Next read itself, before the goroutine
	ahead   chan readBatch  // from the goroutine, nil before it is started
	reading context.Context // of the goroutine
	cancel  context.CancelFunc
	ended   bool // the reader has got the end
}

// columnar reports whether all columns that a node needs are stored, none of them predicted or derived from the text.
func columnar(n *plan.Layer) bool {
	if n.Corpus == nil || n.Def == nil || n.Call != nil || len(n.Models) > 0 {
		return false
	}
	for i, c := range n.Columns() {
		if !n.Need[i] || i == 0 || c.Document || n.Number(i) {
			continue
		}
		if i > len(n.Def.Columns) { // prob and rank
			return false
		}
		if col := n.Def.Columns[i-1]; !col.Stored() && !(n.Def.Spans && col.Name == "text") {
			return false
		}
	}
	return true
}

// columnScan makes the scan of a layer.
func (r *Execution) columnScan(n *plan.Layer) (*columnScan, error) {
	selected, err := r.Selection(r.Context(), n, n.DocFilter)
	s := &columnScan{r: r, n: n, selected: selected}
	lw := documents.LayerWant{Name: n.Name, Columns: []string{}}
	for i, c := range n.Columns() {
		switch {
		case !n.Need[i] || i == 0 || n.Number(i):
		case c.Document && c.Name == "text":
			s.want.Text = true
		case c.Document && c.Name != "id":
			s.want.Fields = append(s.want.Fields, c.Name)
		case !c.Document:
			lw.Columns = append(lw.Columns, c.Name)
			s.want.Text = s.want.Text || n.Def.Columns[i-1].Role == text.Offset
		}
	}
	s.want.Layers = []documents.LayerWant{lw}
	return s, err
}

// Next returns the first batch that has rows at once; then a goroutine reads ahead.
func (s *columnScan) Next(ctx context.Context) (*value.Batch, error) {
	if s.ahead == nil && s.direct == 0 {
		s.direct++
		return s.next(ctx)
	}
	if s.ahead == nil {
		s.start(ctx)
	}
	select {
	case r, ok := <-s.ahead:
		if !ok && !s.ended { // cancelled, as this call may not be
			return nil, context.Cause(s.reading)
		}
		s.ended = s.ended || r.batch == nil && r.err == nil
		return r.batch, r.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// readAhead is how many batches wait for the reader at most.
const readAhead = 2

// readBatch is a batch that was read ahead; no batch and no error is the end.
type readBatch struct {
	batch *value.Batch
	err   error
}

// start begins to read ahead.
func (s *columnScan) start(ctx context.Context) {
	ctx, s.cancel = context.WithCancel(ctx)
	s.reading = ctx
	s.ahead = make(chan readBatch, readAhead)
	go func() {
		defer close(s.ahead)
		for {
			b, err := s.next(ctx)
			select {
			case s.ahead <- readBatch{b, err}:
			case <-ctx.Done():
				return
			}
			if b == nil || err != nil {
				return
			}
		}
	}()
}

// next reads the next batch that has rows.
func (s *columnScan) next(ctx context.Context) (b *value.Batch, err error) {
	defer guard.Recover(&err, "reading "+s.n.Corpus.Name)
	for s.at < len(s.selected) {
		w := &s.selected[s.at]
		s.at++
		parts := make([]segmentRows, 0, len(w.Parts))
		for _, sel := range w.Parts {
			p, err := s.rows(ctx, w, sel)
			if err != nil {
				return nil, err
			}
			if p.from < p.to {
				parts = append(parts, p)
			}
		}
		if len(parts) == 0 {
			continue
		}
		b := s.batch(&parts[0])
		if len(parts) > 1 {
			b = s.interleave(parts, b)
		}
		if b.N > 0 {
			return b, nil
		}
	}
	return nil, nil
}

// segmentRows is the rows of a layer that a window has in one segment.
type segmentRows struct {
	sg         *documents.Segment
	starts     []int32 // where the rows of each document of the segment begin
	first, end int     // its documents [first, end) belong to the window
	from, to   int     // their rows
	docs       []int   // ordinals of those that are read; nil for all
}

// rows reads a segment.
func (s *columnScan) rows(ctx context.Context, w *documents.Window, sel documents.Selection) (p segmentRows,
	err error) {
	if p.sg, err = s.r.Snapshot.Segment(ctx, s.n.Corpus, sel.Segment, s.want); err != nil {
		return p, err
	}
	if p.starts = p.sg.Rows(s.n.Name); p.starts == nil {
		return p, nil
	}
	p.first, p.end = w.Range(p.sg)
	p.from, p.to = int(p.starts[p.first]), int(p.starts[p.end])
	if p.from < p.to {
		err = s.choose(w, &p, sel)
	}
	return p, err
}

// Close waits until the goroutine has ended.
func (s *columnScan) Close() error {
	if s.cancel != nil {
		s.cancel()
		for range s.ahead {
		}
	}
	return nil
}

// choose finds the documents that are read.
func (s *columnScan) choose(w *documents.Window, p *segmentRows, sel documents.Selection) error {
	if len(s.n.DocFilter) == 0 && sel.Docs == nil && p.sg.AllLive() {
		return nil
	}
	kept, err := s.r.filterDocuments(w.Pick(p.sg, sel.Docs), s.n.DocFilter, s.n)
	if err != nil {
		return err
	}
	out := make([]int, 0, len(kept))
	for i := p.first; i < p.end; i++ {
		if len(out) < len(kept) && p.sg.Seq(i) == kept[len(out)].Seq {
			out = append(out, i)
		}
	}
	if len(out) < p.end-p.first {
		p.docs = out
	}
	return nil
}

// batch makes a batch of the rows of the documents that are read.
func (s *columnScan) batch(p *segmentRows) *value.Batch {
	cols := s.n.Columns()
	b := &value.Batch{N: p.to - p.from, Cols: make([]value.Vec, len(cols))}
	var rows []int
	if p.docs != nil {
		rows = []int{}
		for _, d := range p.docs {
			for i := p.starts[d]; i < p.starts[d+1]; i++ {
				rows = append(rows, int(i)-p.from)
			}
		}
		b.N = len(rows)
	}
	for i, c := range cols {
		if !s.n.Need[i] {
			continue
		}
		var v value.Vec
		if s.n.Number(i) {
			v = documentNumbers(p, c.Document)
		} else if i == 0 || c.Document {
			v = s.documentVec(p, c, i)
		} else {
			v = s.layerVec(p, i-1)
		}
		if rows != nil {
			v = v.Select(rows)
		}
		b.Cols[i] = v
	}
	return b
}

// documentVec repeats a column of the documents for each of their rows.
func (s *columnScan) documentVec(p *segmentRows, c plan.Column, i int) value.Vec {
	if i == 0 || c.Name == "id" || c.Name == "text" {
		v := value.Vec{Type: value.Text, Codes: make([]uint32, p.to-p.from),
			Dict: &value.Dict{Words: make([]string, p.end-p.first)}}
		for d := p.first; d < p.end; d++ {
			word := &v.Dict.Words[d-p.first]
			if *word = p.sg.ID(d); c.Name == "text" && i > 0 {
				*word = p.sg.Text(d)
			}
			for k := int(p.starts[d]); k < int(p.starts[d+1]); k++ {
				v.Codes[k-p.from] = uint32(d - p.first)
			}
		}
		return v
	}
	field := p.sg.Field(c.Name)
	out := make([]value.Value, p.to-p.from)
	if field != nil {
		for d := p.first; d < p.end; d++ {
			for k := int(p.starts[d]); k < int(p.starts[d+1]); k++ {
				out[k-p.from] = field[d]
			}
		}
	}
	return value.FromValues(c.Type, out)
}

// layerVec is a column of the layer: offsets as code points, empty texts as NULL.
func (s *columnScan) layerVec(p *segmentRows, c int) value.Vec {
	col, total := s.n.Def.Columns[c], p.to-p.from
	v, ok := p.sg.Vec(s.n.Name, col.Name, p.from, p.to)
	if !ok {
		return missingVec(col, total)
	}
	if col.Role == text.Offset {
		return codePoints(p, v)
	}
	if col.Role != text.Plain {
		return v
	}
	if v.Codes == nil {
		markMissing(&v, col)
		return v
	}
	for w, word := range v.Dict.Words {
		if word == "" {
			v.Null = make([]bool, total)
			for i, code := range v.Codes {
				v.Null[i] = int(code) == w
			}
		}
	}
	return v
}

// missingVec is a column that is NULL in every row.
func missingVec(c text.Column, total int) value.Vec {
	v := value.Vec{Type: c.Type, Null: make([]bool, total)}
	for i := range v.Null {
		v.Null[i] = true
	}
	switch c.Type {
	case value.Integer:
		v.Ints = make([]int64, total)
	case value.Float:
		v.Floats = make([]float64, total)
	default:
		v.Strs = make([]string, total)
	}
	return v
}

// codePoints converts byte offsets to code points; in texts that are ASCII they are the same.
func codePoints(p *segmentRows, v value.Vec) value.Vec {
	ascii := true
	for d := p.first; d < p.end; d++ {
		ascii = ascii && p.sg.Ascii(d)
	}
	if ascii {
		return v
	}
	out := append([]int64{}, v.Ints...)
	for d := p.first; d < p.end; d++ {
		if p.sg.Ascii(d) {
			continue
		}
		content, at, count := p.sg.Text(d), 0, 0
		for i := int(p.starts[d]) - p.from; i < int(p.starts[d+1])-p.from; i++ {
			to := min(int(out[i]), len(content))
			if to < at {
				at, count = 0, 0
			}
			count += utf8.RuneCountInString(content[at:to])
			at = to
			out[i] = int64(count)
		}
	}
	v.Ints = out
	return v
}

// documentNumbers is, for each row, the number of its document, or its own within the document.
func documentNumbers(p *segmentRows, document bool) value.Vec {
	v := value.Vec{Type: value.Integer, Ints: make([]int64, p.to-p.from)}
	for d := p.first; d < p.end; d++ {
		for i := p.starts[d]; i < p.starts[d+1]; i++ {
			if v.Ints[int(i)-p.from] = int64(i - p.starts[d]); document {
				v.Ints[int(i)-p.from] = int64(p.sg.Seq(d))
			}
		}
	}
	return v
}

// interleave makes a batch of the rows of several segments in the order of documents; first is that of the first part.
func (s *columnScan) interleave(parts []segmentRows, first *value.Batch) *value.Batch {
	batches := make([]*value.Batch, len(parts))
	batches[0] = first
	for i := range parts[1:] {
		batches[i+1] = s.batch(&parts[i+1])
	}
	rows := inOrder(parts)
	out := &value.Batch{Cols: make([]value.Vec, len(first.Cols))}
	for _, x := range rows {
		out.N += x.To - x.From
	}
	vecs := make([]value.Vec, len(parts))
	for c := range out.Cols {
		if !s.n.Need[c] {
			continue
		}
		for i, b := range batches {
			vecs[i] = b.Cols[c]
		}
		out.Cols[c] = value.Interleave(vecs, rows)
	}
	return out
}

// inOrder lists the rows of parts, as they stand in their batches, in the order of documents.
func inOrder(parts []segmentRows) []value.Rows {
	type numbered struct {
		seq  uint64
		rows value.Rows
	}
	var all []numbered
	for i := range parts {
		p, at := &parts[i], 0
		add := func(d int) {
			n := int(p.starts[d+1] - p.starts[d])
			if n > 0 {
				all = append(all, numbered{p.sg.Seq(d), value.Rows{Vec: i, From: at, To: at + n}})
			}
			at += n
		}
		for _, d := range p.docs {
			add(d)
		}
		for d := p.first; d < p.end && p.docs == nil; d++ {
			add(d)
		}
	}
	slices.SortFunc(all, func(a, b numbered) int { return cmp.Compare(a.seq, b.seq) })
	var out []value.Rows
	for _, x := range all {
		if n := len(out); n > 0 && out[n-1].Vec == x.rows.Vec && out[n-1].To == x.rows.From {
			out[n-1].To = x.rows.To
			continue
		}
		out = append(out, x.rows)
	}
	return out
}
