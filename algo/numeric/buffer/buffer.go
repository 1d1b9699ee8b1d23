// Package buffer has slices that are used again for work of another size.
package buffer

// Resize returns a slice of n elements: s where its capacity holds them, else a new one with room for half as many
// more. Elements are not cleared.
func Resize[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n, n+n/2)
	}
	return s[:n]
}

// Zeros is Resize with all elements 0.
func Zeros[T int32 | float64](s []T, n int) []T {
	s = Resize(s, n)
	clear(s)
	return s
}
