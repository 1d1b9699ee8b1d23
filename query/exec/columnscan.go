package exec

import (
	"context"
	"unicode/utf8"

	"parlance/algo/text"
	"parlance/query/plan"
	"parlance/storage"
	"parlance/storage/guard"
	"parlance/storage/value"
)

// columnScan yields the stored rows of a layer, a batch for each segment. The columns of a batch are those that
// storage has decoded; no documents are made.
type columnScan struct {
	r        *Execution
	n        *plan.Layer
	want     storage.Want
	selected []storage.Selection
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
	lw := storage.LayerWant{Name: n.Name, Columns: []string{}}
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
	s.want.Layers = []storage.LayerWant{lw}
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
		sg, err := s.r.Snapshot.Segment(ctx, s.n.Corpus, s.selected[s.at].Segment, s.want)
		if err != nil {
			return nil, err
		}
		sel := s.selected[s.at]
		s.at++
		starts := sg.Rows(s.n.Name)
		if starts == nil || starts[len(starts)-1] == 0 {
			continue
		}
		docs, err := s.documents(sg, sel)
		if err != nil {
			return nil, err
		}
		if b := s.batch(sg, starts, docs); b.N > 0 {
			return b, nil
		}
	}
	return nil, nil
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

// documents returns the ordinals of the documents that are read; nil for all.
func (s *columnScan) documents(sg *storage.Segment, sel storage.Selection) ([]int, error) {
	if len(s.n.DocFilter) == 0 && sel.Docs == nil && sg.AllLive() {
		return nil, nil
	}
	docs := selected(sg, sel)
	kept, err := s.r.filterDocuments(docs, s.n.DocFilter, s.n)
	if err != nil {
		return nil, err
	}
	out := make([]int, 0, len(kept))
	for i := range sg.N() {
		if len(out) < len(kept) && sg.Seq(i) == kept[len(out)].Seq {
			out = append(out, i)
		}
	}
	if len(out) == sg.N() {
		return nil, nil
	}
	return out, nil
}

// batch makes a batch of the rows of documents, of all for nil.
func (s *columnScan) batch(sg *storage.Segment, starts []int32, docs []int) *value.Batch {
	cols := s.n.Columns()
	total := int(starts[len(starts)-1])
	b := &value.Batch{N: total, Cols: make([]value.Vec, len(cols))}
	var rows []int
	if docs != nil {
		rows = []int{}
		for _, d := range docs {
			for i := starts[d]; i < starts[d+1]; i++ {
				rows = append(rows, int(i))
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
			v = documentNumbers(sg, starts, c.Document, total)
		} else if i == 0 || c.Document {
			v = s.documentVec(sg, starts, c, i, total)
		} else {
			v = s.layerVec(sg, starts, i-1, total)
		}
		if rows != nil {
			v = v.Select(rows)
		}
		b.Cols[i] = v
	}
	return b
}

// documentVec repeats a column of the documents for each of their rows.
func (s *columnScan) documentVec(sg *storage.Segment, starts []int32, c plan.Column, i, total int) value.Vec {
	if i == 0 || c.Name == "id" || c.Name == "text" {
		v := value.Vec{Type: value.Text, Codes: make([]uint32, total), Dict: &value.Dict{Words: make([]string, sg.N())}}
		for d := range sg.N() {
			if v.Dict.Words[d] = sg.ID(d); c.Name == "text" && i > 0 {
				v.Dict.Words[d] = sg.Text(d)
			}
			for k := starts[d]; k < starts[d+1]; k++ {
				v.Codes[k] = uint32(d)
			}
		}
		return v
	}
	field := sg.Field(c.Name)
	out := make([]value.Value, total)
	if field != nil {
		for d := range sg.N() {
			for k := starts[d]; k < starts[d+1]; k++ {
				out[k] = field[d]
			}
		}
	}
	return value.FromValues(c.Type, out)
}

// layerVec is a column of the layer: offsets as code points, empty texts as NULL.
func (s *columnScan) layerVec(sg *storage.Segment, starts []int32, c, total int) value.Vec {
	col := s.n.Def.Columns[c]
	v, ok := sg.Vec(s.n.Name, col.Name)
	if !ok {
		return missingVec(col, total)
	}
	if col.Role == text.Offset {
		return codePoints(sg, starts, v)
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
func codePoints(sg *storage.Segment, starts []int32, v value.Vec) value.Vec {
	ascii := true
	for d := range sg.N() {
		ascii = ascii && sg.Ascii(d)
	}
	if ascii {
		return v
	}
	out := append([]int64{}, v.Ints...)
	for d := range sg.N() {
		if sg.Ascii(d) {
			continue
		}
		content, at, count := sg.Text(d), 0, 0
		for i := starts[d]; i < starts[d+1]; i++ {
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
