package kindtest

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"parlance/algo/kind"
	"parlance/algo/option"
	"parlance/algo/text"
)

// NamesKind finds the mentions that it has learned; what has the same words is the same, in all documents of a group.
func NamesKind() kind.Kind {
	return kind.Kind{Name: "same_names", Doc: "mentions of names; equal names are one cluster, across the documents of " +
		"a group",
		Revision: 1, New: func() kind.Model { return &names{} }}
}

type names struct {
	kind.Base
	group string
	known []string // words of mentions, with blanks between, in order
	most  int      // words of the longest
}

func (m *names) Options(s *option.Set) {
	s.Text(&m.group, "group", "topic", "column of the groups")
}

func (m *names) Schema() kind.Schema {
	use := []kind.LayerUse{{Layer: "mentions"}}
	return kind.Schema{Unit: kind.PerGroup, Group: m.group,
		Reads:  []kind.LayerUse{{Layer: "tokens", Columns: []string{"form"}}},
		Learns: use, Writes: use, Prob: kind.Marginal}
}

// Train remembers the words of mentions.
func (m *names) Train(ctx context.Context, t *kind.Training) error {
	for d, err := range t.On.Documents(ctx) {
		if err != nil {
			return err
		}
		l, toks := d.Layer("mentions"), d.Layer("tokens")
		if l == nil || toks == nil {
			continue
		}
		bounds := d.SentenceTokens()
		for i := range l.N {
			from := bounds[l.Ints("sent")[i]-1]
			m.known = append(m.known,
				strings.Join(toks.Strs("form")[from+l.Ints("tok_start")[i]-1:from+l.Ints("tok_end")[i]], " "))
		}
	}
	if len(m.known) == 0 {
		return fmt.Errorf("%w: the documents have no mentions", kind.ErrNoData)
	}
	slices.Sort(m.known)
	m.known = slices.Compact(m.known)
	m.ready()
	return nil
}

func (m *names) ready() {
	for _, k := range m.known {
		m.most = max(m.most, strings.Count(k, " ")+1)
	}
}

// Annotate finds the longest names from the left.
func (m *names) Annotate(ctx context.Context, docs []*text.Document, r *kind.Run) error {
	for _, d := range docs {
		if err := ctx.Err(); err != nil {
			return err
		}
		var spans []text.Span
		for s := range d.Sentences() {
			forms := d.Layer("tokens").Strs("form")[s.From:s.To]
			for i := 0; i < len(forms); i++ {
				for n := min(m.most, len(forms)-i); n > 0; n-- {
					name := strings.Join(forms[i:i+n], " ")
					if _, ok := slices.BinarySearch(m.known, name); ok {
						spans = append(spans, text.Span{Sent: int32(s.Number), First: int32(i + 1), Last: int32(i + n), Label: name})
						i += n - 1
						break
					}
				}
			}
		}
		l := mentionLayer(d, spans)
		if r.Prob {
			l.Prob = slices.Repeat([]float64{1}, l.N)
		}
		d.SetLayer(l)
	}
	return nil
}

// mentionLayer makes mentions of spans, whose labels are the clusters.
func mentionLayer(d *text.Document, spans []text.Span) *text.Layer {
	l := text.NewLayer(text.Mentions)
	l.N = len(spans)
	bounds := d.SentenceTokens()
	column := func(name string, of func(i int, s text.Span) int32) {
		list := make([]int32, len(spans))
		for i, s := range spans {
			list[i] = of(i, s)
		}
		l.Cols[l.Def.Index(name)].Ints = list
	}
	offset := func(name string, s text.Span, tok int32) int32 {
		return d.Layer("tokens").Ints(name)[bounds[s.Sent-1]+tok-1]
	}
	column("mention", func(i int, _ text.Span) int32 { return int32(i + 1) })
	column("sent", func(_ int, s text.Span) int32 { return s.Sent })
	column("char_start", func(_ int, s text.Span) int32 { return offset("char_start", s, s.First) })
	column("char_end", func(_ int, s text.Span) int32 { return offset("char_end", s, s.Last) })
	column("tok_start", func(_ int, s text.Span) int32 { return s.First })
	column("tok_end", func(_ int, s text.Span) int32 { return s.Last })
	clusters := make([]string, len(spans))
	for i, s := range spans {
		clusters[i] = s.Label
	}
	l.SetStrs("cluster", clusters)
	return l
}

// Mentioned gives documents of Sample gold mentions: their entities, of which those with the same words are the same.
func Mentioned(docs []*text.Document) []*text.Document {
	out := views(docs)
	for _, d := range out {
		spans, bounds, forms := d.Layer("entities").Spans(), d.SentenceTokens(), d.Layer("tokens").Strs("form")
		for i, s := range spans {
			from := bounds[s.Sent-1]
			spans[i].Label = strings.Join(forms[from+s.First-1:from+s.Last], " ")
		}
		d.SetLayer(mentionLayer(d, spans))
	}
	return out
}

func (m *names) Encode(w *kind.Writer) error { return w.Strings("names", m.known) }

func (m *names) Decode(r *kind.Reader) (err error) {
	if m.known, err = r.Strings("names"); err != nil {
		return err
	}
	if !slices.IsSorted(m.known) {
		return kind.Corrupt("names", "are out of order")
	}
	m.ready()
	return nil
}
