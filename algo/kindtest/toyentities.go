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

// EntitiesKind clusters records across documents: those that share a word, directly or over others, are one entity. Its
// state is the model. Records are documents, and rows of a table AS records.
func EntitiesKind() kind.Kind {
	return kind.Kind{Name: "same_words", Doc: "clusters records that share words; entities lists the clusters",
		Revision: 1, Starts: true,
		New: func() kind.Model { return &entities{} }}
}

// entities is the state: each record with the least record that it is known to be the same as.
type entities struct {
	kind.Base
	rounds  int // at most
	done    int
	records []string // ids
	words   []string // of the records, separated by blanks
	same    []uint32
}

var (
	recordTable = kind.TableUse{Name: "records", Doc: "records", Columns: []kind.Column{{Name: "id", Type: value.Text},
		{Name: "text", Type: value.Text}}}
	entityRows = kind.Relation{Name: "entities",
		Doc:     "records with the entity that they are, which has the name of its first record",
		Columns: []kind.Column{{Name: "entity", Type: value.Text}, {Name: "record", Type: value.Text}}}
	memberRows = kind.Relation{Name: "members", Doc: "records of the entity that a record is",
		Columns: entityRows.Columns[1:],
		Args:    []kind.Arg{{Name: "record", Type: value.Text}}}
)

func (m *entities) Options(s *option.Set) {
	s.Int(&m.rounds, "rounds", 100, 1, 1000000, "rounds at most")
}

func (m *entities) Schema() kind.Schema {
	forms := []kind.LayerUse{{Layer: "tokens", Columns: []string{"form"}}}
	return kind.Schema{Reads: forms, Learns: forms, Relations: []kind.Relation{entityRows, memberRows},
		Roles: []kind.Role{{Name: "records", Doc: "further records", Tables: []kind.TableUse{recordTable},
			Optional: true, Train: true}}}
}

// Train reads the records that the state does not have, then lowers what records are the same as, round by round.
func (m *entities) Train(ctx context.Context, t *kind.Training) error {
	switch init, ok := t.Init.(*entities); {
	case t.Resume != nil:
		if err := m.Decode(t.Resume); err != nil {
			return err
		}
	case ok:
		m.records, m.words, m.same = slices.Clone(init.records), slices.Clone(init.words), slices.Clone(init.same)
		fallthrough
	default:
		if err := m.read(ctx, t); err != nil {
			return err
		}
	}
	for changed := true; changed && m.done < m.rounds; {
		if err := ctx.Err(); err != nil {
			return err
		}
		if m.done > 0 && t.Save != nil {
			if err := t.Save(m.Encode); err != nil {
				return err
			}
		}
		changed = m.round()
		m.done++
		t.Report(kind.Progress{Step: m.done, Of: m.rounds, Objective: float64(m.count()), HeldOut: math.NaN()})
	}
	return nil
}

// read adds records that are not known.
func (m *entities) read(ctx context.Context, t *kind.Training) error {
	known := map[string]bool{}
	for _, id := range m.records {
		known[id] = true
	}
	add := func(id string, words []string) {
		if !known[id] {
			known[id] = true
			m.same = append(m.same, uint32(len(m.records)))
			m.records, m.words = append(m.records, id), append(m.words, strings.Join(words, " "))
		}
	}
	for d, err := range t.On.Documents(ctx) {
		if err != nil {
			return err
		}
		if l := d.Layer("tokens"); l != nil {
			add(d.ID, l.Strs("form"))
		}
	}
	if in := t.Roles["records"]; in != nil {
		table, _ := in.Table("records")
		for row, err := range table.Rows(ctx) {
			if err != nil {
				return err
			}
			add(row[0].S, strings.Fields(row[1].S))
		}
	}
	if len(m.records) == 0 {
		return fmt.Errorf("%w: there are no records", kind.ErrNoData)
	}
	return nil
}

// round makes each record the same as the least that one of its words has met, and reports whether any has changed.
func (m *entities) round() (changed bool) {
	least := map[string]uint32{}
	for i, words := range m.words {
		for _, w := range strings.Fields(words) {
			if x, ok := least[w]; !ok || m.same[i] < x {
				least[w] = m.same[i]
			}
		}
	}
	for i, words := range m.words {
		for _, w := range strings.Fields(words) {
			if least[w] < m.same[i] {
				m.same[i], changed = least[w], true
			}
		}
	}
	return changed
}

// count is the number of entities.
func (m *entities) count() (n int) {
	for i, x := range m.same {
		if int(x) == i {
			n++
		}
	}
	return n
}

// Open lists records with their entities, or those of one.
func (m *entities) Open(_ context.Context, relation string, args []value.Value, _ *kind.Run) (kind.Rows, error) {
	switch relation {
	case entityRows.Name:
		return kind.RowsOf(entityRows, func(yield func([]value.Value) bool) {
			for i, x := range m.same {
				if !yield([]value.Value{value.Str(m.records[x]), value.Str(m.records[i])}) {
					return
				}
			}
		}), nil
	case memberRows.Name:
		at := slices.Index(m.records, args[0].S)
		if at < 0 {
			return nil, &kind.Unknown{What: "record", Name: args[0].S, Known: m.records}
		}
		return kind.RowsOf(memberRows, func(yield func([]value.Value) bool) {
			for i, x := range m.same {
				if x == m.same[at] && !yield([]value.Value{value.Str(m.records[i])}) {
					return
				}
			}
		}), nil
	}
	return nil, kind.ErrNoRelation
}

// Encode writes the state, which is a checkpoint as well.
func (m *entities) Encode(w *kind.Writer) error {
	if err := w.JSON("done", m.done); err != nil {
		return err
	}
	if err := w.Strings("records", m.records); err != nil {
		return err
	}
	if err := w.Strings("words", m.words); err != nil {
		return err
	}
	return w.Uint32s("same", m.same)
}

// Decode reads the state.
func (m *entities) Decode(r *kind.Reader) (err error) {
	if err = r.JSON("done", &m.done); err != nil {
		return err
	}
	if m.records, err = r.Strings("records"); err != nil {
		return err
	}
	if m.words, err = r.Strings("words"); err != nil {
		return err
	}
	if m.same, err = r.Uint32s("same"); err != nil {
		return err
	}
	if len(m.words) != len(m.records) || len(m.same) != len(m.records) {
		return kind.Corrupt("same", "one a record is wanted")
	}
	for i, x := range m.same {
		if int(x) > i {
			return kind.Corrupt("same", "a record is the same as a later one")
		}
	}
	return nil
}

// Annotate writes nothing.
func (m *entities) Annotate(ctx context.Context, _ []*text.Document, _ *kind.Run) error {
	return ctx.Err()
}
