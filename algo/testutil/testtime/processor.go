package testtime

import (
	"syscall"
	"testing"
	"time"
)

// Processor returns the time that this process had processors for, in seconds.
func Processor(tb testing.TB) float64 {
	tb.Helper()
	t, err := processor()
	if err != nil {
		tb.Fatal(err)
	}
	return t.Seconds()
}

func processor() (time.Duration, error) {
	var u syscall.Rusage
	err := syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano()), err
}

// Watch measures how long code computes, also where other processes want the same processors.
type Watch struct {
	start time.Time
	used  time.Duration
}

// Start returns a watch that runs.
func Start() Watch {
	used, _ := processor()
	return Watch{time.Now(), used}
}

// Took returns the time since the start, or what the process had of processors since then if that
// is less. Time in which all of it only waits does not count.
func (w Watch) Took() time.Duration {
	wall := time.Since(w.start)
	used, err := processor()
	if err != nil {
		return wall
	}
	return min(wall, used-w.used)
}
