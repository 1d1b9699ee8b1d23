//go:build !race

package testtime

// Race is whether the race detector watches.
const Race = false

const slowdown = 1
