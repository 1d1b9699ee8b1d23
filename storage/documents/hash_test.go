package documents

import (
	"crypto/sha256"
	"encoding/binary"
	"strings"
	"testing"

	"parlance/algo/text"
)

// TestHashOfLongDocument compares hashes of documents of some lengths with that of all their bytes at once.
func TestHashOfLongDocument(t *testing.T) {
	for _, n := range []int{1, hashedBytes/4 - 1, hashedBytes / 4, hashedBytes + 1, 3 * hashedBytes} {
		d := &text.Document{ID: "d"}
		d.Text = strings.Repeat("x", n) + "y"
		l := text.NewLayer(text.Tokens)
		l.N = n
		d.Layers = []*text.Layer{l}
		want := appendString(appendString(nil, d.ID), d.Text)
		want = binary.AppendUvarint(appendString(want, "tokens"), uint64(n))
		for c := range l.Def.Columns {
			switch col := l.Def.Columns[c]; {
			case col.Role == text.Form:
				l.Cols[c].Strs = make([]string, n)
				want = append(want, byte(c))
				for i := range n {
					l.Cols[c].Strs[i] = d.Text[:1+i%3*hashedBytes/n]
					want = appendString(binary.AppendUvarint(want, uint64(i)), l.Cols[c].Strs[i])
				}
			case col.Stored():
				want = append(want, byte(c))
				if c < 2 {
					l.Cols[c].Ints = make([]int32, n)
					for i := range n {
						l.Cols[c].Ints[i] = int32(i)
						want = binary.LittleEndian.AppendUint32(want, uint32(i))
					}
				}
			}
		}
		d.Fields = nil
		sum := sha256.Sum256(want)
		if got, buf := DocumentHash(d, nil); got != [16]byte(sum[:16]) {
			t.Errorf("%d tokens: another hash than that of all bytes", n)
		} else if len(buf) > 2*hashedBytes {
			t.Errorf("%d tokens: %d bytes wait", n, len(buf))
		}
	}
}
