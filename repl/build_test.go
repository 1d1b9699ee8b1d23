package repl_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
)

// binary is the folder of the program that tests run as a process of its own, built once.
var binary struct {
	once sync.Once
	dir  string
	err  error
}

func TestMain(m *testing.M) {
	code := m.Run()
	if binary.dir != "" {
		_ = os.RemoveAll(binary.dir)
	}
	os.Exit(code)
}

// buildCommand builds the program.
func buildCommand(t *testing.T) string {
	t.Helper()
	binary.once.Do(func() {
		if binary.dir, binary.err = os.MkdirTemp("", "parlance-*"); binary.err != nil {
			return
		}
		binary.err = os.Chmod(binary.dir, 0o755) // other users run it too
		build := exec.Command("go", "build", "-o", filepath.Join(binary.dir, "parlance.exe"), ".")
		build.Dir = ".."
		if out, err := build.CombinedOutput(); err != nil {
			binary.err = fmt.Errorf("go build: %w\n%s", err, out)
		}
	})
	if binary.err != nil {
		t.Fatal(binary.err)
	}
	return filepath.Join(binary.dir, "parlance.exe")
}
