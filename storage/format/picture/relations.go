package picture

import (
	"slices"
	"strings"

	"parlance/algo/text"
	"parlance/storage/format/draw"
)

// mostRelated bounds the words of a picture of relations; those that lie farther apart are drawn one by one.
const mostRelated = 60

// eachRelations calls with the words of each sentence, subjects and objects being one word each, and arcs from subject
// to
// object. What lies outside the sentence, or far away in a text without sentences, is drawn by itself.
func eachRelations(d *text.Document, l *text.Layer, each func(sent int, words []draw.Word, list []draw.Arc)) {
	bounds := sentenceBounds(d)
	bySentence(l, func(sent int, rows []int) {
		r := &related{d: d, l: l}
		near, far := rows, []int(nil)
		from, to := len(d.Text), 0
		if b, ok := bounds[sent]; ok {
			near, far = nil, nil
			for _, i := range rows {
				if s, o, ok := r.ends(i); ok && min(s[0], o[0]) >= b[0] && max(s[1], o[1]) <= b[1] {
					near = append(near, i)
				} else {
					far = append(far, i)
				}
			}
			from, to = b[0], b[1]
		} else {
			for _, i := range rows {
				if s, o, ok := r.ends(i); ok {
					from, to = min(from, s[0], o[0]), max(to, s[1], o[1])
				}
			}
		}
		if from < to && len(near) > 0 {
			if words, arcs := r.picture(near, from, to); len(words) <= mostRelated {
				each(sent, words, arcs)
			} else {
				far = append(near, far...)
			}
		}
		for _, i := range far {
			if words, arcs := r.alone(i); words != nil {
				each(sent, words, arcs)
			}
		}
	})
}

// related are the relations of a document.
type related struct {
	d *text.Document
	l *text.Layer
}

// ends are the bytes of subject and object of a row; ok reports whether both are in the text.
func (r *related) ends(i int) (subject, object [2]int, ok bool) {
	at := func(name string) int { return intAt(r.l.Ints(name), i, -1) }
	subject = [2]int{at("subject_start"), at("subject_end")}
	object = [2]int{at("object_start"), at("object_end")}
	in := func(s [2]int) bool { return s[0] >= 0 && s[0] < s[1] && s[1] <= len(r.d.Text) }
	return subject, object, in(subject) && in(object)
}

func (r *related) label(i int) string { return strAt(r.l.Strs("label"), i) }

// picture cuts a part of the text into subjects, objects and the words between, with an arc a row. Of spans that
// overlap
// the arcs end at the first part.
func (r *related) picture(rows []int, from, to int) (words []draw.Word, arcs []draw.Arc) {
	cuts, within := []int{from, to}, [][2]int(nil)
	for _, i := range rows {
		if s, o, ok := r.ends(i); ok {
			cuts, within = append(cuts, s[0], s[1], o[0], o[1]), append(within, s, o)
		}
	}
	slices.Sort(cuts)
	cuts = slices.Compact(cuts)
	word := map[int]int{} // that begins at a byte
	for k := 1; k < len(cuts); k++ {
		a, z := cuts[k-1], cuts[k]
		word[a] = len(words)
		piece := r.d.Text[a:z]
		if slices.ContainsFunc(within, func(s [2]int) bool { return s[0] <= a && z <= s[1] }) {
			words = append(words, draw.Word{Form: strings.Join(strings.Fields(piece), " ")})
			continue
		}
		for _, w := range strings.Fields(piece) {
			words = append(words, draw.Word{Form: w})
		}
	}
	for _, i := range rows {
		if s, o, ok := r.ends(i); ok {
			arcs = append(arcs, draw.Arc{Head: word[s[0]], Dep: word[o[0]], Label: r.label(i)})
		}
	}
	return words, arcs
}

// alone is the picture of a row by itself; nil if its spans are not in the text.
func (r *related) alone(i int) ([]draw.Word, []draw.Arc) {
	s, o, ok := r.ends(i)
	if !ok {
		return nil, nil
	}
	form := func(s [2]int) draw.Word {
		return draw.Word{Form: strings.Join(strings.Fields(r.d.Text[s[0]:s[1]]), " ")}
	}
	words := []draw.Word{form(s), {Form: "…"}, form(o)}
	arc := draw.Arc{Head: 0, Dep: 2, Label: r.label(i)}
	if o[0] < s[0] {
		slices.Reverse(words)
		arc.Head, arc.Dep = 2, 0
	}
	return words, []draw.Arc{arc}
}

// relationFigures draws relations, a figure a sentence and one for each relation beyond it.
func relationFigures(d *text.Document, l *text.Layer) (out []sentenceFigure) {
	eachRelations(d, l, func(sent int, words []draw.Word, list []draw.Arc) {
		out = append(out, sentenceFigure{sent, draw.Relations(words, list)})
	})
	return out
}
