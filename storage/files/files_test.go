package files_test

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"parlance/storage/files"
)

// world is a folder with files, links and what should not be opened, and a secret beside it.
func world(t testing.TB) (f *files.Folder, data, secret string) {
	t.Helper()
	top := t.TempDir()
	data, secret = filepath.Join(top, "data"), filepath.Join(top, "secret")
	check := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	check(os.MkdirAll(filepath.Join(data, "sub"), 0o755))
	check(os.Mkdir(filepath.Join(top, "data2"), 0o755))
	for _, p := range []string{secret, filepath.Join(top, "data2", "x"), filepath.Join(data, "a.txt"),
		filepath.Join(data, "sub", "b.txt")} {
		check(os.WriteFile(p, []byte(filepath.Base(p)), 0o644))
	}
	for name, to := range map[string]string{
		"inner": "sub/b.txt", "innerdir": "sub", "out": "../secret", "absolute": secret, "outdir": "..",
		"dangling": "../none",
		"loop":     "loop", "absoluteinner": filepath.Join(data, "a.txt"), "chain": "out",
	} {
		check(os.Symlink(to, filepath.Join(data, name)))
	}
	check(syscall.Mkfifo(filepath.Join(data, "pipe"), 0o644))
	f, err := files.Below(data)
	check(err)
	t.Cleanup(func() { f.Close() })
	return f, data, secret
}

var denied = func(err error) bool {
	var d *files.Denied
	return errors.As(err, &d) && errors.Is(err, fs.ErrPermission)
}

func TestOpenBelow(t *testing.T) {
	f, data, secret := world(t)
	for _, name := range []string{"a.txt", "./a.txt", "sub/../a.txt", "inner", "innerdir/b.txt", "sub/b.txt",
		filepath.Join(data, "a.txt"), filepath.Join(data, "none", "..", "a.txt")} {
		file, err := f.Open(name)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if raw, err := io.ReadAll(file); err != nil || !strings.HasSuffix(string(raw), ".txt") {
			t.Errorf("%s holds %q, %v", name, raw, err)
		}
		if err := file.Close(); err != nil {
			t.Error(err)
		}
	}
	for _, name := range []string{"../secret", "sub/../../secret", secret, "/etc/passwd", "out", "absolute", "chain",
		"outdir/secret", "outdir/data2/x", "innerdir/../../secret",
		data + "2/x", data + "/../secret", "..", ".", "/", "sub", "pipe", "/dev/zero", "/proc/self/environ"} {
		for what, err := range map[string]error{"open": second(f.Open(name)), "create": second(f.Create(name))} {
			if what == "create" && errors.Is(err, fs.ErrExist) {
				continue
			}
			if !denied(err) || !strings.HasPrefix(err.Error(), name) {
				t.Errorf("%s %s: %v", what, name, err)
			}
		}
	}
	for _, name := range []string{"none", "dangling", "sub/none", "a.txt/x"} {
		if _, err := f.Open(name); err == nil || strings.Contains(err.Error(), "openat") {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, name := range []string{"", "a\x00b", "loop", strings.Repeat("x", 5000)} {
		if _, err := f.Open(name); err == nil {
			t.Errorf("%q was opened", name)
		}
	}
}

func second[T any](_ T, err error) error { return err }

func TestWriteBelow(t *testing.T) {
	f, data, secret := world(t)
	write := func(w io.Writer) error { _, err := io.WriteString(w, "new"); return err }
	for _, name := range []string{"new", "sub/new", "a.txt", "innerdir/other", filepath.Join(data, "abs")} {
		if err := files.Replace(f, name, write); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, name := range []string{"../new", secret, "outdir/new", "/tmp/new"} {
		if err := files.Replace(f, name, write); !denied(err) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, name := range []string{"pipe", "sub"} {
		if err := files.Replace(f, name, write); err == nil {
			t.Errorf("%s was replaced", name)
		}
	}
	// A link is replaced, not what it leads to.
	if err := files.Replace(f, "out", write); err != nil {
		t.Error(err)
	}
	if raw, err := os.ReadFile(secret); err != nil || string(raw) != "secret" {
		t.Errorf("the secret is %q, %v", raw, err)
	}
	for _, err := range []error{f.Rename("a.txt", "../moved"), f.Rename("../secret", "got"), f.Link("../secret", "got"),
		f.Link("a.txt", "outdir/got"), f.Remove("../secret"), f.Remove("outdir/secret")} {
		if !denied(err) {
			t.Error(err)
		}
	}
	failed := errors.New("failed")
	if err := files.Replace(f, "never", func(io.Writer) error { return failed }); !errors.Is(err, failed) {
		t.Error(err)
	}
	left, err := f.Glob(".*")
	if _, gone := f.Stat("never"); err != nil || len(left) > 0 || !errors.Is(gone, fs.ErrNotExist) {
		t.Errorf("left over: %v, %v", left, err)
	}
}

func TestGlobBelow(t *testing.T) {
	f, data, _ := world(t)
	for pattern, want := range map[string][]string{
		"*.txt": {"a.txt"}, "*/*.txt": {"innerdir/b.txt", "sub/b.txt"}, filepath.Join(data, "sub", "*"): {"sub/b.txt"},
		"outdir/*": nil, "none/*": nil,
	} {
		if got, err := f.Glob(pattern); err != nil || !cmp.Equal(got, want) {
			t.Errorf("%s: %v, %v", pattern, got, err)
		}
	}
	for _, pattern := range []string{"../*", "/*", "sub/../../*"} {
		if got, err := f.Glob(pattern); !denied(err) {
			t.Errorf("%s: %v, %v", pattern, got, err)
		}
	}
	if _, err := f.Glob("[a"); err == nil {
		t.Error("a faulty pattern")
	}
}

// TestLinksThatChange swaps a link between the inside and the outside while it is opened.
func TestLinksThatChange(t *testing.T) {
	f, data, secret := world(t)
	stop := make(chan struct{})
	var wait sync.WaitGroup
	wait.Go(func() {
		for i := 0; ; i++ {
			select {
			case <-stop:
				return
			default:
			}
			to := "a.txt"
			if i%2 == 0 {
				to = "../secret"
			}
			tmp := filepath.Join(data, "swap")
			if os.Symlink(to, tmp) == nil {
				os.Rename(tmp, filepath.Join(data, "changing"))
			}
		}
	})
	for range 3000 {
		file, err := f.Open("changing")
		if err != nil {
			continue
		}
		raw, err := io.ReadAll(file)
		if err != nil || string(raw) == filepath.Base(secret) {
			t.Errorf("read %q, %v", raw, err)
		}
		file.Close()
	}
	close(stop)
	wait.Wait()
}

func TestNowhere(t *testing.T) {
	n := files.Nowhere("no", "hint")
	_, a := n.Stat("x")
	_, b := n.Lstat("x")
	_, c := n.Glob("x")
	_, d := n.Open("x")
	_, e := n.Create("x")
	for _, err := range []error{a, b, c, d, e, n.Rename("a", "x"), n.Link("a", "x"), n.Remove("x"),
		files.Replace(n, "x", nil)} {
		if !denied(err) || err.Error() != "x: no" {
			t.Error(err)
		}
	}
}

// TestExcept reaches for the one file by all its names.
func TestExcept(t *testing.T) {
	f, data, _ := world(t)
	own := filepath.Join(data, "sub", "b.txt")
	if err := os.Link(own, filepath.Join(data, "hard")); err != nil {
		t.Fatal(err)
	}
	for where, fs := range map[string]files.Files{"anywhere": files.Anywhere, "below": f} {
		x := files.Except(fs, own)
		for _, name := range []string{"sub/b.txt", "inner", "innerdir/b.txt", "hard"} {
			path := name
			if where == "anywhere" {
				path = filepath.Join(data, name)
			}
			if _, err := x.Open(path); !denied(err) {
				t.Errorf("%s: %s is opened: %v", where, name, err)
			}
			if name == "inner" { // a link is replaced, not what it leads to
				continue
			}
			if err := files.Replace(x, path, func(io.Writer) error { return nil }); !denied(err) {
				t.Errorf("%s: %s is replaced: %v", where, name, err)
			}
		}
		if file, err := x.Open(filepath.Join(data, "a.txt")); err != nil {
			t.Error(err)
		} else {
			file.Close()
		}
	}
	if raw, err := os.ReadFile(own); err != nil || string(raw) != "b.txt" {
		t.Errorf("%q, %v", raw, err)
	}
}

func FuzzBelow(f *testing.F) {
	folder, _, _ := world(f)
	for _, s := range []string{"a.txt", "../secret", "outdir/secret", "/etc/passwd", "sub/./../out", "a\x00", "*"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, name string) {
		file, err := folder.Open(name)
		if err != nil {
			return
		}
		defer file.Close()
		raw, err := io.ReadAll(file)
		if err != nil || !strings.HasSuffix(string(raw), ".txt") {
			t.Errorf("%q gives %q, %v", name, raw, err)
		}
	})
}
