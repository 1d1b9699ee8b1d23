package repl

import (
	"io"
	"log/slog"
	"os"
	"runtime/debug"
	"testing"
	"testing/fstest"
)

// TestGroupMemory reads limits of control groups as hosts and containers show them.
func TestGroupMemory(t *testing.T) {
	for name, c := range map[string]struct {
		files map[string]string
		want  int64
	}{
		"none": {nil, 0},
		"version 2, no limit": {map[string]string{"proc/self/cgroup": "0::/a\n",
			"sys/fs/cgroup/a/memory.max": "max\n"}, 0},
		"version 2, of the unit": {map[string]string{"proc/self/cgroup": "0::/a/b\n",
			"sys/fs/cgroup/a/b/memory.max": "1000\n"}, 1000},
		"version 2, of a slice": {map[string]string{"proc/self/cgroup": "0::/a/b\n",
			"sys/fs/cgroup/a/memory.max": "500\n", "sys/fs/cgroup/a/b/memory.max": "1000\n"}, 500},
		"version 2, in a container": {map[string]string{"proc/self/cgroup": "0::/\n", "sys/fs/cgroup/memory.max": "700\n"},
			700},
		"version 1": {map[string]string{"proc/self/cgroup": "4:memory:/a\n0::/\n",
			"sys/fs/cgroup/memory/a/memory.limit_in_bytes": "900\n",
			"sys/fs/cgroup/memory/memory.limit_in_bytes":   "9223372036854771712\n"}, 900},
		"version 1, in a container": {map[string]string{"proc/self/cgroup": "4:memory:/docker/x\n",
			"sys/fs/cgroup/memory/memory.limit_in_bytes": "800\n"}, 800},
		"version 1, no limit": {map[string]string{"proc/self/cgroup": "4:memory:/\n",
			"sys/fs/cgroup/memory/memory.limit_in_bytes": "9223372036854771712\n"}, 0},
	} {
		root := fstest.MapFS{}
		for path, text := range c.files {
			root[path] = &fstest.MapFile{Data: []byte(text)}
		}
		if got := groupMemory(root); got != c.want {
			t.Errorf("%s: %d, want %d", name, got, c.want)
		}
	}
}

// TestLimitMemory sets the limit of the garbage collector and takes it back.
func TestLimitMemory(t *testing.T) {
	if os.Getenv("GOMEMLIMIT") != "" {
		t.Skip("GOMEMLIMIT is set")
	}
	before := debug.SetMemoryLimit(-1)
	root := fstest.MapFS{"proc/self/cgroup": {Data: []byte("0::/\n")},
		"sys/fs/cgroup/memory.max": {Data: []byte("10000000000\n")}}
	back := limitMemory(root, slog.New(slog.NewTextHandler(io.Discard, nil)))
	if got := debug.SetMemoryLimit(-1); got != 8000000000 {
		t.Errorf("a limit of %d bytes", got)
	}
	back()
	if got := debug.SetMemoryLimit(-1); got != before {
		t.Errorf("%d bytes are left of a limit of %d", got, before)
	}
}
