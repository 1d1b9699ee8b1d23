// Package arpa reads and writes back-off language models as text, the format of ARPA that SRILM, KenLM and others
// share: the numbers of n-grams of each order, then a line for each n-gram, order by order.
package arpa

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strconv"
	"strings"
	"unicode/utf8"

	"parlance/algo/correct/ngrams"
	"parlance/algo/foreign"
	"parlance/algo/option"
	"parlance/algo/text"
)

// Format declares the format.
func Format() foreign.Format {
	return foreign.Format{Name: "arpa", Doc: "ARPA, back-off language models of SRILM, KenLM and others as text: ngrams",
		New:   func() foreign.Reader { return &reader{} },
		Write: write}
}

// reader reads a file.
type reader struct {
	lines   *foreign.Lines
	numbers []int // of n-grams of each order, as the head says
	err     error // of the file, that ended the reading
}

// Options declares none.
func (r *reader) Options(*option.Set) {}

// mostOrders is the most words of an n-gram.
const mostOrders = 8

const (
	opening = `\data\`
	closing = `\end\`
)

// kenlmBinary begins a binary model of KenLM.
const kenlmBinary = "mmap lm http://kheafield.com/code format version"

// Read reads a model.
func (r *reader) Read(ctx context.Context, f *foreign.File) (*foreign.Model, error) {
	if strings.HasPrefix(f.Data, kenlmBinary) {
		return nil, &foreign.Error{Msg: "this is a binary model of KenLM", Hint: "the file that build_binary was given, " +
			"which begins with \\data\\"}
	}
	r.lines = foreign.NewLines(ctx, f.Data)
	if err := r.head(); err != nil {
		return nil, err
	}
	n := 0
	for _, k := range r.numbers {
		n += k
	}
	options, encode, err := ngrams.FromBackoff(ctx, len(r.numbers), n, r.grams())
	var row *ngrams.RowError
	switch {
	case r.err != nil:
		return nil, r.err
	case errors.As(err, &row):
		return nil, r.lines.Faultf("", "%v", row.Err)
	case err != nil && ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		return nil, foreign.Faultf("", "%v", err)
	}
	return &foreign.Model{Kind: "ngrams", Program: "ARPA", Options: options, Encode: encode}, nil
}

// next returns the next line that is not blank.
func (r *reader) next(what string) (string, error) {
	for {
		line, err := r.lines.Want(what)
		if err != nil {
			return "", err
		}
		if err := r.lines.Ended(); err != nil {
			return "", err
		}
		if line = text.Trim(line); line != "" {
			return line, nil
		}
	}
}

// head reads comments, the numbers, and the line that begins the single words.
func (r *reader) head() error {
	for {
		line, err := r.next(opening)
		if err != nil {
			return err
		}
		if line == opening {
			break
		}
	}
	for {
		line, err := r.next("the numbers of n-grams")
		if err != nil {
			return err
		}
		if strings.HasPrefix(line, `\`) {
			if len(r.numbers) == 0 {
				return r.lines.Faultf("lines such as ngram 1=17", "%s without the numbers of n-grams", foreign.Short(line))
			}
			return r.begins(1, line)
		}
		if err := r.number(line); err != nil {
			return err
		}
	}
}

// number reads a line such as ngram 2=17.
func (r *reader) number(line string) error {
	order, n, ok := strings.Cut(strings.TrimPrefix(line, "ngram"), "=")
	k, err1 := strconv.Atoi(text.Trim(order))
	size, err2 := strconv.Atoi(text.Trim(n))
	want := len(r.numbers) + 1
	if !ok || err1 != nil || err2 != nil || k != want || size < 0 {
		return r.lines.Faultf(fmt.Sprintf("ngram %d=17", want), "%q tells no number of n-grams", foreign.Short(line))
	}
	if k > mostOrders {
		return r.lines.Faultf("", "n-grams have %d words at most", mostOrders)
	}
	if size > r.lines.Left()/3 {
		return r.lines.Faultf("the file was cut short, or the head is wrong", "%d n-grams, and the file has %d bytes more",
			size, r.lines.Left())
	}
	r.numbers = append(r.numbers, size)
	return nil
}

// begins checks the line before the n-grams of an order, or the last one of the file.
func (r *reader) begins(order int, line string) error {
	want := closing
	if order <= len(r.numbers) {
		want = fmt.Sprintf(`\%d-grams:`, order)
	}
	if line != want {
		return r.lines.Faultf(want, "%q where %s is wanted", foreign.Short(line), want)
	}
	return nil
}

// grams yields the n-grams of all orders. An error stays in r.err.
func (r *reader) grams() iter.Seq2[ngrams.Gram, error] {
	return func(yield func(ngrams.Gram, error) bool) {
		for k, n := range r.numbers {
			for i := range n {
				x, err := r.gram(k+1, i)
				if r.err = err; !yield(x, err) || err != nil {
					return
				}
			}
			line, err := r.next(closing)
			if err == nil && !strings.HasPrefix(line, `\`) {
				err = r.lines.Faultf("", "there are more than %d n-grams of order %d, as the head says", n, k+1)
			}
			if err == nil {
				err = r.begins(k+2, line)
			}
			if r.err = err; err != nil {
				yield(ngrams.Gram{}, err)
				return
			}
		}
	}
}

// gram reads an n-gram; i others of its order stand before it.
func (r *reader) gram(order, i int) (x ngrams.Gram, err error) {
	line, err := r.next("an n-gram")
	if err != nil {
		return x, err
	}
	if strings.HasPrefix(line, `\`) && (strings.HasSuffix(line, "-grams:") || line == closing) {
		return x, r.lines.Faultf("", "there are %d n-grams of order %d, the head says %d", i, order, r.numbers[order-1])
	}
	f := text.Fields(line)
	if len(f) != order+1 && len(f) != order+2 {
		return x, r.lines.Faultf("a probability, the words and perhaps a back-off weight",
			"%d values in the line of an n-gram of %d words", len(f), order)
	}
	x.Words = strings.Join(f[1:order+1], " ")
	if !utf8.ValidString(x.Words) || strings.IndexByte(x.Words, 0) >= 0 {
		return x, r.lines.Faultf("the file in UTF-8", "%q is no text", foreign.Short(x.Words))
	}
	if x.Prob, err = r.log(f[0]); err != nil {
		return x, err
	}
	if len(f) == order+2 {
		x.Back, err = r.log(f[order+1])
	}
	return x, err
}

// log reads a logarithm. What is too small, or infinite, is refused where the n-gram is known.
func (r *reader) log(s string) (float64, error) {
	v, err := strconv.ParseFloat(s, 64)
	if err != nil {
		return 0, r.lines.Faultf("log10 of a probability, such as -1.5", "%q is no number", foreign.Short(s))
	}
	return v, nil
}
