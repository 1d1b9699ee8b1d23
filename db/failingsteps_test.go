package db_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"parlance/db"
	"parlance/db/languagetest"
	"parlance/storage/failing"
)

var (
	errStep = errors.New("this step fails for once")
	errLook = fmt.Errorf("%w: %w", errStep, context.Canceled)
)

// failingCalls chooses which steps of statements fail: those that are reached by way of a call that led to no failure
// of such a step yet. So each call in the program that can end in an error of the file has one, and its error goes all
// the way up, whoever has called it.
type failingCalls struct {
	mu     sync.Mutex
	armed  bool
	looker string // the function for which the context has ended, or everyone
	fired  string // the stack of the step that has failed
	seen   map[call]bool
	fires  int
}

// call is where a function calls another one on the way to a step.
type call struct {
	at   uintptr
	step failing.Step
}

// begin lets steps fail until the returned function is called. All is done by one processor, so that the same steps
// fail each time and failures are met on the stack of the statement.
func (f *failingCalls) begin() (end func()) {
	before, stop := runtime.GOMAXPROCS(1), failing.By(f.choose)
	return func() {
		stop()
		runtime.GOMAXPROCS(before)
	}
}

// choose lets a step fail, once while it is armed.
func (f *failingCalls) choose(step failing.Step) error {
	var stack [100]uintptr
	calls := stack[:runtime.Callers(2, stack[:])]
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.armed && step == failing.Look && f.looker != "" && (f.looker == everyone || looker(calls) == f.looker) {
		return errLook
	}
	if !f.armed || f.fired != "" {
		return nil
	}
	fresh := false
	for _, at := range calls {
		fresh = fresh || !f.seen[call{at, step}]
	}
	if !fresh {
		return nil
	}
	text := described(step, calls)
	for _, at := range calls {
		f.seen[call{at, step}] = true
	}
	for _, name := range apart {
		if strings.Contains(text, name) {
			return nil
		}
	}
	f.fired = text
	f.fires++
	if step == failing.Look {
		f.looker = looker(calls)
		return errLook
	}
	return errStep
}

// apart are functions that work for no statement, or for one that has ended.
var apart = []string{
	"removeOrphansSoon",
	"cancelWith",         // looks whether a statement that has failed was cancelled
	"noteContradictions", // gives notices about rules that are stored
}

// harmless are functions whose failures do not fail a statement, which must give what is expected all the same.
var harmless = []string{
	// What nobody reads stays in the file until the next change.
	"collectSoon", "mergeAfter", "mergeTable", "DeleteWeights", "deleteWeights", "removeIndex",
	"mergeGenerations",                        // many small generations stay as they are
	"IndexNote", "SearchNote", "RelationNote", // estimates of EXPLAIN
	"LookupIsCheaper",    // an estimate: the other way gives the same rows
	"Begin",              // what is read ahead and not needed
	"resultOfMissingKey", // is told where a key is missing
	"planForLiterals",    // the literals are planned as such then
	"CountLayers",        // of tables in pg_catalog, whose rows are of an unknown number then
	"checkSegment",       // CHECK CORPUS has a row for it
	"documentID",         // in a warning, which has a number in its place then
}

// trains reports whether a statement trains models, of which a number is used up and a job is listed.
func trains(statement string) bool {
	word, _, _ := strings.Cut(statement, " ")
	return slices.Contains([]string{"TRAIN", "TUNE", "REPLAY", "RESUME"}, strings.ToUpper(word))
}

// reads reports whether a statement changes nothing, so that it can be run once more.
func reads(statement string) bool {
	word, _, _ := strings.Cut(statement, " ")
	switch strings.ToUpper(word) {
	case "SELECT", "WITH", "EXPLAIN", "CHECK", "SHOW", "DESCRIBE", "SUMMARIZE":
		return true
	}
	return false
}

func isHarmless(stack string) bool {
	return slices.ContainsFunc(harmless, func(name string) bool { return strings.Contains(stack, name) })
}

// everyone stands for all functions that look at a context.
const everyone = "everyone"

// lookAgain are functions that leave it to their callers to notice that the context has ended, as it stays so.
var lookAgain = []string{"algo/", "query/fn/", "query/expr.(*Quantified).inSet", "query/operator.sortWith",
	"query/operator.(*column).rankEncoded"}

// looker is the function that looks at a context, without what stands within it. For that alone the context ends, so
// that nobody else tells what it should have told, except where its callers look again.
func looker(calls []uintptr) string {
	frames := runtime.CallersFrames(calls)
	for {
		f, more := frames.Next()
		if name, ok := strings.CutPrefix(f.Function, "parlance/"); ok && !strings.HasPrefix(name, "storage/failing") {
			name, _, _ = strings.Cut(name, ".func")
			switch {
			case name == "query/turn.Err":
				continue
			case slices.ContainsFunc(lookAgain, func(s string) bool { return strings.HasPrefix(name, s) }):
				return everyone
			}
			return name
		}
		if !more {
			return ""
		}
	}
}

func described(step failing.Step, calls []uintptr) string {
	var b strings.Builder
	b.WriteString(step.String() + "\n")
	frames := runtime.CallersFrames(calls)
	for {
		f, more := frames.Next()
		if strings.HasPrefix(f.Function, "parlance/") {
			fmt.Fprintf(&b, "  %s %s:%d\n", strings.TrimPrefix(f.Function, "parlance/"), filepath.Base(f.File), f.Line)
		}
		if !more {
			return b.String()
		}
	}
}

// arm lets the next fitting step fail; disarm tells which one has.
func (f *failingCalls) arm() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.armed, f.looker, f.fired = true, "", ""
}

func (f *failingCalls) disarm() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.armed = false
	return f.fired
}

// slowFiles are those that train for most of their time, and run to few steps that no other file has; slowerFiles
// others that take long.
var (
	slowFiles = []string{"svm.test", "nonlocal.test", "perceptron.test", "tune.test", "lookahead.test", "maxent.test",
		"model.test", "overlap.test", "calibration.test", "train.test", "evaluatelayer.test",
		"recursive.test", "extract.test", "ngrams.test", "triples.test", "similarity.test"}
	slowerFiles = []string{"evaluate.test", "annotatedfiles.test", "foreignmodels.test", "using.test", "firsthour.test",
		"pairrelation.test", "depparser-features.test", "inputs.test", "mrlsa.test", "lineage.test", "coreference.test",
		"kbtypes.test"}
)

// TestFailingSteps runs the tests of the language; each statement again and again, while steps of it fail. It must tell
// each failure, and leave things so that it gives what is expected in the end.
func TestFailingSteps(t *testing.T) {
	calls := &failingCalls{seen: map[call]bool{}}
	defer calls.begin()()
	but := slowFiles
	if testing.Short() {
		but = append(slices.Clone(slowFiles), slowerFiles...)
	}
	languagetest.RunBut(t, ".", but, func(t *testing.T, d *db.DB) languagetest.Driver {
		s := &failingSession{session: session{d.Conn(), d}, calls: calls, t: t}
		s.Files(failingFiles{db.AllFiles})
		return s
	})
	t.Logf("%d steps have failed by way of %d calls", calls.fires, len(calls.seen))
}

// failingSession runs each statement until no step of it fails.
type failingSession struct {
	session
	calls   *failingCalls
	t       *testing.T
	in      *strings.Reader
	out     *bytes.Buffer
	notice  func(string)
	notices []string
	altered bool
}

// Altered reports whether failures stay to be seen: trainings have numbers and are listed, a savepoint is in a hint.
func (s *failingSession) Altered() bool { return s.altered }

func (s *failingSession) Streams(in io.Reader, out io.Writer) {
	s.in, s.out = in.(*strings.Reader), out.(*bytes.Buffer)
	s.session.Streams(in, out)
}

func (s *failingSession) OnNotice(f func(string)) {
	s.notice = f
	s.session.OnNotice(func(text string) { s.notices = append(s.notices, text) })
}

func (s *failingSession) Script(ctx context.Context, script string, show func(*languagetest.Result)) error {
	return languagetest.Each(script, func(statement string) error {
		for {
			results, fired, err := s.attempt(ctx, statement)
			if fired == "" || err == nil && isHarmless(fired) && !reads(statement) {
				for _, r := range results {
					show(r)
				}
				for _, n := range s.notices {
					s.notice(n)
				}
				return err
			}
			if !isHarmless(fired) && !tells(results, err) {
				s.t.Errorf("%s\nends with %v after the failure of a %s", statement, err, fired)
			}
		}
	})
}

// tells reports whether a failure is in the error of a statement, or in a row, as CHECK DATABASE has it.
func tells(results []*languagetest.Result, err error) bool {
	if err != nil {
		return errors.Is(err, errStep) || strings.Contains(err.Error(), errStep.Error())
	}
	for _, r := range results {
		for _, row := range r.Rows {
			if strings.Contains(fmt.Sprint(row), errStep.Error()) {
				return true
			}
		}
	}
	return false
}

// attempt runs a statement once, and tells which step of it has failed.
func (s *failingSession) attempt(ctx context.Context, statement string) (results []*languagetest.Result, fired string,
	err error) {
	read, written := s.in.Size()-int64(s.in.Len()), s.out.Len()
	s.notices = nil
	run := func(statement string) error {
		return s.Conn.Script(ctx, statement, func(rows *db.Rows) error {
			results = append(results, result(rows))
			return rows.Err()
		})
	}
	block := s.Block() == db.OpenBlock
	switch {
	case s.Block() == db.FailedBlock, block && ofBlocks(statement):
		return results, "", run(statement)
	case block:
		if err := s.Conn.Script(ctx, "SAVEPOINT attempt", nil); err != nil {
			s.t.Fatal(err)
		}
	}
	s.calls.arm()
	err = run(statement)
	fired = s.calls.disarm()
	if fired != "" {
		s.altered = s.altered || trains(statement)
		if _, err := s.in.Seek(read, io.SeekStart); err != nil {
			s.t.Fatal(err)
		}
		s.out.Truncate(written)
		if block {
			if err := s.Conn.Script(ctx, "ROLLBACK TO attempt", nil); err != nil {
				s.t.Fatal(err)
			}
		}
	}
	s.altered = s.altered || block && fired == "" && err != nil
	if block && (fired != "" || err == nil) {
		if err := s.Conn.Script(ctx, "RELEASE attempt", nil); err != nil {
			s.t.Fatal(statement, err)
		}
	}
	return results, fired, err
}

// ofBlocks reports whether a statement is about the block in which it stands, or moves a cursor.
func ofBlocks(statement string) bool {
	word, _, _ := strings.Cut(strings.TrimRight(statement, "; "), " ")
	switch strings.ToUpper(word) {
	case "BEGIN", "START", "COMMIT", "END", "ROLLBACK", "ABORT", "SAVEPOINT", "RELEASE", "PREPARE", "DECLARE", "FETCH",
		"MOVE", "CLOSE", "SET":
		return true
	}
	return false
}

// failingFiles are files of statements whose reads and writes are steps.
type failingFiles struct{ db.Files }

func (f failingFiles) Open(name string) (db.File, error) {
	if err := failing.At(failing.TempOpen); err != nil {
		return nil, err
	}
	file, err := f.Files.Open(name)
	if err != nil {
		return nil, err
	}
	return failingFile{file}, nil
}

func (f failingFiles) Create(name string) (db.NewFile, error) {
	if err := failing.At(failing.TempOpen); err != nil {
		return nil, err
	}
	file, err := f.Files.Create(name)
	if err != nil {
		return nil, err
	}
	if own, ok := file.(*os.File); ok && strings.Contains(name, "backup") {
		return own, nil
	}
	return failingNewFile{file}, nil
}

type failingFile struct{ db.File }

func (f failingFile) Read(b []byte) (int, error) {
	if err := failing.At(failing.TempRead); err != nil {
		return 0, err
	}
	return f.File.Read(b)
}

func (f failingFile) ReadAt(b []byte, at int64) (int, error) {
	if err := failing.At(failing.TempRead); err != nil {
		return 0, err
	}
	return f.File.ReadAt(b, at)
}

type failingNewFile struct{ db.NewFile }

func (f failingNewFile) Write(b []byte) (int, error) {
	if err := failing.At(failing.TempWrite); err != nil {
		return 0, err
	}
	return f.NewFile.Write(b)
}

func (f failingNewFile) Chmod(mode fs.FileMode) error {
	return f.NewFile.(interface{ Chmod(fs.FileMode) error }).Chmod(mode)
}
