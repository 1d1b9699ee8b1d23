package arpa

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"iter"
	"strconv"
	"strings"

	"parlance/algo/correct/ngrams"
	"parlance/algo/foreign"
	"parlance/algo/kind"
)

// lookEvery is how many n-grams are written between looks at the context.
const lookEvery = 1 << 14

// write writes a model of n-grams with probabilities. Its n-grams come by their words, and ARPA has them by their
// number of words: they are gone through once for the head and once for each order.
func write(ctx context.Context, w io.Writer, m kind.Model) error {
	b, ok := kind.Unwrap(m).(interface {
		Backoff() (int, iter.Seq[ngrams.Gram], error)
	})
	if !ok {
		return &foreign.Refusal{Msg: "it is no language model of n-grams",
			Hint: "models of the kind ngrams can be written so"}
	}
	orders, grams, err := b.Backoff()
	if err != nil {
		return &foreign.Refusal{Msg: err.Error(), Hint: "train it with smoothing = kneser_ney, without lower"}
	}
	numbers, n := make([]int, orders), 0
	for x := range grams {
		numbers[strings.Count(x.Words, " ")]++
		if n++; n%lookEvery == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
	}
	out := bufio.NewWriter(w)
	fmt.Fprintln(out, opening)
	for k, n := range numbers {
		fmt.Fprintf(out, "ngram %d=%d\n", k+1, n)
	}
	for k := range numbers {
		fmt.Fprintf(out, "\n\\%d-grams:\n", k+1)
		if err := writeOrder(ctx, out, k, k+1 < orders, grams); err != nil {
			return err
		}
	}
	fmt.Fprintf(out, "\n%s\n", closing)
	return out.Flush()
}

// writeOrder writes the n-grams with n−1 spaces between their words, with weights of backing off where longer ones
// follow.
func writeOrder(ctx context.Context, out *bufio.Writer, spaces int, back bool, grams iter.Seq[ngrams.Gram]) error {
	var line []byte
	n := 0
	for x := range grams {
		if n++; n%lookEvery == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if strings.Count(x.Words, " ") != spaces {
			continue
		}
		line = strconv.AppendFloat(line[:0], x.Prob, 'g', -1, 32)
		line = append(append(line, '\t'), x.Words...)
		if back {
			line = strconv.AppendFloat(append(line, '\t'), x.Back, 'g', -1, 32)
		}
		if _, err := out.Write(append(line, '\n')); err != nil {
			return err
		}
	}
	return nil
}
