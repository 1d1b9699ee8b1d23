package storage

import (
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
)

// TestLimitedAddressSpace opens and fills a database in a process that may map 4 GB.
func TestLimitedAddressSpace(t *testing.T) {
	const path = "PARLANCE_LIMITED"
	if file := os.Getenv(path); file != "" {
		limit := syscall.Rlimit{Cur: 4 << 30, Max: 4 << 30}
		if err := syscall.Setrlimit(syscall.RLIMIT_AS, &limit); err != nil {
			t.Fatal(err)
		}
		s, err := Open(file, Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		insert(t, s, tableOf(t, s), rowsOf(100)...)
		checked(t, s)
		return
	}
	c := exec.Command(os.Args[0], "-test.run=^TestLimitedAddressSpace$")
	c.Env = append(os.Environ(), path+"="+filepath.Join(t.TempDir(), "limited.parlance"))
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
}
