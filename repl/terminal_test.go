package repl

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math"
	"strings"
	"testing"
	"time"

	"parlance/db"
)

// TestProgressLine tells what is known.
func TestProgressLine(t *testing.T) {
	for want, p := range map[string]db.Progress{
		"step 3  objective 1.50  2.0 s": {Step: 3, Objective: 1.5, Seconds: 2},
		"step 5/20  objective -1.00  f1 0.2500  2.0 s  epsilon": {Step: 5, Of: 20, Objective: -1, Metric: "f1",
			HeldOut: 0.25, Seconds: 2, Note: "epsilon"},
		"step 5/20  objective 0.00  9.0 s  0.5 steps/s  at most 30 s left": {Step: 5, Of: 20, Seconds: 9, Rate: 0.5,
			Left: 30},
		"step 20/20  objective 0.00  8.0 s": {Step: 20, Of: 20, Seconds: 8, Metric: "f1",
			HeldOut: math.NaN()},
		"before the first step of 20  4.0 s  under way": {Of: 20, Seconds: 4, Objective: math.NaN(),
			Note: "under way"},
	} {
		if got := p.String(); got != want {
			t.Errorf("progress %+v is %q, want %q", p, got, want)
		}
	}
}

// TestBarWritesOverItself in a terminal, and leaves an empty line behind.
func TestBarWritesOverItself(t *testing.T) {
	var out bytes.Buffer
	b := &bar{w: &out, terminal: true}
	long, short := db.Progress{Step: 1000, Of: 2000}, db.Progress{Step: 1}
	b.show(long.String())
	b.show(short.String()) // too soon
	b.last = time.Time{}
	b.show(short.String())
	b.clear()
	b.clear()
	parts := strings.Split(out.String(), "\r")
	if len(parts) != 4 || parts[0] != "" || parts[1] != long.String() ||
		strings.TrimRight(parts[2], " ") != short.String() || len(parts[2]) != len(parts[1]) ||
		parts[3] != "\x1b[K" {
		t.Errorf("a terminal is shown %q", parts)
	}
	out.Reset()
	b = &bar{w: &out}
	b.show(long.String())
	b.show(short.String()) // too soon
	b.clear()
	if got := out.String(); got != long.String()+"\n" {
		t.Errorf("a file is written %q", got)
	}
}

// TestTerminationEndsTheShell while it waits for a line.
func TestTerminationEndsTheShell(t *testing.T) {
	d, err := db.Open("", db.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	in, lines := io.Pipe()
	defer lines.Close()
	var out, errs bytes.Buffer
	sh := newShell(newLocal(d, "", false), &streams{in: in, out: &out, err: &errs}, newLook("table"))
	terminated := errors.New("terminated")
	ctx, cancel := context.WithCancelCause(context.Background())
	ended := make(chan error)
	go func() { ended <- sh.shell(ctx) }()
	for _, l := range []string{"SELECT 1 AS x;\n", "SELECT 2\n"} { // the second is read when the first has run
		if _, err := io.WriteString(lines, l); err != nil {
			t.Fatal(err)
		}
	}
	cancel(terminated)
	if err := <-ended; !errors.Is(err, terminated) {
		t.Errorf("the shell ends with %v", err)
	}
	if errs.Len() > 0 {
		t.Errorf("errors %q", errs.String())
	}
}
