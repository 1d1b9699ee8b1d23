package draft

import (
	"math/rand/v2"
	"slices"
	"testing"

	"parlance/algo/text"
)

// tokensOf is a layer of tokens that cover [start, end) of a text, with gaps, in sentences of some tokens.
func tokensOf(sent, tok, start, end []int32) *text.Layer {
	l := text.NewLayer(text.Tokens)
	l.N = len(sent)
	l.SetInts("sent", sent)
	l.SetInts("tok", tok)
	l.SetInts("char_start", start)
	l.SetInts("char_end", end)
	return l
}

// TestAlignAgainstDefinition: a row gets the sentence of the first token that it overlaps, that token, and the last one
// of the same sentence that it overlaps. Rows that have a sentence already stay, empty ones get the sentence of the
// token behind them, or of the last one.
func TestAlignAgainstDefinition(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 300 {
		var sent, tok, start, end []int32
		at, s, k := int32(r.IntN(3)), int32(1), int32(1)
		for range r.IntN(7) {
			sent, tok, start = append(sent, s), append(tok, k), append(start, at)
			at += 1 + int32(r.IntN(3))
			end = append(end, at)
			at += int32(r.IntN(3))
			if k++; r.IntN(3) == 0 {
				s, k = s+1, 1
			}
		}
		l := text.NewLayer(text.Entities)
		l.N = 4
		from, to, given := make([]int32, l.N), make([]int32, l.N), make([]int32, l.N)
		for i := range l.N {
			from[i] = int32(r.IntN(int(at) + 2))
			to[i] = from[i] + int32(r.IntN(6))
			if r.IntN(5) == 0 {
				given[i] = 9
			}
		}
		l.SetInts("char_start", from)
		l.SetInts("char_end", to)
		l.SetInts("sent", slices.Clone(given))
		Align(l, tokensOf(sent, tok, start, end))
		for i := range l.N {
			want := [3]int32{given[i]}
			for k := range sent {
				overlaps := start[k] < to[i] && from[i] < end[k]
				switch {
				case given[i] != 0:
				case from[i] == to[i]:
					if want[0] == 0 && (end[k] > from[i] || k == len(sent)-1) {
						want[0] = sent[k]
					}
				case overlaps && want[0] == 0:
					want = [3]int32{sent[k], tok[k], tok[k]}
				case overlaps && sent[k] == want[0]:
					want[2] = tok[k]
				}
			}
			got := [3]int32{l.Ints("sent")[i]}
			if first := l.Ints("tok_start"); first != nil {
				got[1], got[2] = first[i], l.Ints("tok_end")[i]
			}
			if got != want {
				t.Fatalf("row %d, [%d, %d) with sentence %d, is aligned to %v, want %v; tokens %v %v %v %v", i, from[i],
					to[i], given[i], got, want, sent, tok, start, end)
			}
		}
	}
}

// TestAlignRelations: a relation gets the sentence of its subject.
func TestAlignRelations(t *testing.T) {
	l := text.NewLayer(text.Relations)
	l.N = 2
	l.SetInts("subject_start", []int32{4, 0})
	l.SetInts("subject_end", []int32{6, 2})
	l.SetInts("object_start", []int32{0, 4})
	l.SetInts("object_end", []int32{2, 6})
	Align(l, tokensOf([]int32{1, 2}, []int32{1, 1}, []int32{0, 4}, []int32{2, 6}))
	if got := l.Ints("sent"); !slices.Equal(got, []int32{2, 1}) {
		t.Errorf("sentences %v", got)
	}
	without := text.NewLayer(text.Labels)
	without.N = 1
	Align(without, tokensOf([]int32{1}, []int32{1}, []int32{0}, []int32{2})) // has no offsets
}
