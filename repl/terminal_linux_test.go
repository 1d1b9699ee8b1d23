package repl_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"parlance/algo/testutil/testtime"
)

// TestShellInTerminal types statements at a server and interrupts one.
func TestShellInTerminal(t *testing.T) {
	bin := buildCommand(t)
	url, d := listenOn(t)
	numbers(t, d)
	master, slave := terminal(t)
	cmd := exec.Command(bin, "connect", url)
	state := t.TempDir()
	cmd.Env = append(os.Environ(), "TERM=xterm", "XDG_STATE_HOME="+state)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = slave, slave, slave
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer cmd.Process.Kill()
	slave.Close()
	screen := newScreen(t, master)
	screen.all = new(strings.Builder)
	screen.enter("SELECT 40 + 2 AS answer;", "(1 row)")
	screen.enter("SELECT upper('é in zürich') || length('👩‍👩‍👧é日本') AS typed;", "É IN ZÜRICH8")
	screen.enter("SELECT nope;", "unknown column nope")
	screen.enter(endless+";", "")
	runs(t, d)
	screen.write("\x03")
	screen.until("error 57014: ")
	screen.enter("SELECT 'still' || ' here' AS x;", "still here")
	screen.enter("SELECT 'on ' ||\r'two lines' AS x;", "on two lines")
	screen.enter("\x1b[A", "") // the whole statement again
	screen.write("\r")
	screen.until("on two lines")
	screen.write("SELECT 'lin' ||\r'q' AS x;")
	screen.write("\x1b[A\x01SELECT upper('up'); \r") // to the line before, not to the statement before
	screen.until("linq")
	screen.enter("SEL\t 'comp' || 'leted';", "completed")
	screen.enter("SELECT 1 PASSWORD 'hidden';", "error")
	screen.enter("\x1b[200~SELECT 'pas' ||\r\t'ted';\r\\timing off\rSELECT nope2;\rSELECT 'not run';\r\x1b[201~", "pasted")
	screen.until("Timing is off.")
	screen.until("shell:4:8: error 42703: unknown column nope2")
	screen.enter("LOAD STDIN INTO nope FORMAT csv;", "error 42704")
	screen.enter("COPY numbers FROM STDIN FORMAT csv;", "Ctrl-D")
	screen.write("1\nhalf a line\x03")
	screen.until("error 57014: ")
	screen.enter("BEGIN;", "parlance*> ")
	screen.write("SELECT wrong;\r")
	screen.until("parlance!> ")
	screen.write("ROLLBACK;\r")
	screen.enter("help", "run the statement, as a semicolon does")
	screen.enter("Quit;", "")
	for range screen.came {
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("the shell ends with %v", err)
	}
	if !strings.Contains(screen.all.String(), "\x1b[?2004h") {
		t.Error("the terminal is not asked to mark what is pasted")
	}
	kept, err := os.ReadFile(filepath.Join(state, "parlance", "history"))
	if err != nil || !strings.Contains(string(kept), `SELECT 'on ' ||\n'two lines' AS x;`) ||
		strings.Contains(string(kept), "hidden") {
		t.Errorf("%v, the history is\n%s", err, kept)
	}
}

// TestShellPages shows a long answer by the program of PAGER, and opens an editor.
func TestShellPages(t *testing.T) {
	screen,
		wait := start(t, "TERM=xterm", "PAGER=sed -n 's/^ *\\([0-9]*\\)$/page \\1/p'", "VISUAL=", "EDITOR=sed -i 's/3/4/'")
	screen.enter("SELECT n FROM generate_series(1, 30) AS t(n);", "page 30")
	screen.enter("\x1a", "") // Ctrl-Z, where nobody could let the shell go on
	screen.write("SELECT 'answer ' || 3 AS x;\r")
	screen.until("answer 3")
	screen.enter("\\e", "answer 4")
	screen.enter("\\pset pager off", "Pager usage is off.")
	screen.enter("SELECT n FROM generate_series(1, 30) AS t(n);", "(30 rows)")
	screen.enter("\\watch 100", "(every 100 s)")
	screen.until("(30 rows)")
	screen.write("\x03")
	screen.enter("\\q", "")
	wait()
}

// TestInterruptsInPager leave the shell where it is, however often they come.
func TestInterruptsInPager(t *testing.T) {
	screen, wait := start(t, "TERM=xterm", "PSQL_PAGER=trap '' INT; cat; echo asks; read answer <&2; echo took $answer")
	screen.enter("SELECT n FROM generate_series(1, 200) AS t(n);", "asks")
	for range 20 { // one cancels, and a while later the next would end the program
		screen.write("\x03")
		screen.until("^C")
	}
	screen.write("done\r")
	screen.until("took done")
	screen.enter("SELECT 'still' || ' here' AS x;", "still here")
	screen.enter("\\q", "")
	wait()
}

// TestPagerKeepsInterrupts: Ctrl-C while pages are turned belongs to the pager, also where rows are still to come, and
// does not cut the table.
func TestPagerKeepsInterrupts(t *testing.T) {
	screen, wait := start(t, "TERM=xterm", "PSQL_PAGER=trap '' INT; echo asks; read answer <&2; tail -1; echo took "+
		"$answer")
	screen.enter("SELECT n FROM generate_series(1, 200000) AS t(n);", "asks")
	for range 5 {
		screen.write("\x03")
		screen.until("^C")
	}
	screen.write("done\r")
	screen.until("(200000 rows)")
	screen.until("took done")
	screen.enter("SELECT 'still' || ' here' AS x;", "still here")
	screen.enter("\\q", "")
	wait()
}

// TestPagerLeft: whoever leaves the pager ends a statement that has more rows, without an error.
func TestPagerLeft(t *testing.T) {
	screen, wait := start(t, "TERM=xterm", "PSQL_PAGER=head -3 | tail -1; kill -INT $$")
	screen.all = new(strings.Builder)
	screen.enter("SELECT n FROM generate_series(1, 3000) AS t(n) UNION ALL "+
		"SELECT count(*) FROM generate_series(1, 9000000) AS a(x), generate_series(1, 9000000) AS b(y);", "1")
	screen.enter("SELECT 'still' || ' here' AS x;", "still here")
	screen.enter("\\q", "")
	wait()
	if seen := screen.all.String(); strings.Contains(seen, "error") {
		t.Errorf("leaving the pager is shown as an error:\n%s", seen)
	}
}

// TestFilesInTerminal: names of files complete in strings while colours are on, and the prompt names the file that is
// open.
func TestFilesInTerminal(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("some words.csv", []byte("word\nx\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	screen, wait := start(t, "TERM=xterm", "NO_COLOR=")
	screen.enter("\\c other.parlance", "The session is on")
	screen.until("other> ")
	screen.until("\x1b[?25h")
	screen.write("CREATE LEXICON found (word TEXT);\r")
	screen.until("other> ")
	screen.until("\x1b[?25h")
	screen.write("LOAD 'some w\tINTO found FORMAT csv;\r")
	screen.until("LOAD 1")
	screen.until("other> ")
	screen.until("\x1b[?25h")
	screen.write("\\q\r")
	wait()
}

// TestDumbTerminal reads lines as they come and writes no sequence that a dumb terminal would show.
func TestDumbTerminal(t *testing.T) {
	for _, name := range []string{"TERM=dumb", "TERM="} {
		screen, wait := start(t, name)
		screen.all = new(strings.Builder)
		line := func(text, want string) {
			screen.until("parlance> ")
			screen.write(text)
			screen.until(want)
		}
		line("SELECT 'one ' ||\n'two' AS x;\n", "one two")
		line("SELECT half\x03", "^C")
		line("SELECT 'still' || ' here' AS x;\n", "still here")
		line("\x04", "")
		wait()
		if seen := screen.all.String(); strings.Contains(seen, "\x1b") || !strings.Contains(seen, "\n       -> ") {
			t.Errorf("%s: the terminal is sent %q", name, seen)
		}
	}
}

// start opens the shell in a terminal of 20 rows.
func start(t *testing.T, env ...string) (s *screen, wait func()) {
	master, slave := terminal(t)
	size := exec.Command("stty", "rows", "20", "cols", "80")
	size.Stdin = slave
	if out, err := size.CombinedOutput(); err != nil {
		t.Skipf("stty: %v %s", err, out)
	}
	cmd := exec.Command(buildCommand(t))
	cmd.Env = append(append(os.Environ(), "XDG_STATE_HOME="+t.TempDir(), "PSQL_PAGER="), env...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = slave, slave, slave
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	slave.Close()
	s = newScreen(t, master)
	return s, func() {
		for more := range s.came {
			if s.all != nil {
				s.all.WriteString(more)
			}
		}
		if err := cmd.Wait(); err != nil {
			t.Errorf("the shell ends with %v", err)
		}
	}
}

// screen is what a person at a terminal sees and types.
type screen struct {
	t    *testing.T
	tty  *os.File
	came chan string
	seen string
	all  *strings.Builder // that was seen; nil if nobody asks
}

func newScreen(t *testing.T, tty *os.File) *screen {
	s := &screen{t: t, tty: tty, came: make(chan string, 1024)}
	go func() {
		defer close(s.came)
		buf := make([]byte, 4096)
		for {
			n, err := tty.Read(buf)
			if err != nil {
				return
			}
			s.came <- string(buf[:n])
		}
	}()
	return s
}

func (s *screen) write(text string) {
	if _, err := s.tty.WriteString(text); err != nil {
		s.t.Error(err)
	}
}

// enter types a line at the next prompt and waits for what it leads to.
func (s *screen) enter(line, want string) {
	s.t.Helper()
	s.until("\n\x1b[A") // a free row below the prompt, which drawing it needs
	s.until("parlance> ")
	s.until("\x1b[?25h") // the cursor is shown again: now keys are read
	s.write(line + "\r")
	s.until(want)
}

// until reads until something is seen.
func (s *screen) until(want string) {
	s.t.Helper()
	late := time.After(testtime.Allow(time.Minute))
	for !strings.Contains(s.seen, want) {
		var more string
		var ok bool
		select {
		case more, ok = <-s.came:
		case <-late:
		}
		if !ok {
			s.t.Fatalf("waiting for %q, the last is %q", want, s.seen)
		}
		s.seen += more
		if s.all != nil {
			s.all.WriteString(more)
		}
	}
	_, s.seen, _ = strings.Cut(s.seen, want)
}

// TestColoursInTerminal: statements and pictures have colours on a terminal, none with NO_COLOR and on a dumb one.
func TestColoursInTerminal(t *testing.T) {
	for _, c := range []struct {
		env      []string
		coloured bool
	}{{[]string{"TERM=xterm", "NO_COLOR="}, true}, {[]string{"TERM=xterm", "NO_COLOR=1"}, false}, {[]string{"TERM=dumb",
		"NO_COLOR="}, false}} {
		screen, wait := start(t, c.env...)
		screen.all = new(strings.Builder)
		for _, line := range []string{"SELECT 'Ann ran' AS document_text, 0 AS char_start, 3 AS char_end, 'PER' AS label " +
			"\\viz", "\\q"} {
			screen.until("parlance> ")
			if c.env[0] != "TERM=dumb" {
				screen.until("\x1b[?25h")
			}
			screen.write(line + "\r")
			if line != "\\q" {
				screen.until("PER")
				screen.until(" ran")
			}
		}
		wait()
		all := screen.all.String()
		if typed := strings.Contains(all, "\x1b[1;34mSELECT"); typed != c.coloured {
			t.Errorf("%q: what is typed has colours: %t", c.env, typed)
		}
		if drawn := strings.Contains(all, "mAnn\x1b[0m"); drawn != c.coloured {
			t.Errorf("%q: the picture has colours: %t in\n%q", c.env, drawn, all)
		}
		if brackets := strings.Contains(all, "[Ann PER] ran"); brackets == c.coloured {
			t.Errorf("%q: the picture has brackets: %t", c.env, brackets)
		}
	}
}
