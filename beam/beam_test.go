package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"parlance/db"
)

// program is the path of parlance-beam as a user has it: workers of other processes are started with it.
var program string

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "parlance-beam-test-*")
	if err != nil {
		panic(err)
	}
	program = filepath.Join(dir, "parlance-beam")
	if out, err := exec.Command("go", "build", "-o", program, ".").CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "%v\n%s", err, out)
		os.Exit(1)
	}
	code := m.Run()
	_ = os.RemoveAll(dir)
	os.Exit(code)
}

// call runs parlance-beam in a folder.
func call(t *testing.T, dir string, args ...string) (stdout, stderr string, err error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, args...)
	var out, errs bytes.Buffer
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, &out, &errs
	err = cmd.Run()
	if ctx.Err() != nil {
		t.Errorf("%s: no end within three minutes", strings.Join(args, " "))
	}
	return out.String(), errs.String(), err
}

func must(t *testing.T, dir string, args ...string) string {
	t.Helper()
	out, errs, err := call(t, dir, args...)
	if err != nil {
		t.Fatalf("%s: %v\n%s", strings.Join(args, " "), err, errs)
	}
	return out
}

// execute runs statements.
func execute(t *testing.T, d *db.DB, script string) {
	t.Helper()
	for s := range strings.SplitSeq(script, ";") {
		if strings.TrimSpace(s) == "" {
			continue
		}
		if _, err := d.Conn().Exec(t.Context(), s); err != nil {
			t.Fatalf("%s: %v", s, err)
		}
	}
}

// weights is the hash of the weights of a model, and its options.
func weights(t *testing.T, d *db.DB, model string) (hash string, options []string) {
	t.Helper()
	rows, err := d.Query(t.Context(), "DESCRIBE MODEL "+model)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var property, value *string
		if err := rows.Scan(&property, &value); err != nil {
			t.Fatal(err)
		}
		switch {
		case *property == "weights":
			hash = *value
		case strings.HasPrefix(*property, "option ") && value != nil:
			options = append(options, *property+" "+*value)
		}
	}
	return hash, options
}

// corpus is shards of documents in a folder, and a database with the same documents, and tables.
func corpus(t *testing.T) (dir, file string) {
	t.Helper()
	dir = t.TempDir()
	whole, err := os.ReadFile("../testdata/english/train.conllu")
	if err != nil {
		t.Fatal(err)
	}
	var parts [3]bytes.Buffer
	for i, s := range bytes.Split(bytes.TrimSpace(whole), []byte("\n\n")) {
		fmt.Fprintf(&parts[i%3], "# newdoc id = d%d\n%s\n\n", i, s)
	}
	for i := range parts {
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("s%d.conllu", i)), parts[i].Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	file = filepath.Join(dir, "whole.parlance")
	d := opened(t, file)
	execute(t, d, "CREATE CORPUS docs; LOAD '"+dir+"/s*.conllu' INTO docs FORMAT conllu;"+
		"TRAIN contexts AS near ON docs WITH (contexts = window);"+
		"CREATE TABLE people (id TEXT, name TEXT);"+
		"INSERT INTO people SELECT 'r' || n, 'name ' || (n % 40) || ' ' || (n % 7) FROM generate_series(1, 1200) AS g(n)")
	closed(t, d)
	return dir, file
}

func opened(t *testing.T, file string) *db.DB {
	t.Helper()
	d, err := db.Open(file, db.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func closed(t *testing.T, d *db.DB) {
	t.Helper()
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
}

// cases are trainings of all kinds, as statements and as commands.
func cases(file string) [][]string {
	const layered = "attributes = ('name trigrams'), model = layered, rounds = 2, sweeps = 2"
	return [][]string{
		{"TRAIN contexts AS one ON docs", "count", "--kind", "contexts", "s*.conllu"},
		{"TRAIN ngrams AS one ON docs WITH (orders = 3)", "count", "--kind", "ngrams", "--with", "orders = 3", "s*.conllu"},
		{"TRAIN brown AS one ON docs WITH (clusters = 8)", "count", "--kind", "brown", "--with", "clusters = 8",
			"--parts", "1", "s0.conllu", "s1.conllu", "s2.conllu"},
		{"TRAIN hmm AS one ON docs WITH (states = 3, iterations = 3, seed = 5)", "em", "--kind", "hmm", "--seed", "5",
			"--with", "states = 3, iterations = 3", "s*.conllu"},
		{"CREATE TABLE pairs AS SELECT word, context, count FROM near.counts;" +
			"TRAIN latent_classes AS one ON pairs WITH (classes = 4, iterations = 3, restarts = 2)", "em", "--kind",
			"latent_classes", "--with", "classes = 4, iterations = 3, restarts = 2", "--db", file, "--query",
			"SELECT word, context, count FROM near.counts"},
		{"TRAIN entity_resolver AS one ON people WITH (" + layered + ")", "resolve", "--with", layered, "--db", file,
			"--query", "SELECT * FROM people"},
	}
}

// TestSameBytes: what is trained on Prism within the process has the weights and options of TRAIN, and is loaded by one
// statement.
func TestSameBytes(t *testing.T) {
	dir, file := corpus(t)
	for _, c := range cases(file) {
		out := filepath.Join(dir, "there.trained")
		args := append([]string{c[1], "--out", out}, c[2:]...)
		said := must(t, dir, args...)
		d := opened(t, file)
		execute(t, d, c[0])
		load, _, _ := strings.Cut(strings.TrimSpace(said[strings.Index(said, "LOAD"):]), "\n")
		execute(t, d, strings.Replace(load, " name ", " there ", 1))
		want, options := weights(t, d, "one")
		got, same := weights(t, d, "there")
		if want == "" || got != want {
			t.Errorf("%s: weights %s, want %s", strings.Join(args, " "), got, want)
		}
		if strings.Contains(strings.Join(args, " "), "--with") && len(same) == 0 || !contains(options, same) {
			t.Errorf("%s: options %v, want %v", strings.Join(args, " "), same, options)
		}
		execute(t, d, "DROP MODEL one; DROP MODEL there")
		closed(t, d)
	}
}

func contains(all, some []string) bool {
	for _, s := range some {
		if !strings.Contains(strings.Join(all, "\n"), s) {
			return false
		}
	}
	return true
}

// TestAnnotate writes what ANNOTATE writes, skips what is there, and shares its folder with another run.
func TestAnnotate(t *testing.T) {
	dir, file := corpus(t)
	d := opened(t, file)
	execute(t, d, "TRAIN perceptron AS tagger ON docs WITH (layer = upos);"+
		"ANNOTATE '"+dir+"/s0.conllu' FORMAT conllu USING tagger TO '"+dir+"/want.jsonl' FORMAT jsonl")
	closed(t, d)
	args := []string{"annotate", "--db", file, "--using", "tagger", "--format", "jsonl", "--out", "out", "s*.conllu"}
	type summary struct{ Shards, Done, Skipped int }
	read := func(out string) (s summary) {
		t.Helper()
		if err := json.Unmarshal([]byte(out), &s); err != nil {
			t.Fatalf("%s: %v", out, err)
		}
		return s
	}
	if got := read(must(t, dir, args...)); got != (summary{3, 3, 0}) {
		t.Errorf("%+v", got)
	}
	want, err := os.ReadFile(filepath.Join(dir, "want.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(filepath.Join(dir, "out", "s0.jsonl"))
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("%v: %d bytes differ from ANNOTATE's %d", err, len(got), len(want))
	}
	if got := read(must(t, dir, args...)); got != (summary{3, 0, 3}) {
		t.Errorf("again: %+v", got)
	}
	if err := os.Remove(filepath.Join(dir, "out", "s1.jsonl")); err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 2) // two runs share the folder
	for range 2 {
		go func() {
			_, errs, err := call(t, dir, args...)
			if err != nil {
				err = fmt.Errorf("%w: %s", err, errs)
			}
			done <- err
		}()
	}
	for range 2 {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	files, _ := filepath.Glob(filepath.Join(dir, "out", "*"))
	if len(files) != 3 {
		t.Errorf("the folder has %v", files)
	}
}

// TestFaults: what is wrong is told with what would be right, and leaves no model and no work files.
func TestFaults(t *testing.T) {
	dir, file := corpus(t)
	if err := os.WriteFile(filepath.Join(dir, "broken.conllu"), []byte("1\tno\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	work := filepath.Join(dir, "work")
	if err := os.Mkdir(work, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		want string
		args []string
	}{
		{`"number" is no command`, []string{"number"}},
		{`"" is no command`, nil},
		{`--kind "crf": count trains contexts, ngrams, brown`, []string{"count", "--kind", "crf"}},
		{"--out is missing", []string{"count", "--kind", "contexts"}},
		{"no shard is named", []string{"count", "--kind", "contexts", "--out", "m"}},
		{"--parts 0: at least 1", []string{"count", "--kind", "contexts", "--parts", "0", "--out", "m", "s0.conllu"}},
		{"there is no such file", []string{"count", "--kind", "contexts", "--out", "m", "none*.conllu"}},
		{"is a folder; its files are named by a pattern", []string{"count", "--kind", "contexts", "--out", "m", "work"}},
		{"is there already and is no trained model", []string{"count", "--kind", "contexts", "--out", "s0.conllu",
			"s0.conllu"}},
		{"--out", []string{"count", "--kind", "contexts", "--out", "work", "s0.conllu"}},
		{"cannot be written", []string{"count", "--kind", "contexts", "--out", "none/m", "s0.conllu"}},
		{"would be written over itself", []string{"annotate", "--db", file, "--overwrite", "--format", "conllu", "--out", ".",
			"s0.conllu"}},
		{"did you mean window", []string{"count", "--kind", "contexts", "--with", "windows = 3", "--out", "m", "s0.conllu"}},
		{"broken.conllu:1", []string{"count", "--kind", "contexts", "--out", "m", "s0.conllu", "broken.conllu"}},
		{"states are found (states = n)", []string{"em", "--kind", "hmm", "--out", "m", "s0.conllu"}},
		{"learns from rows: --db FILE --query", []string{"em", "--kind", "latent_classes", "--out", "m"}},
		{"the query has no column count", []string{"em", "--kind", "latent_classes", "--out", "m", "--db", file, "--query",
			"SELECT word, context FROM near.counts"}},
		{"over shards, model = layered samples", []string{"resolve", "--out", "m", "--db", file, "--query",
			"SELECT * FROM people"}},
		{"no such file", []string{"annotate", "--db", "none.parlance", "--format", "jsonl", "--out", "out", "s0.conllu"}},
		{"there is no model none", []string{"annotate", "--db", file, "--using", "none", "--format", "jsonl", "--out", "out",
			"s0.conllu"}},
	} {
		if len(c.args) > 0 && c.args[0] != "annotate" && len(c.args) > 1 {
			c.args = append([]string{c.args[0], "--work", work}, c.args[1:]...)
		}
		_, errs, err := call(t, dir, c.args...)
		if err == nil || !strings.Contains(errs, c.want) {
			t.Errorf("%s: %v, without %q:\n%s", strings.Join(c.args, " "), err, c.want, errs)
		}
		if strings.Contains(errs, "goroutine ") || strings.Contains(errs, "panic") {
			t.Errorf("%s: a panic:\n%s", strings.Join(c.args, " "), errs)
		}
	}
	for _, p := range []string{"m", "work/*", "out/*", ".part-*"} {
		if left, _ := filepath.Glob(filepath.Join(dir, p)); len(left) > 0 {
			t.Errorf("left behind: %v", left)
		}
	}
}

// TestFullDisk: where there is no room, the error says so, and no part of a file is left.
func TestFullDisk(t *testing.T) {
	dir, file := corpus(t)
	full := filepath.Join(dir, "full")
	if err := os.Mkdir(full, 0o700); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("mount", "-t", "tmpfs", "-o", "size=8k", "tmpfs", full).CombinedOutput(); err != nil {
		t.Skipf("a small file system cannot be mounted: %s", out)
	}
	t.Cleanup(func() {
		if out, err := exec.Command("umount", full).CombinedOutput(); err != nil {
			t.Errorf("%v: %s", err, out)
		}
	})
	d := opened(t, file)
	execute(t, d, "TRAIN perceptron AS tagger ON docs WITH (layer = upos)")
	closed(t, d)
	for _, args := range [][]string{
		{"count", "--kind", "ngrams", "--out", "full/m", "s0.conllu", "s1.conllu", "s2.conllu"},
		{"annotate", "--db", file, "--using", "tagger", "--format", "jsonl", "--out", "full", "s*.conllu"},
		{"em", "--kind", "hmm", "--with", "states = 50, iterations = 2", "--work", "full", "--out", "m", "s0.conllu"},
	} {
		_, errs, err := call(t, dir, args...)
		if err == nil || !strings.Contains(errs, "no space left") {
			t.Errorf("%s: %v\n%s", strings.Join(args, " "), err, errs)
		}
		left, _ := filepath.Glob(filepath.Join(full, "*"))
		hidden, _ := filepath.Glob(filepath.Join(full, ".*"))
		if _, err := os.Stat(filepath.Join(dir, "m")); err == nil || len(hidden) > 0 || len(left) > 0 {
			for _, f := range left { // a shard that fits is whole
				p, _ := os.ReadFile(f)
				if args[0] != "annotate" || !bytes.HasSuffix(p, []byte("}\n")) {
					t.Errorf("%s leaves %v %v", args[0], left, hidden)
				}
				_ = os.Remove(f)
			}
		}
	}
}

// TestInterrupt: an interrupted training ends soon, and leaves nothing.
func TestInterrupt(t *testing.T) {
	dir, _ := corpus(t)
	cmd := exec.Command(program, "em", "--kind", "hmm", "--with", "states = 40, iterations = 100000, tolerance = 0",
		"--work", dir, "--out", "m", "s0.conllu", "s1.conllu", "s2.conllu")
	pipe, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd.Dir = dir
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	first := make([]byte, 1)
	if _, err := io.ReadFull(pipe, first); err != nil { // an iteration is done
		t.Fatal(err)
	}
	began := time.Now()
	_ = cmd.Process.Signal(syscall.SIGINT)
	said, _ := io.ReadAll(pipe)
	if err := cmd.Wait(); err == nil || !strings.Contains(string(said), "no model was written") {
		t.Errorf("%v: %s", err, said)
	}
	if d := time.Since(began); d > 10*time.Second {
		t.Errorf("it took %v to end", d)
	}
	for _, p := range []string{"m", "parlance-beam-*"} {
		if left, _ := filepath.Glob(filepath.Join(dir, p)); len(left) > 0 {
			t.Errorf("left behind: %v", left)
		}
	}
}

// TestMemory: counting over many shards on Prism, which keeps all that goes between steps in memory, stays below a cap.
func TestMemory(t *testing.T) {
	const cap = 1000 << 10 // kB
	dir := t.TempDir()
	for k := range 64 {
		var text strings.Builder
		for i := range 4000 {
			fmt.Fprintf(&text, "w%d of w%d and w%d or w%d .\n", i*k%9973, i*k%7919, i*k, i*k%6101)
		}
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("s%d.txt", k)), []byte(text.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command(program, "count", "--kind", "contexts", "--with", "contexts = window", "--input-format", "lines",
		"--elements", "64", "--out", "m", "s*.txt")
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if n := cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss; n > cap {
		t.Errorf("%d MB of memory, where %d are the most", n>>10, cap>>10)
	} else {
		t.Logf("%d MB of memory", n>>10)
	}
}

// prism starts Prism as a process of its own, with Beam's boot program for workers, and returns the flags of commands
// that use it.
func prism(t *testing.T) (flags []string, workers func() []int) {
	t.Helper()
	if testing.Short() {
		t.Skip("Prism as a process of its own is built and started: left out by -short")
	}
	dir := t.TempDir()
	const module = "github.com/apache/beam/sdks/v2/go/"
	for name, pkg := range map[string]string{"prism": "cmd/prism", "boot": "container"} {
		out, err := exec.Command("go", "build", "-o", filepath.Join(dir, name), module+pkg).CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	// Prism puts the value of --id in quotes, which the boot program takes for a part of it.
	boot := filepath.Join(dir, "worker.sh")
	script := "#!/bin/sh\nid=$(printf '%s' \"$1\" | tr -d \"'\")\nshift\nexec '" + filepath.Join(dir, "boot") +
		"' \"$id\" --semi_persist_dir='" + dir + "' \"$@\"\n"
	if err := os.WriteFile(boot, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp", "localhost:0")
	if err != nil {
		t.Fatal(err)
	}
	port := listener.Addr().(*net.TCPAddr).Port
	_ = listener.Close()
	server := exec.Command(filepath.Join(dir, "prism"), fmt.Sprintf("--job_port=%d", port), "--serve_http=false",
		"--log_level=error")
	server.Dir = dir // workers write into it
	server.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = syscall.Kill(-server.Process.Pid, syscall.SIGKILL) // with its workers
		_ = server.Wait()
	})
	endpoint := fmt.Sprintf("localhost:%d", port)
	for range 100 {
		if c, err := net.Dial("tcp", endpoint); err == nil {
			_ = c.Close()
			break
		}
		time.Sleep(50 * time.Millisecond)
	}
	return []string{"--runner=universal", "--endpoint=" + endpoint, "--environment_type=PROCESS",
		`--environment_config={"command":"` + boot + `"}`}, func() []int { return workersOf(t, server.Process.Pid) }
}

// workersOf are the workers in a group of processes. The boot program leaves a copy of the program for each, which is
// removed at the end of the test.
func workersOf(t *testing.T, group int) (pids []int) {
	t.Helper()
	entries, err := filepath.Glob("/proc/[0-9]*")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		var pid int
		if _, err := fmt.Sscanf(e, "/proc/%d", &pid); err != nil {
			continue
		}
		line, _ := os.ReadFile(filepath.Join(e, "cmdline"))
		if g, err := syscall.Getpgid(pid); err == nil && g == group && bytes.Contains(line, []byte("--worker=true")) {
			pids = append(pids, pid)
			copied, _, _ := strings.Cut(string(line), "\x00")
			t.Cleanup(func() { _ = os.RemoveAll(filepath.Dir(copied)) })
		}
	}
	return pids
}

// TestSeparatePrism: over the Job API, with workers that are processes of their own, the model has the same bytes;
// where a worker is killed, no part of a model is written, and the next run succeeds.
func TestSeparatePrism(t *testing.T) {
	flags, workers := prism(t)
	dir, _ := corpus(t)
	here, there := filepath.Join(dir, "here"), filepath.Join(dir, "there")
	args := []string{"count", "--kind", "ngrams", "--with", "orders = 2", "s0.conllu", "s1.conllu", "s2.conllu"}
	with := func(out string, more ...string) []string {
		return append(append([]string{args[0], "--out", out}, more...), args[1:]...)
	}
	must(t, dir, with(here)...)
	must(t, dir, with(there, flags...)...)
	a, _ := os.ReadFile(here)
	b, _ := os.ReadFile(there)
	if len(a) == 0 || !bytes.Equal(a, b) {
		t.Errorf("the files differ: %d and %d bytes", len(a), len(b))
	}
	if err := os.Remove(there); err != nil {
		t.Fatal(err)
	}
	long := filepath.Join(dir, "long.txt") // a shard that takes a worker some seconds
	var text strings.Builder
	for i := range 150_000 {
		fmt.Fprintf(&text, "w%d of w%d and w%d or w%d .\n", i%9973, i%7919, i, i%6101)
	}
	if err := os.WriteFile(long, []byte(text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	ngrams := []string{"--kind", "ngrams", "--with", "orders = 5", "--input-format", "lines", long}
	whole := filepath.Join(dir, "whole")
	must(t, dir, append([]string{"count", "--out", whole}, ngrams...)...)
	killed := append(append([]string{"count", "--out", there}, flags...), ngrams...)
	ended := make(chan error, 1)
	go func() {
		_, _, err := call(t, dir, killed...)
		ended <- err
	}()
	for range 600 {
		if len(workers()) > 0 {
			break
		}
		time.Sleep(50 * time.Millisecond)
	}
	time.Sleep(2 * time.Second) // it is at work
	if len(workers()) == 0 {
		t.Fatal("the shard was done before a worker could be killed")
	}
	for _, pid := range workers() {
		_ = syscall.Kill(pid, syscall.SIGKILL)
	}
	// The run fails, or its runner does the work again: there is no model, or a whole one.
	if err := <-ended; err == nil {
		want, _ := os.ReadFile(whole)
		if got, _ := os.ReadFile(there); !bytes.Equal(got, want) {
			t.Error("a run whose worker was killed gave another model")
		}
	} else if _, err := os.Stat(there); err == nil {
		t.Error("a run that failed wrote a model")
	}
	must(t, dir, with(there, flags...)...)
	if b, _ = os.ReadFile(there); !bytes.Equal(a, b) {
		t.Error("after a killed worker the files differ")
	}
}
