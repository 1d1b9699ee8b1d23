package storage

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
)

// TestLimitedAddressSpace opens and fills a database in a process that may map 3 GB more.
func TestLimitedAddressSpace(t *testing.T) {
	const path = "PARLANCE_LIMITED"
	if file := os.Getenv(path); file != "" {
		raw, err := os.ReadFile("/proc/self/statm")
		if err != nil {
			t.Fatal(err)
		}
		var pages uint64
		if _, err := fmt.Sscan(string(raw), &pages); err != nil {
			t.Fatal(err)
		}
		most := pages*uint64(os.Getpagesize()) + 3<<30
		limit := syscall.Rlimit{Cur: most, Max: most}
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
