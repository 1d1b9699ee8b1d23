package picture

import (
	"fmt"
	"strings"

	"parlance/algo/text"
	"parlance/storage/format/draw"
)

// marked is a part of a document under its marks.
type marked struct {
	title string // what it shows, where a layer needs several
	text  string
	marks []draw.Mark
}

// markedTexts returns the texts that show a layer of spans: the document once, or a text for
// each predicate or annotator.
func (p palettes) markedTexts(d *text.Document, l *text.Layer) ([]marked, error) {
	starts, ends := l.Ints("char_start"), l.Ints("char_end")
	for i := range l.N {
		if a, z := intAt(starts, i, -1), intAt(ends, i, -1); a < 0 || z < a || z > len(d.Text) {
			return nil, fmt.Errorf("document %s: row %d of %s names no part of its text", d.ID, i+1, l.Name)
		}
	}
	switch l.Def {
	case text.Mentions:
		return []marked{{text: d.Text, marks: p.mentions(l)}}, nil
	case text.Roles:
		return p.roles(d, l), nil
	case text.Edits:
		return p.edits(d, l), nil
	}
	out := marked{text: d.Text}
	for i := range l.N {
		name := strAt(l.Strs("label"), i)
		out.marks = append(out.marks, draw.Mark{From: int(starts[i]), To: int(ends[i]), Class: p.labels.Class(name),
			Tag: name})
	}
	return []marked{out}, nil
}

// mentions marks each with the number of its cluster. What corefers with nothing has none.
func (p palettes) mentions(l *text.Layer) (out []draw.Mark) {
	clusters := l.Strs("cluster")
	size, number := map[string]int{}, map[string]int{}
	for _, c := range clusters {
		if size[c]++; c != "" && size[c] == 2 {
			number[c] = 0
		}
	}
	next := 0
	for i := range l.N {
		c := strAt(clusters, i)
		m := draw.Mark{From: int(l.Ints("char_start")[i]), To: int(l.Ints("char_end")[i]), Class: "single", Low: true}
		var title []string
		if n, ok := number[c]; ok {
			if n == 0 {
				next++
				n = next
				number[c] = n
			}
			m.Tag, m.Class = fmt.Sprint(n), p.clusters.Class(fmt.Sprintf("%02d", (n-1)%clusterColours))
		}
		for _, part := range [][2]string{{"cluster", c}, {"kind", strAt(l.Strs("kind"), i)}, {"link", strAt(l.Strs("link"),
			i)}} {
			if part[1] != "" {
				title = append(title, part[0]+" "+part[1])
			}
		}
		m.Title = strings.Join(title, ", ")
		out = append(out, m)
	}
	return out
}

// roles makes a text for each predicate: its sentence with its arguments.
func (p palettes) roles(d *text.Document, l *text.Layer) (out []marked) {
	starts, ends := l.Ints("char_start"), l.Ints("char_end")
	bounds := sentenceBounds(d)
	bySentence(l, func(sent int, rows []int) {
		of := map[int]int{} // predicate to text
		from, to := 0, len(d.Text)
		if b, ok := bounds[sent]; ok {
			from, to = b[0], b[1]
			for _, i := range rows {
				from, to = min(from, int(starts[i])), max(to, int(ends[i]))
			}
		}
		for _, i := range rows {
			pred := intAt(l.Ints("predicate"), i, 0)
			k, ok := of[pred]
			if !ok {
				k = len(out)
				of[pred] = k
				out = append(out, marked{title: fmt.Sprintf("%d.%d", sent, pred), text: d.Text[from:to]})
			}
			if s := strAt(l.Strs("sense"), i); s != "" && !strings.HasSuffix(out[k].title, " "+s) {
				out[k].title += " " + s
			}
			name := strAt(l.Strs("label"), i)
			out[k].marks = append(out[k].marks, draw.Mark{From: int(starts[i]) - from, To: int(ends[i]) - from,
				Class: p.labels.Class(name), Tag: name})
		}
	})
	return out
}

// sentenceBounds returns the bytes of each sentence.
func sentenceBounds(d *text.Document) map[int][2]int {
	out := map[int][2]int{}
	l := d.Layer("sentences")
	if l == nil {
		return out
	}
	for i := range l.N {
		a, z := intAt(l.Ints("char_start"), i, 0), intAt(l.Ints("char_end"), i, 0)
		if a >= 0 && a <= z && z <= len(d.Text) {
			out[intAt(l.Ints("sent"), i, 0)] = [2]int{a, z}
		}
	}
	return out
}

// edits makes a text for each annotator. The tag of a mark is what replaces it.
func (p palettes) edits(d *text.Document, l *text.Layer) (out []marked) {
	of := map[int]int{}
	for i := range l.N {
		who := intAt(l.Ints("annotator"), i, 0)
		k, ok := of[who]
		if !ok {
			k = len(out)
			of[who] = k
			out = append(out, marked{title: fmt.Sprintf("annotator %d", who), text: d.Text})
		}
		kind := strAt(l.Strs("type"), i)
		out[k].marks = append(out[k].marks, draw.Mark{From: int(l.Ints("char_start")[i]), To: int(l.Ints("char_end")[i]),
			Class: p.labels.Class(kind), Tag: strAt(l.Strs("correction"), i), Title: kind})
	}
	if len(out) == 1 {
		out[0].title = ""
	}
	return out
}
