// Package testtime says how much longer than usual a test must wait for code that it times.
package testtime

import "time"

// Allow returns the time within which code must be done that usually is within d: under the race
// detector, which slows code down 5 to 15 times, it is longer.
func Allow(d time.Duration) time.Duration { return slowdown * d }
