package lda

import (
	"math"
	"slices"

	"parlance/algo/kind"
)

// Bytes is what the model takes in memory.
func (m *model) Bytes() int64 {
	n := int64(12*len(m.ids) + 12*len(m.documents.topics))
	for _, list := range [][]string{m.words, m.documents.names} {
		for _, w := range list {
			n += int64(len(w)) + 64
		}
	}
	return n
}

// Encode writes words, topics and documents.
func (m *model) Encode(w *kind.Writer) error {
	if err := w.Strings("words", m.words); err != nil {
		return err
	}
	if err := w.Strings("documents", m.documents.names); err != nil {
		return err
	}
	for _, s := range m.integers() {
		if err := w.Uint32s(s.section, *s.v); err != nil {
			return err
		}
	}
	for _, s := range m.numbers() {
		if err := w.Float64s(s.section, *s.v); err != nil {
			return err
		}
	}
	return nil
}

type section[T any] struct {
	section string
	v       *[]T
}

func (m *model) integers() []section[uint32] {
	return []section[uint32]{{"counts", &m.counts}, {"words.start", &m.start}, {"words.topics", &m.ids},
		{"documents.start", &m.documents.start}, {"documents.topics", &m.documents.topics}}
}

func (m *model) numbers() []section[float64] {
	return []section[float64]{{"words.probs", &m.probs}, {"shares", &m.shares},
		{"documents.shares", &m.documents.shares}}
}

// Decode reads what Encode wrote.
func (m *model) Decode(r *kind.Reader) (err error) {
	if m.words, err = r.Strings("words"); err != nil {
		return err
	}
	if m.documents.names, err = r.Strings("documents"); err != nil {
		return err
	}
	for _, s := range m.integers() {
		if *s.v, err = r.Uint32s(s.section); err != nil {
			return err
		}
	}
	for _, s := range m.numbers() {
		if *s.v, err = r.Float64s(s.section); err != nil {
			return err
		}
		if slices.ContainsFunc(*s.v, func(x float64) bool { return !(x >= 0 && x <= 1) || math.IsNaN(x) }) {
			return kind.Corrupt(s.section, "a share is not from 0 to 1")
		}
	}
	if len(m.counts) != len(m.words) {
		return kind.Corrupt("counts", "one a word is wanted")
	}
	if !rows(m.start, len(m.words), len(m.ids)) || len(m.ids) != len(m.probs) {
		return kind.Corrupt("words.start", "rows of topics do not fit the words")
	}
	if d := &m.documents; !rows(d.start, len(d.names), len(d.topics)) || len(d.topics) != len(d.shares) {
		return kind.Corrupt("documents.start", "rows of topics do not fit the documents")
	}
	for _, list := range [][]uint32{m.ids, m.documents.topics} {
		if slices.ContainsFunc(list, func(k uint32) bool { return int(k) >= len(m.shares) }) {
			return kind.Corrupt("shares", "a topic is unknown")
		}
	}
	m.ready()
	return nil
}

// rows reports whether starts rise from 0 to total, one more than n.
func rows(start []uint32, n, total int) bool {
	return len(start) == n+1 && start[0] == 0 && int(start[n]) == total && slices.IsSorted(start)
}
