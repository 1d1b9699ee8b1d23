package layers

import (
	"cmp"
	"slices"
	"strings"

	"parlance/algo/text"
)

// Words gathers the layer words: what a file says beyond the other layers.
type Words struct {
	Sent []int32
	ID   []string
	line []string
}

// Add keeps a line under an id; the id is that of a token with what follows it, or "" for a comment.
func (w *Words) Add(sent int, id, line string) {
	w.Sent, w.ID, w.line = append(w.Sent, int32(sent)), append(w.ID, id), append(w.line, line)
}

// Set gives the document its layer, if there is anything to keep.
func (w *Words) Set(d *text.Document) {
	if len(w.ID) == 0 {
		return
	}
	if !slices.IsSorted(w.Sent) {
		w.sort()
	}
	l := text.NewLayer(text.Words)
	l.N = len(w.ID)
	l.Cols[0].Ints, l.Cols[1].Strs, l.Cols[2].Strs = w.Sent, w.ID, w.line
	d.SetLayer(l)
}

// sort brings the rows into the order of sentences.
func (w *Words) sort() {
	at := make([]int, len(w.Sent))
	for i := range at {
		at[i] = i
	}
	slices.SortStableFunc(at, func(a, b int) int { return cmp.Compare(w.Sent[a], w.Sent[b]) })
	var out Words
	for _, i := range at {
		out.Add(int(w.Sent[i]), w.ID[i], w.line[i])
	}
	*w = out
}

// KeptWords is the layer words of a document by sentence and id.
type KeptWords struct {
	Comments map[int32][]string
	Rows     map[KeptKey]string
}

// KeptKey is where a kept line belongs.
type KeptKey struct {
	Sent int32
	Id   string
}

// Kept reads the layer words of a document.
func Kept(d *text.Document) KeptWords {
	k := KeptWords{Comments: map[int32][]string{}, Rows: map[KeptKey]string{}}
	l := d.Layer("words")
	if l == nil {
		return k
	}
	sent, id, line := l.Ints("sent"), l.Strs("id"), l.Strs("line")
	for i := range l.N {
		switch {
		case sent == nil || line == nil || line[i] == "":
		case id != nil && id[i] != "":
			k.Rows[KeptKey{sent[i], id[i]}] = line[i]
		case strings.HasPrefix(line[i], "#") && !strings.Contains(line[i], "\n"):
			k.Comments[sent[i]] = append(k.Comments[sent[i]], line[i])
		}
	}
	return k
}

// Cells is a kept row of columns, nil unless it has as many.
func (k KeptWords) Cells(sent int32, id string, n int) []string {
	line, ok := k.Rows[KeptKey{sent, id}]
	if !ok {
		return nil
	}
	cells := strings.Split(line, "\t")
	if len(cells) != n {
		return nil
	}
	return cells
}
