//go:build race

package testtime

// Race is whether the race detector watches.
const Race = true

const slowdown = 15
