package resource

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"parlance/algo/option"
	"parlance/algo/text"
	"parlance/storage/format/codec"
	"parlance/storage/value"
)

// arpa is a back-off language model as text (ARPA, MIT Lincoln Laboratory; as SRILM and KenLM write it): the numbers of
// n-grams of each order, then order by order a line for each n-gram, log10 of its probability, its words, and log10 of
// its back-off weight where it begins longer ones.
type arpa struct {
	orders []*spooled // written so far
	at     [3]int     // places of the columns that are written, −1 for none
}

// Columns of n-grams, as kind ngrams lists them.
var arpaColumns = [3]string{"ngram", "log_prob", "backoff"}

func (*arpa) Options(*option.Set) {}

// places finds the columns; ngram and log_prob are needed.
func places(columns []codec.Column) (at [3]int, err error) {
	for i, name := range arpaColumns {
		at[i] = slices.IndexFunc(columns, func(c codec.Column) bool { return c.Name == name })
		if at[i] < 0 && i < 2 {
			return at, fmt.Errorf("ARPA has n-grams in columns ngram, log_prob and backoff; there is no column %s", name)
		}
	}
	return at, nil
}

func (*arpa) Rows(src *codec.Source, columns []codec.Column, emit func([]value.Value, int) error) error {
	r := &arpaReader{src: src, columns: columns, emit: emit, empty: true}
	for !r.ended {
		line, n, err := src.Next()
		if err == io.EOF && r.empty {
			return nil
		}
		if err == io.EOF {
			return src.Fault(n+1, 0, `the file ends without \end\`)
		}
		if err != nil {
			return err
		}
		if err := r.line(text.Trim(string(line)), n); err != nil {
			return err
		}
	}
	return nil
}

// arpaReader is where the reading of a file stands.
type arpaReader struct {
	src     *codec.Source
	columns []codec.Column
	at      [3]int
	emit    func([]value.Value, int) error
	numbers []int // of n-grams of each order, as the head says
	order   int   // of the section that is read; 0 in the head
	read    int   // lines of this section
	empty   bool  // nothing was read
	begun   bool
	ended   bool
}

func (r *arpaReader) line(s string, n int) (err error) {
	r.empty = false
	switch {
	case s == "":
		return nil
	case !r.begun:
		if s != `\data\` {
			return nil // a comment
		}
		r.begun = true
		if r.at, err = places(r.columns); err != nil {
			return r.src.Fault(n, 0, "%v", err)
		}
		return nil
	case strings.HasPrefix(s, `\`):
		return r.section(s, n)
	case r.order == 0:
		return r.head(s, n)
	}
	r.read++
	return r.gram(s, n)
}

// head reads a line such as ngram 2=17.
func (r *arpaReader) head(s string, n int) error {
	order, number, ok := strings.Cut(text.Trim(strings.TrimPrefix(s, "ngram")), "=")
	k, err1 := strconv.Atoi(text.Trim(order))
	size, err2 := strconv.Atoi(text.Trim(number))
	if !ok || err1 != nil || err2 != nil || k != len(r.numbers)+1 || size < 0 {
		return r.src.Fault(n, 0, "%q is no line such as ngram %d=17", s, len(r.numbers)+1)
	}
	r.numbers = append(r.numbers, size)
	return nil
}

// section ends a section and begins another one.
func (r *arpaReader) section(s string, n int) error {
	if r.order > 0 && r.read != r.numbers[r.order-1] {
		return r.src.Fault(n, 0, "there are %d n-grams of order %d, the head says %d", r.read, r.order,
			r.numbers[r.order-1])
	}
	r.order++
	r.read = 0
	want := fmt.Sprintf(`\%d-grams:`, r.order)
	if r.order > len(r.numbers) {
		want = `\end\`
	}
	if s != want {
		return r.src.Fault(n, 0, "%s where %s is wanted", s, want)
	}
	r.ended = r.order > len(r.numbers)
	return nil
}

// gram reads an n-gram.
func (r *arpaReader) gram(s string, n int) error {
	f := text.Fields(s)
	if len(f) != r.order+1 && len(f) != r.order+2 {
		return r.src.Fault(n, 0, "%d {value|values}, where a probability, %d {word|words} and perhaps a back-off weight "+
			"are wanted",
			len(f), r.order)
	}
	row := make([]value.Value, len(r.columns))
	texts := [3]string{strings.Join(f[1:r.order+1], " "), f[0], strings.Join(f[r.order+1:], "")}
	for i, at := range r.at {
		if at < 0 || texts[i] == "" {
			continue
		}
		v, err := codec.Cast(texts[i], r.columns[at])
		if err != nil {
			return r.src.Fault(n, 0, "column %s: %v", arpaColumns[i], err)
		}
		row[at] = v
	}
	return r.emit(row, n)
}

func (a *arpa) Begin(_ io.Writer, columns []codec.Column) (err error) {
	a.at, err = places(columns)
	return err
}

func (a *arpa) Row(_ io.Writer, _ []codec.Column, row []value.Value) error {
	words := text.Fields(row[a.at[0]].String())
	prob := row[a.at[1]]
	if len(words) == 0 || prob.IsNull() {
		return fmt.Errorf("the n-gram %q has no words or no log_prob", row[a.at[0]])
	}
	for len(a.orders) < len(words) {
		o, err := newSpooled()
		if err != nil {
			return err
		}
		a.orders = append(a.orders, o)
	}
	o := a.orders[len(words)-1]
	o.n++
	number := func(v value.Value) string { return strconv.FormatFloat(v.Float(), 'g', -1, 32) }
	line := number(prob) + "\t" + strings.Join(words, " ")
	if a.at[2] >= 0 && !row[a.at[2]].IsNull() {
		line += "\t" + number(row[a.at[2]])
	}
	_, err := fmt.Fprintln(o.out, line)
	return err
}

// End writes the head and all orders.
func (a *arpa) End(w io.Writer) error {
	orders := a.orders
	a.orders = nil
	defer func() {
		for _, o := range orders {
			_ = o.file.Close()
		}
	}()
	if _, err := fmt.Fprintln(w, `\data\`); err != nil {
		return err
	}
	for i, o := range orders {
		if _, err := fmt.Fprintf(w, "ngram %d=%d\n", i+1, o.n); err != nil {
			return err
		}
	}
	for i, o := range orders {
		if _, err := fmt.Fprintf(w, "\n\\%d-grams:\n", i+1); err != nil {
			return err
		}
		if err := o.copy(w); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintln(w, "\n\\end\\")
	return err
}
