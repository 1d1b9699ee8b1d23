package repl

import (
	"os"
	"runtime"
	"runtime/debug"
)

// Memory that the garbage collector counts as used and nothing ever touches, so that it costs address space alone:
// garbage is collected each time it has grown by a share of it and not of the few MB in use, which for a short command
// is dozens of times. A limit of memory counts it.
const (
	reservedByServer  = 64 << 20
	reservedByCommand = 24 << 20
)

// reserve sets the garbage collector up until what it returns is called: a collection comes when the memory in use and
// the reserved one have grown by a percentage. The variable GOGC goes before the percentage.
func reserve(bytes, percent int) func() {
	before := -1
	if os.Getenv("GOGC") == "" {
		before = debug.SetGCPercent(percent)
	}
	b := make([]byte, 1+min(int64(bytes), debug.SetMemoryLimit(-1)/8))
	return func() {
		runtime.KeepAlive(&b[0])
		if before >= 0 {
			debug.SetGCPercent(before)
		}
	}
}
