package feature

import (
	"math"
	"strings"
	"unicode"
	"unicode/utf8"

	"parlance/algo/text"
)

// docCount counts the attributes of one document in the order of their first occurrence.
type docCount struct {
	place []int32 // by attribute: 1 + place among attrs
	attrs []uint32
	n     []float32
	lower []string
	buf   []byte
}

func (c *docCount) add(attr uint32) {
	if int(attr) >= len(c.place) {
		c.place = append(c.place, make([]int32, int(attr)+1)...)
	}
	if p := c.place[attr]; p > 0 {
		c.n[p-1]++
		return
	}
	c.attrs, c.n = append(c.attrs, attr), append(c.n, 1)
	c.place[attr] = int32(len(c.attrs))
}

// document appends one item with the counts of a document's attributes, of some of them where the context has ended.
func (e *Extractor) document(d *text.Document, toks *text.Layer, rows *Rows) {
	c := &e.count
	var forms []string
	if toks != nil {
		forms = toks.Strs("form")
	}
	c.lower = c.lower[:0]
	for k, t := range e.a.set.templates {
		at := t.atoms[0].column
		col := &e.a.set.columns[at]
		switch col.name {
		case "word":
			for i := 0; i < len(forms) && !e.ended(); i++ {
				e.occurrence(k, at, forms[i])
			}
		case "ngram":
			if len(c.lower) == 0 {
				for _, f := range forms {
					c.lower = append(c.lower, strings.ToLower(f))
				}
			}
			for i := 0; i+col.size <= len(c.lower) && !e.ended(); i++ {
				if col.size == 1 {
					e.occurrence(k, at, c.lower[i])
					continue
				}
				e.occurrence(k, at, c.join(c.lower[i:i+col.size]))
			}
		case "char_ngram":
			e.characters(k, at, d.Text, col.size)
		}
	}
	rows.Attrs, rows.Values = append(rows.Attrs, c.attrs...), append(rows.Values, c.n...)
	rows.end()
	if e.growing {
		e.a.docs++
		for _, x := range c.attrs {
			for int(x) >= len(e.a.seen) {
				e.a.seen = append(e.a.seen, 0)
			}
			e.a.seen[x]++
		}
	}
	for _, x := range c.attrs {
		c.place[x] = 0
	}
	c.attrs, c.n = c.attrs[:0], c.n[:0]
}

// join writes words with blanks between them. Blanks and backslashes inside of words get a
// backslash, so that different n-grams stay different.
func (c *docCount) join(words []string) string {
	buf := c.buf[:0]
	for i, w := range words {
		if i > 0 {
			buf = append(buf, ' ')
		}
		if !strings.ContainsAny(w, ` \`) {
			buf = append(buf, w...)
			continue
		}
		for j := range len(w) {
			if w[j] == ' ' || w[j] == '\\' {
				buf = append(buf, '\\')
			}
			buf = append(buf, w[j])
		}
	}
	c.buf = buf
	return string(buf)
}

func (e *Extractor) occurrence(k, column int, s string) {
	v := e.value(column, s)
	if v == 0 {
		return
	}
	e.key[0] = v
	id := uint32(0)
	if e.growing {
		id = e.a.add(k, e.key[:1])
	} else {
		id = e.a.find(k, e.key[:1])
	}
	if id != 0 {
		e.count.add(id - 1)
	}
}

// characters counts n-grams of characters in lower case.
func (e *Extractor) characters(k, column int, s string, n int) {
	buf := e.count.buf[:0]
	blank := true
	for _, c := range s {
		if unicode.IsSpace(c) {
			if !blank {
				buf = append(buf, ' ')
			}
			blank = true
			continue
		}
		blank = false
		buf = utf8.AppendRune(buf, unicode.ToLower(c))
	}
	e.count.buf = buf
	t := strings.TrimSuffix(string(buf), " ")
	from, to := 0, 0
	for i := 0; to < len(t) && !e.ended(); i++ {
		_, w := utf8.DecodeRuneInString(t[to:])
		to += w
		if i < n-1 {
			continue
		}
		e.occurrence(k, column, t[from:to])
		_, w = utf8.DecodeRuneInString(t[from:])
		from += w
	}
}

// weigh turns the counts of one document into values:
//
//	binary 1, count n, log 1+ln n, tfidf n·(ln((1+N)/(1+df))+1); l2: divided by the length
func (a *Alphabet) weigh(attrs []uint32, vals []float32) {
	var sum float64
	for i, x := range attrs {
		v := float64(vals[i])
		switch a.set.weight {
		case "binary":
			v = 1
		case "log":
			v = 1 + math.Log(v)
		case "tfidf":
			v *= a.idf(x)
		}
		vals[i] = float32(v)
		sum += v * v
	}
	if a.set.norm == "l2" {
		scale(vals, sum)
	}
}

// scale divides values by their length, given its square.
func scale(vals []float32, square float64) {
	if square == 0 {
		return
	}
	by := float32(1 / math.Sqrt(square))
	for i := range vals {
		vals[i] *= by
	}
}
