package hiddenreranker

import "strings"

// piece is a part of what a feature says: by its hash, and by its name where names are wanted.
type piece struct {
	hash uint64
	name string
}

// mix joins two hashes; the order counts.
func mix(a, b uint64) uint64 {
	x := (a ^ b>>29 ^ b<<35) * 0x9E3779B97F4A7C15
	x ^= x >> 32
	return (x + b) * 0xD6E8FEB86659FD93
}

// hashOf is FNV-1a.
func hashOf(s string) uint64 {
	h := uint64(14695981039346656037)
	for i := range len(s) {
		h = (h ^ uint64(s[i])) * 1099511628211
	}
	return h
}

func word(s string) piece { return piece{hashOf(s), s} }

// join makes one piece of several; between stands between their names.
func (x *reader) join(between string, parts ...piece) piece {
	h := uint64(len(parts))
	for _, p := range parts {
		h = mix(h, p.hash)
	}
	if !x.naming {
		return piece{hash: h}
	}
	names := make([]string, len(parts))
	for i, p := range parts {
		names[i] = p.name
	}
	return piece{h, strings.Join(names, between)}
}
