package repl

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/jedib0t/go-pretty/v6/text"
	"golang.org/x/term"
)

// bar shows the progress of a training: one line that is written over in a terminal, else a
// line every few seconds.
type bar struct {
	w        io.Writer
	terminal bool
	mu       sync.Mutex
	width    int // of what is shown
	last     time.Time
}

// lineEvery is the time between lines that are not written over.
const lineEvery = 5 * time.Second

func newBar(w io.Writer) *bar {
	return &bar{w: w, terminal: isTerminal(w), last: time.Now()}
}

// show shows a line about the training.
func (b *bar) show(line string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	every := lineEvery
	if b.terminal {
		every = 100 * time.Millisecond
	}
	if time.Since(b.last) < every {
		return
	}
	b.last = time.Now()
	s := visible(line)
	if !b.terminal {
		fmt.Fprintln(b.w, s)
		return
	}
	if columns := screenWidth(b.w); columns > 1 {
		s = text.Trim(s, columns-1) // a line that wraps cannot be written over
	}
	width := text.StringWidth(s)
	fmt.Fprint(b.w, "\r", s, strings.Repeat(" ", max(0, b.width-width)))
	b.width = width
}

// clear wipes the line.
func (b *bar) clear() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.width > 0 {
		fmt.Fprint(b.w, "\r\x1b[K") // with the ^C that a terminal may have added
		b.width = 0
	}
}

// screenWidth is the width in columns of the terminal that w is, else 0.
func screenWidth(w io.Writer) int {
	f, ok := w.(*os.File)
	if !ok {
		return 0
	}
	columns, _, err := term.GetSize(int(f.Fd()))
	if err != nil {
		return 0
	}
	return columns
}
