// Package svmtagger is the kind of taggers by support vector machines that go from left to right
// with the labels before as features (Kudo and Matsumoto 2001), with the class of tokens outside
// of entities split by a column (Kazama, Makino, Ohta and Tsujii 2002).
package svmtagger

import (
	"context"
	"math"
	"slices"

	"parlance/algo/classify/svm/reduction"
	"parlance/algo/feature"
	"parlance/algo/kind"
	"parlance/algo/option"
	"parlance/algo/seq/bio"
	"parlance/algo/seq/tagger"
	"parlance/algo/text"
	"parlance/storage/value"
)

// Kind declares the kind.
func Kind() kind.Kind {
	return kind.Kind{
		Name:     "svm_tagger",
		Learns:   "spans, columns by kernel machines",
		Figures:  "F1 93.6",
		Revision: 2,
		Doc:      "support vector machines that label tokens from left to right, with the labels before as features",
		Paper:    "Kudo and Matsumoto 2001; Kazama, Makino, Ohta and Tsujii 2002",
		New:      func() kind.Model { return &model{} },
	}
}

type model struct {
	kind.Base
	reduction.Trained                // labels are classes: O in parts where it is split
	joint             *feature.Joint // nil where no template reads labels
	opt               struct {
		tagger.Task
		reduction.Settings
		splitO, orphan string
		partMachines   bool
	}
	pool pool
}

// Options declares the options.
func (m *model) Options(s *option.Set) {
	o := &m.opt
	o.History, o.Task.Scheme = true, string(bio.BIO)
	o.DeclareTask(s, tagger.TaskDoc{Layer: "entities", What: tagger.Tokens, Features: "bioner",
		Doc: "feature set or templates of tokens, which may read label[-1] and label[-2]"})
	s.Text(&o.splitO, "split_o", "none", "splits the class O by a column of tokens: pos (which is xpos), lemma, upos, "+
		"xpos or feats; none leaves it. More machines are trained, each on fewer tokens")
	s.Bool(&o.partMachines, "part_machines", false, "with split_o and multiclass = 'pairwise', trains machines between "+
		"the parts of O too, whose parts are then labels of the tokens before: as in the paper, and several times slower. "+
		"Without, parts meet the labels of entities only, and a part counts as winner over the others")
	s.Choice(&o.orphan, "orphan_i", "ignore", []string{"ignore", "open"}, "an I- after O or at the start of a sentence "+
		"begins no span, or one").In(option.Predict)
	o.Declare(s, reduction.Defaults{Kernel: "poly", Gamma: 0.01, Coef0: 1})
	s.Int(&o.MinCount, "min_count", 1, 1, math.MaxInt32, "attributes on fewer tokens are dropped")
	s.Check("split_o", m.checkSplit)
	s.Check("part_machines", m.checkParts)
}

// Schema tells what is read, learned and written. The column that splits O is read to learn alone.
func (m *model) Schema() kind.Schema {
	s := m.opt.Schema(m.opt.Prob(m.opt.Spans()), false, m.opt.Relation())
	if c := m.split(); c != "" && len(s.Reads) > 0 && !slices.Contains(s.Reads[0].Columns, c) {
		s.Reads[0].Columns = append(s.Reads[0].Columns, c)
	}
	return s
}

// Open opens the weights, or the support vectors.
func (m *model) Open(_ context.Context, relation string, _ []value.Value, _ *kind.Run) (kind.Rows, error) {
	return m.Trained.Open(relation, m.name)
}

// attributes is the number of columns without the bias.
func (m *model) attributes() int {
	if m.joint != nil {
		return m.joint.Attributes()
	}
	return m.Alphabet.Len()
}

// name is a column as text, the bias last.
func (m *model) name(column uint32) string {
	switch {
	case int(column) >= m.attributes():
		return "bias"
	case m.joint != nil:
		return m.joint.Name(column, m.pool.before)
	}
	return m.Alphabet.Name(column)
}

// Bytes is what the model takes in memory.
func (m *model) Bytes() int64 {
	n := m.Trained.Bytes()
	if m.joint != nil {
		n += m.joint.Bytes()
	}
	return n
}

// Encode writes what was learned, and attributes that labels take part in.
func (m *model) Encode(w *kind.Writer) error {
	if err := m.Trained.Encode(w); err != nil || m.joint == nil {
		return err
	}
	return m.joint.Encode(w)
}

// Decode reads what Encode wrote.
func (m *model) Decode(r *kind.Reader) (err error) {
	if m.Trained, err = reduction.DecodeTrained(r); err != nil {
		return err
	}
	set := m.Alphabet.Set()
	if set.Document() {
		return kind.Corrupt("features", "describes documents")
	}
	if l, _ := outcomes(m.Labels); m.Machines.Label != nil && !slices.Equal(l, m.Machines.Label) {
		return kind.Corrupt("labels", "and machines differ in which classes are parts of O")
	}
	if set.History() != 0 {
		if m.joint, err = feature.DecodeJoint(m.Alphabet, len(m.before()), r); err != nil {
			return err
		}
	}
	if err := m.Fits(m.attributes()); err != nil {
		return err
	}
	return m.ready()
}

// spans appends the spans that labels write: B-C opens one of type C, which goes on over every I-
// whatever its type until the next B- or O (Kazama et al. 2002, section 2.1). open lets an I- after
// O open one too.
func spans(dst []text.Span, sent int32, labels []string, open bool) []text.Span {
	inside := false
	for i, l := range labels {
		mark, what := bio.Split(l)
		tok := int32(i + 1)
		switch {
		case mark == bio.Outside:
			inside = false
		case mark == "I" && inside:
			dst[len(dst)-1].Last = tok
		case mark == "B" || open:
			dst = append(dst, text.Span{Sent: sent, First: tok, Last: tok, Label: what})
			inside = true
		}
	}
	return dst
}
