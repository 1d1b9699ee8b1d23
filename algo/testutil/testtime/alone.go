package testtime

import "testing"

// Alone skips a test of code that starts no goroutine where a short run with the race detector would
// only be slow: there is nothing to detect.
func Alone(tb testing.TB) {
	tb.Helper()
	if Race && testing.Short() {
		tb.Skip("one goroutine: left out by -short with the race detector")
	}
}
