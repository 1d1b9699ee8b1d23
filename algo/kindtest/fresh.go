package kindtest

import (
	"encoding/gob"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
)

// A model that is used where it was trained may lean on what training left behind in the process. So it is loaded in
// a child process, which runs the same test with the file of the model in the environment up to the case at hand.
const (
	freshModel = "KINDTEST_MODEL" // file of the encoded model; answers go beside it
	freshCase  = "KINDTEST_CASE"  // case whose answers are wanted
)

// calls counts the cases of a test, which may have several under one name.
var calls struct {
	sync.Mutex
	of map[string]int
}

// caseName tells the cases of a test binary apart.
func caseName(t *testing.T) string {
	calls.Lock()
	defer calls.Unlock()
	name := t.Name()
	if calls.of == nil {
		calls.of = map[string]int{}
	}
	if calls.of[name]++; calls.of[name] == 1 {
		t.Cleanup(func() {
			calls.Lock()
			defer calls.Unlock()
			delete(calls.of, name)
		})
	}
	return fmt.Sprintf("%s %d", name, calls.of[name])
}

// child reports whether the process is there to answer, and answers if this is the case that is wanted.
func child(t *testing.T, c Case) bool {
	file := os.Getenv(freshModel)
	if file == "" {
		return false
	}
	if os.Getenv(freshCase) != c.name {
		return true
	}
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	s := sections{}
	if err := gob.NewDecoder(f).Decode(&s); err != nil {
		t.Fatal(err)
	}
	m := fresh(t, c)
	if err := m.Decode(s.reader()); err != nil {
		t.Fatal(err)
	}
	answers := written(m, annotate(t, m, c.Test, c.run(true, 0))) + c.answers(t, m)
	if err := os.WriteFile(file+".answers", []byte(answers), 0o600); err != nil {
		t.Fatal(err)
	}
	t.SkipNow() // what follows in the test is not asked for
	return true
}

// freshProcess loads the model in a child process, where it must answer as it does here.
func freshProcess(t *testing.T, c Case) {
	m := trained(t, c, 1)
	file := filepath.Join(t.TempDir(), "model")
	f, err := os.Create(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := gob.NewEncoder(f).Encode(encoded(t, m)); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	name, _, _ := strings.Cut(c.name, " ")
	parts := strings.Split(name, "/")
	for i, p := range parts {
		parts[i] = "^" + regexp.QuoteMeta(p) + "$"
	}
	cmd := exec.Command(os.Args[0], "-test.run="+strings.Join(parts, "/"), fmt.Sprintf("-test.short=%v", testing.Short()))
	cmd.Env = append(os.Environ(), freshModel+"="+file, freshCase+"="+c.name)
	out, failed := cmd.CombinedOutput()
	got, err := os.ReadFile(file + ".answers")
	if err != nil {
		t.Fatalf("the child process gives no answers: %v\n%s", failed, out)
	}
	if want := written(m, annotate(t, m, c.Test, c.run(true, 0))) + c.answers(t, m); string(got) != want {
		t.Errorf("in a fresh process the loaded model answers otherwise:\n%s\n%s", want, got)
	}
}
