package similarity

import (
	"context"
	"fmt"
	"strconv"

	"parlance/algo/kind"
	"parlance/algo/lexical"
	"parlance/algo/lexical/cooccurrence"
	"parlance/algo/text"
)

// classCounts makes the classes of the words their contexts: P(c|w)/s of each of s models. The
// divergence of two such rows is the mean of those by the single models. Words that a model does not
// know have no row.
func (m *model) classCounts(ctx context.Context, t *kind.Training, words []string) (*cooccurrence.Matrix, error) {
	out := &cooccurrence.Matrix{Words: words, Rows: &cooccurrence.Index{Start: make([]int, len(words)+1)}}
	var models []lexical.Classes
	var first []uint32 // number of the first class of each model
	for _, name := range m.opt.classes {
		found, err := t.Resources.Model(name)
		if err != nil {
			return nil, err
		}
		c, ok := found.Model.(lexical.Classes)
		if !ok {
			return nil, fmt.Errorf("option classes: %s has no latent classes; a model of the kind latent_classes is wanted",
				name)
		}
		models, first = append(models, c), append(first, uint32(len(out.Contexts)))
		for k := range c.ClassCount() {
			out.Contexts = append(out.Contexts, name+":"+strconv.Itoa(k+1))
		}
	}
	unknown := 0
	for i, w := range words {
		if i&1023 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		n := len(out.Rows.IDs)
		for k, c := range models {
			ids, probs := c.ClassesOf(w)
			if len(ids) == 0 {
				out.Rows.IDs, out.Rows.Counts = out.Rows.IDs[:n], out.Rows.Counts[:n]
				unknown++
				break
			}
			for j, id := range ids {
				out.Rows.IDs, out.Rows.Counts = append(out.Rows.IDs, first[k]+id),
					append(out.Rows.Counts, probs[j]/float64(len(models)))
			}
		}
		out.Rows.Start[i+1] = len(out.Rows.IDs)
	}
	if unknown > 0 {
		t.Notice(text.Countf("%d of %d {word is|words are} in no class and similar to none", unknown, len(words)))
	}
	if len(out.Rows.IDs) == 0 {
		return nil, fmt.Errorf("%w: none of the words is in a class", kind.ErrNoData)
	}
	out.Ready()
	return out, nil
}
