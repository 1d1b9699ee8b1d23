package format

import (
	"cmp"
	"slices"
	"strings"

	"parlance/algo/text"
)

// wordRows gathers the layer words: what a file says beyond the other layers.
type wordRows struct {
	sent []int32
	id   []string
	line []string
}

func (w *wordRows) add(sent int, id, line string) {
	w.sent, w.id, w.line = append(w.sent, int32(sent)), append(w.id, id), append(w.line, line)
}

// set gives the document its layer, if there is anything to keep.
func (w *wordRows) set(d *text.Document) {
	if len(w.id) == 0 {
		return
	}
	if !slices.IsSorted(w.sent) {
		w.sort()
	}
	l := text.NewLayer(text.Words)
	l.N = len(w.id)
	l.Cols[0].Ints, l.Cols[1].Strs, l.Cols[2].Strs = w.sent, w.id, w.line
	d.SetLayer(l)
}

// sort brings the rows into the order of sentences.
func (w *wordRows) sort() {
	at := make([]int, len(w.sent))
	for i := range at {
		at[i] = i
	}
	slices.SortStableFunc(at, func(a, b int) int { return cmp.Compare(w.sent[a], w.sent[b]) })
	var out wordRows
	for _, i := range at {
		out.add(int(w.sent[i]), w.id[i], w.line[i])
	}
	*w = out
}

// keptRows is the layer words of a document by sentence and id.
type keptRows struct {
	comments map[int32][]string
	rows     map[keptKey]string
}

type keptKey struct {
	sent int32
	id   string
}

func kept(d *text.Document) keptRows {
	k := keptRows{comments: map[int32][]string{}, rows: map[keptKey]string{}}
	l := d.Layer("words")
	if l == nil {
		return k
	}
	sent, id, line := l.Ints("sent"), l.Strs("id"), l.Strs("line")
	for i := range l.N {
		switch {
		case sent == nil || line == nil || line[i] == "":
		case id != nil && id[i] != "":
			k.rows[keptKey{sent[i], id[i]}] = line[i]
		case strings.HasPrefix(line[i], "#") && !strings.Contains(line[i], "\n"):
			k.comments[sent[i]] = append(k.comments[sent[i]], line[i])
		}
	}
	return k
}

// cells is a kept row of columns, nil unless it has as many.
func (k keptRows) cells(sent int32, id string, n int) []string {
	line, ok := k.rows[keptKey{sent, id}]
	if !ok {
		return nil
	}
	cells := strings.Split(line, "\t")
	if len(cells) != n {
		return nil
	}
	return cells
}
