package kindtest

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"parlance/algo/kind"
	"parlance/algo/option"
	"parlance/algo/text"
	"parlance/storage/value"
)

// RolesKind labels documents by the words of rules, a table that TRAIN and EVALUATE take AS rules. Words of rules are
// counted in labelled documents and in those AS unlabelled.
func RolesKind() kind.Kind {
	return kind.Kind{Name: "ruled", Doc: "labels documents by rules; words(word) tells where words of rules stand",
		Revision: 1, New: func() kind.Model { return &ruled{} }}
}

type ruled struct {
	kind.Base
	words, labels        []string
	labelled, unlabelled []uint32
}

var (
	ruleTable = kind.TableUse{Name: "rules", Doc: "words and their labels",
		Columns: []kind.Column{{Name: "word", Type: value.Text}, {Name: "label", Type: value.Text}}}
	ruledWords = kind.Relation{Name: "words", Doc: "words of rules, in how many documents they stand",
		Columns: []kind.Column{
			{Name: "word", Type: value.Text}, {Name: "label", Type: value.Text}, {Name: "labelled", Type: value.Integer},
			{Name: "unlabelled", Type: value.Integer}}}
)

func (m *ruled) Options(*option.Set) {}

func (m *ruled) Schema() kind.Schema {
	forms := []kind.LayerUse{{Layer: "tokens", Columns: []string{"form"}}}
	return kind.Schema{Reads: forms, Learns: []kind.LayerUse{{Layer: "labels"}},
		Writes: []kind.LayerUse{{Layer: "labels"}}, Prob: kind.Score, Relations: []kind.Relation{ruledWords},
		Roles: []kind.Role{
			{Name: "unlabelled", Doc: "documents without labels", Reads: forms, Optional: true, Train: true},
			{Name: "rules", Doc: "rules", Tables: []kind.TableUse{ruleTable}, Train: true, Evaluate: true}}}
}

// eachRule reads rules.
func eachRule(ctx context.Context, in kind.Input, use func(word, label string)) error {
	t, ok := in.Table("rules")
	if !ok {
		return nil
	}
	for row, err := range t.Rows(ctx) {
		if err != nil {
			return err
		}
		use(row[0].S, row[1].S)
	}
	return nil
}

func (m *ruled) Train(ctx context.Context, t *kind.Training) error {
	err := eachRule(ctx, t.Roles["rules"], func(word, label string) {
		m.words, m.labels = append(m.words, word), append(m.labels, label)
	})
	if err != nil {
		return err
	}
	n := 0
	if m.labelled, err = m.count(ctx, t.On, &n); err != nil {
		return err
	}
	if n == 0 {
		return fmt.Errorf("%w: there are no documents", kind.ErrNoData)
	}
	if raw := t.Roles["unlabelled"]; raw != nil {
		m.unlabelled, err = m.count(ctx, raw, &n)
		return err
	}
	m.unlabelled = make([]uint32, len(m.words))
	return nil
}

// count is in how many documents each word stands.
func (m *ruled) count(ctx context.Context, in kind.Input, n *int) ([]uint32, error) {
	out := make([]uint32, len(m.words))
	for d, err := range in.Documents(ctx) {
		if err != nil {
			return nil, err
		}
		*n++
		for i, w := range m.words {
			if l := d.Layer("tokens"); l != nil && slices.Contains(l.Strs("form"), w) {
				out[i]++
			}
		}
	}
	return out, nil
}

func (m *ruled) Annotate(ctx context.Context, docs []*text.Document, r *kind.Run) error {
	words, labels := m.words, m.labels
	if in := r.Roles["rules"]; in != nil {
		words, labels = nil, nil
		if err := eachRule(ctx, in, func(w, l string) { words, labels = append(words, w), append(labels, l) }); err != nil {
			return err
		}
	}
	for _, d := range docs {
		name := "none"
		for i, w := range words {
			if l := d.Layer("tokens"); l != nil && slices.Contains(l.Strs("form"), w) {
				name = labels[i]
			}
		}
		label(d, name, r.Prob)
	}
	return ctx.Err()
}

// Open lists the words of rules.
func (m *ruled) Open(_ context.Context, relation string, _ []value.Value, _ *kind.Run) (kind.Rows, error) {
	if relation != ruledWords.Name {
		return nil, kind.ErrNoRelation
	}
	var rows [][]value.Value
	for i := range m.words {
		rows = append(rows, []value.Value{value.Str(m.words[i]), value.Str(m.labels[i]), value.Int(int64(m.labelled[i])),
			value.Int(int64(m.unlabelled[i]))})
	}
	return kind.RowsOf(ruledWords, slices.Values(rows)), nil
}

func (m *ruled) Encode(w *kind.Writer) error {
	for _, s := range []struct {
		name string
		list []string
	}{{"words", m.words}, {"labels", m.labels}} {
		if err := w.Strings(s.name, s.list); err != nil {
			return err
		}
	}
	if err := w.Uint32s("labelled", m.labelled); err != nil {
		return err
	}
	return w.Uint32s("unlabelled", m.unlabelled)
}

func (m *ruled) Decode(r *kind.Reader) (err error) {
	if m.words, err = r.Strings("words"); err != nil {
		return err
	}
	if m.labels, err = r.Strings("labels"); err != nil {
		return err
	}
	if m.labelled, err = r.Uint32s("labelled"); err != nil {
		return err
	}
	if m.unlabelled, err = r.Uint32s("unlabelled"); err != nil {
		return err
	}
	if n := len(m.words); len(m.labels) != n || len(m.labelled) != n || len(m.unlabelled) != n {
		return kind.Corrupt("words", "one of each a word is wanted")
	}
	return nil
}

// RankedKind labels documents by the two best trees of their first sentences, with the probabilities of the trees:
// those of a model, or those that ANNOTATE has stored, whose layer the option trees names. It keeps what it was trained
// on.
func RankedKind() kind.Kind {
	return kind.Kind{Name: "tree_votes", Doc: "labels documents by the two best trees that it is given", Revision: 1,
		New: func() kind.Model { return &treeVotes{} }}
}

type treeVotes struct {
	kind.Base
	layer string
	seen  []string
}

func (m *treeVotes) Options(s *option.Set) {
	s.Layer(&m.layer, "trees", "dependencies", "layer of trees, or stored predictions of trees")
}

func (m *treeVotes) Schema() kind.Schema {
	return kind.Schema{Reads: []kind.LayerUse{{Layer: m.layer, NBest: 2, Prob: true}},
		Writes: []kind.LayerUse{{Layer: "labels"}}, Prob: kind.Score,
		Relations: []kind.Relation{{Name: "inputs", Doc: "what was learned from",
			Columns: []kind.Column{{Name: "line", Type: value.Text}}}}}
}

// trees shows the first heads of a document by rank, with their probability.
func (m *treeVotes) trees(d *text.Document) string {
	l := d.Layer(m.layer)
	if l == nil || l.N == 0 {
		return "no tree"
	}
	var parts []string
	for rank := int32(1); ; rank++ {
		i := slices.Index(l.Rank, rank)
		if i < 0 {
			return strings.Join(parts, " ")
		}
		p := "?"
		if !math.IsNaN(l.Prob[i]) {
			p = fmt.Sprint(l.Prob[i])
		}
		parts = append(parts, fmt.Sprintf("%d:%s", l.Ints("head")[i], p))
	}
}

func (m *treeVotes) Train(ctx context.Context, t *kind.Training) error {
	for d, err := range t.On.Documents(ctx) {
		if err != nil {
			return err
		}
		m.seen = append(m.seen, d.ID+" "+m.trees(d))
	}
	return nil
}

func (m *treeVotes) Annotate(ctx context.Context, docs []*text.Document, r *kind.Run) error {
	for _, d := range docs {
		label(d, m.trees(d), r.Prob)
	}
	return ctx.Err()
}

// Open lists what was learned from.
func (m *treeVotes) Open(_ context.Context, relation string, _ []value.Value, _ *kind.Run) (kind.Rows, error) {
	if relation != "inputs" {
		return nil, kind.ErrNoRelation
	}
	var rows [][]value.Value
	for _, s := range m.seen {
		rows = append(rows, []value.Value{value.Str(s)})
	}
	return kind.RowsOf(m.Schema().Relations[0], slices.Values(rows)), nil
}

func (m *treeVotes) Encode(w *kind.Writer) error { return w.Strings("seen", m.seen) }

func (m *treeVotes) Decode(r *kind.Reader) (err error) {
	m.seen, err = r.Strings("seen")
	return err
}

// FieldsKind labels documents by their metadata: the genre and in how many learned documents it was seen.
func FieldsKind() kind.Kind {
	return kind.Kind{Name: "genres", Doc: "labels documents by the column genre", Revision: 1,
		New: func() kind.Model { return &genres{} }}
}

type genres struct {
	kind.Base
	seen []string
}

func (m *genres) Options(*option.Set) {}

func (m *genres) Schema() kind.Schema {
	return kind.Schema{Writes: []kind.LayerUse{{Layer: "labels"}}, Prob: kind.Score, Fields: []string{"genre"}}
}

func (m *genres) Train(ctx context.Context, t *kind.Training) error {
	for d, err := range t.On.Documents(ctx) {
		if err != nil {
			return err
		}
		m.seen = append(m.seen, d.Field("genre").String())
	}
	return nil
}

func (m *genres) Annotate(ctx context.Context, docs []*text.Document, r *kind.Run) error {
	for _, d := range docs {
		n, g := 0, d.Field("genre").String()
		for _, s := range m.seen {
			if s == g {
				n++
			}
		}
		label(d, fmt.Sprintf("%s, seen %d times", g, n), r.Prob)
	}
	return ctx.Err()
}

func (m *genres) Encode(w *kind.Writer) error { return w.Strings("seen", m.seen) }

func (m *genres) Decode(r *kind.Reader) (err error) {
	m.seen, err = r.Strings("seen")
	return err
}
