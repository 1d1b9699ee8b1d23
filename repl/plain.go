package repl

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"strings"

	"github.com/reeflective/readline"
)

// dumb tells whether the terminal can only be written to from left to right, line by line.
func dumb() bool {
	name := os.Getenv("TERM")
	return name == "dumb" || name == "" && runtime.GOOS != "windows"
}

// plain reads a line as the terminal gives it, without editing and completion.
func (sh *shell) plain(prompt string) (string, error) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	defer sh.keys.until(ctx)()
	sh.keys.hinted = true
	fmt.Fprint(sh.s.out, prompt)
	var line []byte
	for buf := make([]byte, 4096); ; {
		n, err := sh.keys.Read(buf)
		line = append(line, buf[:n]...)
		switch {
		case ctx.Err() != nil:
			return "", readline.ErrInterrupt
		case strings.HasSuffix(string(line), "\n"):
			return strings.TrimRight(string(line), "\r\n"), nil
		case err == io.EOF:
			fmt.Fprintln(sh.s.out)
			return string(line), io.EOF
		case err != nil:
			return "", err
		}
	}
}
