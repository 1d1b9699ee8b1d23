package repl_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
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
	screen.enter("SEL\t 'comp' || 'leted';", "completed")
	screen.enter("SELECT 1 PASSWORD 'hidden';", "error")
	screen.enter("BEGIN;", "parlance*> ")
	screen.write("SELECT wrong;\r")
	screen.until("parlance!> ")
	screen.write("ROLLBACK;\r")
	screen.enter("\\q", "")
	for range screen.came {
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("the shell ends with %v", err)
	}
	kept, err := os.ReadFile(filepath.Join(state, "parlance", "history"))
	if err != nil || !strings.Contains(string(kept), `SELECT 'on ' ||\n'two lines' AS x;`) || strings.Contains(string(kept), "hidden") {
		t.Errorf("%v, the history is\n%s", err, kept)
	}
}

// TestShellPages shows a long answer by the program of PAGER, and opens an editor.
func TestShellPages(t *testing.T) {
	bin := buildCommand(t)
	master, slave := terminal(t)
	size := exec.Command("stty", "rows", "20", "cols", "80")
	size.Stdin = slave
	if out, err := size.CombinedOutput(); err != nil {
		t.Skipf("stty: %v %s", err, out)
	}
	cmd := exec.Command(bin)
	cmd.Env = append(os.Environ(), "TERM=xterm", "XDG_STATE_HOME="+t.TempDir(), "PSQL_PAGER=", "PAGER=sed -n 's/^ *\\([0-9]*\\)$/page \\1/p'", "VISUAL=", "EDITOR=sed -i 's/3/4/'")
	cmd.Stdin, cmd.Stdout, cmd.Stderr = slave, slave, slave
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer cmd.Process.Kill()
	slave.Close()
	screen := newScreen(t, master)
	screen.enter("SELECT n FROM generate_series(1, 30) AS t(n);", "page 30")
	screen.enter("SELECT 'answer ' || 3 AS x;", "answer 3")
	screen.enter("\\e", "answer 4")
	screen.enter("\\pset pager off", "The pager is off.")
	screen.enter("SELECT n FROM generate_series(1, 30) AS t(n);", "(30 rows)")
	screen.enter("\\watch 100", "(every 100 s)")
	screen.until("(30 rows)")
	screen.write("\x03")
	screen.enter("\\q", "")
	for range screen.came {
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("the shell ends with %v", err)
	}
}

// screen is what a person at a terminal sees and types.
type screen struct {
	t    *testing.T
	tty  *os.File
	came chan string
	seen string
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
	for !strings.Contains(s.seen, want) {
		more, ok := <-s.came
		if !ok {
			s.t.Fatalf("waiting for %q, the last is %q", want, s.seen)
		}
		s.seen += more
	}
	_, s.seen, _ = strings.Cut(s.seen, want)
}
