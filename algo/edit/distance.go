// Package edit compares sequences by the edits that turn one into the other.
package edit

import "context"

// Levenshtein returns the least number of insertions, deletions and replacements, in
// O(len(a)·len(b)) time and O(len(b)) memory. It ends with its context.
func Levenshtein[T comparable](ctx context.Context, a, b []T) (int, error) {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	rows := max(1, 1<<20/(len(b)+1)) // between two looks at the context
	for i := 1; i <= len(a); i++ {
		if i%rows == 0 && ctx.Err() != nil {
			return 0, ctx.Err()
		}
		diag := row[0]
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := diag
			if a[i-1] != b[j-1] {
				cost++
			}
			diag = row[j]
			row[j] = min(cost, row[j]+1, row[j-1]+1)
		}
	}
	return row[len(b)], nil
}

// Damerau also counts the exchange of two neighbours as one edit, where nothing between them is
// edited again (optimal string alignment).
func Damerau[T comparable](a, b []T) int {
	before, above, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range above {
		above[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := above[j-1]
			if a[i-1] != b[j-1] {
				cost++
			}
			row[j] = min(above[j]+1, row[j-1]+1, cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, above, row = above, row, before
	}
	return above[len(b)]
}
