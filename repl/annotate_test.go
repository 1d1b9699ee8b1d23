package repl_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// summary is what parlance annotate ends with.
type summary struct {
	Shards, Done, Skipped, Failed, Left, Documents, Tokens int
	Errors                                                 []struct{ Shard, Code, Error, Hint string }
}

// annotating makes a folder with models.parlance, which has a model ner, and n shards of two documents each.
func annotating(t *testing.T, n int) (dir string) {
	t.Helper()
	dir = t.TempDir()
	t.Chdir("..")
	_, errs, code := outcome(t, "", "exec", "-q", "--db", filepath.Join(dir, "models.parlance"), "-c", `
		CREATE CORPUS people;
		LOAD 'testdata/quickstart/people.train.conll' INTO people FORMAT conll WITH (columns = (form, entities));
		TRAIN perceptron AS ner ON people WITH (layer = entities, epochs = 2, seed = 1);
		DROP CORPUS people`)
	if code != 0 {
		t.Fatal(errs)
	}
	t.Chdir(dir)
	if err := os.Mkdir("shards", 0o777); err != nil {
		t.Fatal(err)
	}
	for i := range n {
		text := fmt.Sprintf(`{"id":"%da","text":"Anna went to Oslo."}`+"\n"+`{"id":"%db","text":"Bob left %d."}`+"\n", i, i, i)
		if err := os.WriteFile(fmt.Sprintf("shards/%d.jsonl", i), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// annotate runs the command and returns its summary.
func annotate(t *testing.T, args ...string) (s summary, errs string, code int) {
	t.Helper()
	out, errs, code := outcome(t, "", append([]string{"annotate", "--db", "models.parlance"}, args...)...)
	if out != "" {
		if err := json.Unmarshal([]byte(out), &s); err != nil {
			t.Fatalf("%v in %q", err, out)
		}
	}
	return s, errs, code
}

// TestAnnotateShards: each shard becomes a file; those that are there are skipped; one that is damaged is told, and
// leaves nothing.
func TestAnnotateShards(t *testing.T) {
	annotating(t, 3)
	args := []string{"--using", "ner", "--format", "jsonl", "--out", "out", "shards/*.jsonl"}
	s, errs, code := annotate(t, args...)
	if code != 0 || s.Shards != 3 || s.Done != 3 || s.Documents != 6 || s.Tokens != 27 {
		t.Fatalf("%+v, exit code %d: %s", s, code, errs)
	}
	first, err := os.ReadFile("out/1.jsonl")
	if err != nil || strings.Count(string(first), `"label":"PER"`) == 0 {
		t.Fatalf("%s, %v", first, err)
	}
	if err := os.Remove("out/1.jsonl"); err != nil {
		t.Fatal(err)
	}
	if s, _, code := annotate(t, append(args, "--workers", "1")...); code != 0 || s.Done != 1 || s.Skipped != 2 {
		t.Errorf("again: %+v, %d", s, code)
	}
	if again, err := os.ReadFile("out/1.jsonl"); err != nil || string(again) != string(first) {
		t.Errorf("with one worker: %s, %v", again, err)
	}
	if s, _, code := annotate(t, append(args, "--overwrite")...); code != 0 || s.Done != 3 || s.Skipped != 0 {
		t.Errorf("overwriting: %+v, %d", s, code)
	}
	if err := os.WriteFile("shards/0bad.jsonl", []byte("{\"id\":\"x\",\"text\":\"y\"}\n{\"id\":\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	s, errs, code = annotate(t, append(args, "--overwrite")...)
	if code != 1 || s.Done != 3 || s.Failed != 1 || len(s.Errors) != 1 || s.Errors[0].Shard != "shards/0bad.jsonl" ||
		s.Errors[0].Code != "22P04" || !strings.Contains(s.Errors[0].Error, "0bad.jsonl:2") ||
		!strings.Contains(errs, "0bad") {
		t.Errorf("a damaged shard: %+v, %d: %s", s, code, errs)
	}
	if list, err := os.ReadDir("out"); err != nil || len(list) != 3 {
		t.Errorf("files: %v, %v", list, err)
	}
	out, errs, code := outcome(t, `{"id":"a","text":"Anna went to Oslo."}`, "annotate", "--db", "models.parlance", "--using",
		"ner", "--format", "conll", "--with", "columns = (form, entities)", "-")
	if code != 0 || !strings.Contains(out, "Anna B-PER\n") || !strings.Contains(errs, `"documents":1`) {
		t.Errorf("standard input gives %q, %d: %s", out, code, errs)
	}
}

// TestAnnotateParts: the parts of any number of parts are all shards, each once.
func TestAnnotateParts(t *testing.T) {
	annotating(t, 7)
	for _, n := range []int{1, 2, 3, 7, 9} {
		total := 0
		for i := range n {
			s, errs, code := annotate(t, "--using", "ner", "--format", "conllu", "--out", fmt.Sprint("out", n), "--shard",
				fmt.Sprintf("%d/%d", i, n), "shards/*.jsonl")
			if code != 0 || s.Skipped != 0 || s.Shards > 7/n+1 {
				t.Errorf("part %d of %d: %+v, %d: %s", i, n, s, code, errs)
			}
			total += s.Done
		}
		if list, err := os.ReadDir(fmt.Sprint("out", n)); err != nil || total != 7 || len(list) != 7 {
			t.Errorf("%d parts: %d done, %d files, %v", n, total, len(list), err)
		}
	}
}

// TestAnnotateRefuses: what is wrong is said before anything is annotated, and no file is made.
func TestAnnotateRefuses(t *testing.T) {
	annotating(t, 2)
	if err := os.WriteFile("shards/0.txt", []byte("Anna.\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll("taken/1.jsonl", 0o777); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ args, want string }{
		{"--using nobody --format jsonl --out out shards/0.jsonl", "error 42704: there is no model nobody\nhint: "},
		{"--format jsonl --out out shards/0.jsonl", "error 55000: no model is named, and the setting using is empty\nhint: "},
		{"--using ner --format jsonll --out out shards/0.jsonl", "did you mean jsonl?"},
		{"--using ner --format csv --out out shards/0.jsonl", "error 42809: the format csv holds rows"},
		{"--using ner --format jsonl --with nothing=1 --out out shards/0.jsonl", "error 22023: unknown option nothing"},
		{"--using ner --format jsonl --out out shards", "error 42809: shards is a folder\nhint: name its files"},
		{"--using ner --format jsonl --out out nothing.jsonl", "error 58P01: nothing.jsonl: no such file\nhint: "},
		{"--using ner --format jsonl --out out shards/*.xml", "error 58P01: shards/*.xml: no file has such a name\nhint: "},
		{"--using ner --format jsonl --out out shards/[.xml", "error 22023: shards/[.xml: syntax error in pattern\nhint: "},
		{"--using ner --format jsonl --out shards/0.jsonl shards/1.jsonl", "is a file\nhint: name a folder"},
		{"--using ner --format jsonl --out shards/0.jsonl/out shards/1.jsonl", "error 58P01: --out shards/0.jsonl/out: "},
		{"--using ner --format jsonl --out taken shards/1.jsonl", "is there and no file\nhint: "},
		{"--using ner --format jsonl shards/0.jsonl", "error 22023: --out is missing"},
		{"--using ner --format jsonl --out shards shards/0.jsonl", "would be written over itself\nhint: "},
		{"--using ner --format conllu --out out shards/0.jsonl shards/0.txt", "error 42710: shards/0.jsonl and"},
		{"--using ner --format jsonl --out out --shard 2/2 shards/0.jsonl", "hint: I/N with I from 0 to N-1"},
		{"--using ner --format jsonl --out out --shard 1 shards/0.jsonl", "hint: I/N with I from 0 to N-1"},
		{"--using ner --format jsonl --out out --workers=-1 shards/0.jsonl", "hint: a number from 1"},
		{"--using ner --format jsonl --out out --extension .xz shards/0.jsonl", "nothing is compressed so\nhint: "},
		{"--using ner --format jsonl --out out --extension a/b shards/0.jsonl", "another folder\nhint: "},
	} {
		s, errs, code := annotate(t, strings.Fields(c.args)...)
		if code == 0 || s.Done != 0 || !strings.Contains(errs, c.want) {
			t.Errorf("%s: %+v, %d: %s", c.args, s, code, errs)
		}
		if list, _ := os.ReadDir("out"); len(list) > 0 {
			t.Errorf("%s: %v", c.args, list)
		}
	}
	if list, err := os.ReadDir("shards"); err != nil || len(list) != 3 {
		t.Errorf("shards: %v, %v", list, err)
	}
}

// TestAnnotateProgress: where standard error is no terminal, progress is shown if it is asked for, and a fault as soon
// as it happens.
func TestAnnotateProgress(t *testing.T) {
	annotating(t, 2)
	if err := os.WriteFile("shards/0bad.jsonl", []byte("{"), 0o666); err != nil {
		t.Fatal(err)
	}
	args := []string{"--using", "ner", "--format", "jsonl", "--overwrite", "--out", "out", "shards/*.jsonl"}
	line := regexp.MustCompile(`(?m)^3/3 shards/1.jsonl  9 tokens  \d+ tokens/s  2 documents$`)
	if _, errs, _ := annotate(t, args...); line.MatchString(errs) || strings.Contains(errs, "tokens/s") {
		t.Errorf("unasked: %s", errs)
	}
	_, errs, _ := annotate(t, append(args, "--progress")...)
	at, fault := line.FindStringIndex(errs), strings.Index(errs, "parlance: shards/0bad.jsonl: error 22P04: ")
	if at == nil || fault < 0 || fault > at[0] {
		t.Errorf("asked for: %s", errs)
	}
	_, errs, code := outcome(t, "Anna", "annotate", "--db", "models.parlance", "--using", "ner", "--format", "jsonl", "-")
	if code != 1 || !strings.Contains(errs, "hint: standard input is read as jsonl; --input-format names") {
		t.Errorf("text on standard input: %d: %s", code, errs)
	}
}

// TestAnnotateIsStopped: a signal ends the command within a second, also while it waits for standard input or for who
// takes its output, and it leaves no part of a file.
func TestAnnotateIsStopped(t *testing.T) {
	program := buildCommand(t)
	annotating(t, 2)
	long := strings.Repeat(`{"text":"Anna went to Oslo with Bob of Acme Steel."}`+"\n", 1_000_000)
	if err := os.WriteFile("shards/0.jsonl", []byte(long), 0o666); err != nil {
		t.Fatal(err)
	}
	common := []string{"annotate", "--db", "models.parlance", "--using", "ner", "--format", "jsonl"}
	for _, c := range []struct {
		name string
		args []string
		left int
	}{
		{"a file", []string{"--out", "out", "shards/0.jsonl", "shards/1.jsonl"}, 2},
		{"standard input", []string{"--out", "out", "-"}, 1},
		{"standard output", []string{"--input-format", "jsonl", "-"}, 1},
	} {
		for _, sig := range []os.Signal{os.Interrupt, syscall.SIGTERM} {
			run := exec.Command(program, append(slices.Clone(common), c.args...)...)
			var errs, out bytes.Buffer
			run.Stdout, run.Stderr = &out, &errs
			from, to, err := os.Pipe() // nobody reads or writes, so that each waits
			if err != nil {
				t.Fatal(err)
			}
			switch c.name {
			case "standard input":
				run.Stdin = from
			case "standard output":
				in, err := os.Open("shards/0.jsonl")
				if err != nil {
					t.Fatal(err)
				}
				defer in.Close()
				run.Stdin, run.Stdout = in, to
			}
			if err := run.Start(); err != nil {
				t.Fatal(err)
			}
			time.Sleep(time.Second)
			began := time.Now()
			if err := run.Process.Signal(sig); err != nil {
				t.Fatal(err)
			}
			late := time.AfterFunc(3*time.Second, func() { _ = run.Process.Kill() }) // the test fails, and does not hang
			err = run.Wait()
			late.Stop()
			if took := time.Since(began); took > time.Second || run.ProcessState.ExitCode() != 1 {
				t.Errorf("%s, %v: after %v: %v: %s", c.name, sig, took, err, &errs)
			}
			if want := fmt.Sprintf(`"left":%d`, c.left); !strings.Contains(out.String()+errs.String(), want) {
				t.Errorf("%s, %v: no %s in %s%s", c.name, sig, want, &out, &errs)
			}
			if list, _ := os.ReadDir("out"); len(list) > 0 {
				t.Errorf("%s, %v leaves %v", c.name, sig, list)
			}
			from.Close()
			to.Close()
		}
	}
}

// TestShardsPage runs the shell scripts of docs/shards.md: each makes a file of every shard.
func TestShardsPage(t *testing.T) {
	program := buildCommand(t)
	page, err := os.ReadFile("../docs/shards.md")
	if err != nil {
		t.Fatal(err)
	}
	dir := annotating(t, 5)
	if err := os.Symlink(program, filepath.Join(dir, "parlance")); err != nil {
		t.Skipf("no symbolic link to the program can be made: %v", err)
	}
	env := append(os.Environ(), "PATH="+dir+string(os.PathListSeparator)+os.Getenv("PATH"), "SLURM_ARRAY_TASK_COUNT=2")
	scripts := regexp.MustCompile("(?s)```(?:sh|bash)\n(.*?)```").FindAllStringSubmatch(string(page), -1)
	if len(scripts) != 3 {
		t.Fatalf("%d scripts", len(scripts))
	}
	for _, s := range scripts {
		if _, err := exec.LookPath("parallel"); err != nil && strings.Contains(s[1], "| parallel") {
			t.Log("GNU parallel is not installed")
			continue
		}
		if err := os.RemoveAll("annotated"); err != nil {
			t.Fatal(err)
		}
		for _, task := range []string{"0", "1"} { // of the Slurm array; others ignore it
			run := exec.Command("sh", "-c", s[1])
			run.Env = append(slices.Clone(env), "SLURM_ARRAY_TASK_ID="+task)
			if out, err := run.CombinedOutput(); err != nil {
				t.Fatalf("%s\n%v: %s", s[1], err, out)
			}
		}
		if list, err := os.ReadDir("annotated"); err != nil || len(list) != 5 {
			t.Errorf("%s\ngives %v, %v", s[1], list, err)
		}
	}
}

// TestAnnotateShares: two runs into one folder make the files of one run; a run that is killed leaves a file whose name
// begins with a dot, if any, and the next run goes on.
func TestAnnotateShares(t *testing.T) {
	program := buildCommand(t)
	annotating(t, 0)
	for i := range 3 {
		text := strings.Repeat("Anna went to Oslo with Bob.\n", 20_000)
		if err := os.WriteFile(fmt.Sprintf("shards/%d.txt", i), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	run := func(folder string) *exec.Cmd {
		return exec.Command(program, "annotate", "--db", "models.parlance", "--using", "ner", "--input-format", "lines",
			"--format", "jsonl", "--out", folder, "shards/*.txt")
	}
	if out, err := run("alone").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	first, second, killed := run("shared"), run("shared"), run("killed")
	for _, c := range []*exec.Cmd{first, second, killed} {
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
	}
	for range 500 { // until it writes
		if list, _ := os.ReadDir("killed"); len(list) > 0 {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	_ = killed.Process.Kill()
	_ = killed.Wait()
	if err := errors.Join(first.Wait(), second.Wait()); err != nil {
		t.Error(err)
	}
	if out, err := run("killed").CombinedOutput(); err != nil {
		t.Errorf("after a kill: %v: %s", err, out)
	}
	for _, folder := range []string{"shared", "killed"} {
		list, err := os.ReadDir(folder)
		if err != nil {
			t.Fatal(err)
		}
		whole := 0
		for _, f := range list {
			if strings.HasPrefix(f.Name(), ".") && folder == "killed" {
				continue
			}
			whole++
			want, err1 := os.ReadFile(filepath.Join("alone", f.Name()))
			got, err2 := os.ReadFile(filepath.Join(folder, f.Name()))
			if err := errors.Join(err1, err2); err != nil || !bytes.Equal(got, want) {
				t.Errorf("%s: %d bytes, want %d; %v", f.Name(), len(got), len(want), err)
			}
		}
		if whole != 3 {
			t.Errorf("%s has %v", folder, list)
		}
	}
}
