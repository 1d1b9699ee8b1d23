package tokenizer

import (
	"iter"
	"maps"
	"slices"
	"strings"

	"parlance/storage/value"
)

// rows are the chunks with a prefix, in order.
func (d dictionary) rows(prefix string) iter.Seq[[]value.Value] {
	return func(yield func([]value.Value) bool) {
		for _, chunk := range slices.Sorted(maps.Keys(d)) {
			if !strings.HasPrefix(chunk, prefix) {
				continue
			}
			k := d[chunk]
			var tokens []string
			k.cuts.cut(0, func(s span) { tokens = append(tokens, chunk[s.from:s.to]) })
			if !yield([]value.Value{value.Str(chunk), value.Str(strings.Join(tokens, " ")), value.Int(int64(k.count)),
				value.Int(int64(k.total))}) {
				return
			}
		}
	}
}
