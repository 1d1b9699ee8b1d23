package repl

import (
	"io/fs"
	"log/slog"
	"math"
	"os"
	"path"
	"runtime/debug"
	"strconv"
	"strings"
)

// limitMemory makes the garbage collector keep the process within four fifths of what its control group may use, unless
// GOMEMLIMIT says something, until what it returns is called. The rest is for pages of the file and for other
// processes.
func limitMemory(root fs.FS, log *slog.Logger) func() {
	limit := groupMemory(root)
	if os.Getenv("GOMEMLIMIT") != "" || limit == 0 {
		return func() {}
	}
	most := limit / 5 * 4
	log.Info("memory is limited", "control_group", limit, "limit", most)
	before := debug.SetMemoryLimit(most)
	return func() { debug.SetMemoryLimit(before) }
}

// groupMemory returns the bytes of memory that the control group of the process may use, 0 for no limit.
func groupMemory(root fs.FS) int64 {
	groups, err := fs.ReadFile(root, "proc/self/cgroup")
	if err != nil {
		return 0
	}
	least := int64(math.MaxInt64)
	for line := range strings.Lines(string(groups)) {
		f := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(f) < 3 {
			continue
		}
		switch {
		case f[0] == "0" && f[1] == "": // version 2
			least = min(least, leastAbove(root, "sys/fs/cgroup", f[2], "memory.max"))
		case f[1] == "memory":
			least = min(least, leastAbove(root, "sys/fs/cgroup/memory", f[2], "memory.limit_in_bytes"))
		}
	}
	if least >= 1<<60 { // version 1 tells no limit so
		return 0
	}
	return least
}

// leastAbove returns the least limit of a group and those that it is in. In a container their paths may not be there,
// but for the topmost, which is that of the container.
func leastAbove(root fs.FS, mount, group, file string) int64 {
	least := int64(math.MaxInt64)
	for group = path.Clean("/" + group); ; group = path.Dir(group) {
		raw, err := fs.ReadFile(root, path.Join(mount, group, file))
		if n, bad := strconv.ParseInt(strings.TrimSpace(string(raw)), 10, 64); err == nil && bad == nil && n > 0 {
			least = min(least, n)
		}
		if group == "/" {
			return least
		}
	}
}
