package repl

import (
	"context"
	"io"
	"strings"
)

// page shows a text of the shell itself, such as help, page by page where it is longer than the screen.
func (sh *shell) page(ctx context.Context, text string) error {
	if sh.pager == nil || sh.file != nil {
		_, err := io.WriteString(sh.s.out, text)
		return err
	}
	ctx, leave := sh.interruptible(ctx)
	defer leave()
	if !sh.pager.begin(leave) {
		_, err := io.WriteString(sh.s.out, text)
		return err
	}
	_, err := io.WriteString(&harmless{w: sh.pager}, text)
	if sh.pager.left(err) || ctx.Err() != nil {
		err = nil
	}
	if ended := sh.pager.end(); err == nil {
		err = ended
	}
	return err
}

// reflow breaks the paragraphs of a text anew, so that they fill a screen; 0 is no screen. Lines of code, which begin
// with blanks, of lists and of tables stay lines of their own; what is too wide of them goes on below, further right.
func reflow(text string, screen int) string {
	if screen <= 0 {
		return text
	}
	var out []string
	paragraph := ""
	end := func() {
		if paragraph != "" {
			out = append(out, wrap(paragraph, screen)...)
			paragraph = ""
		}
	}
	for _, line := range strings.Split(text, "\n") {
		own := line == "" || strings.ContainsRune(" |-*#", rune(line[0]))
		if own {
			end()
			out = append(out, hang(line, screen)...)
			continue
		}
		if paragraph != "" {
			paragraph += " "
		}
		paragraph += line
	}
	end()
	return strings.Join(out, "\n")
}

// hang breaks a line, and puts what goes on four blanks further right than it begins.
func hang(line string, screen int) []string {
	margin := len(line) - len(strings.TrimLeft(line, " ")) + 4
	if screen < margin+narrowestText {
		margin = 0
	}
	all := wrap(line, screen)
	if len(all) < 2 {
		return all
	}
	rest := strings.TrimLeft(strings.TrimPrefix(line, all[0]), " ")
	out := all[:1:1]
	for _, l := range wrap(rest, screen-margin) {
		out = append(out, strings.Repeat(" ", margin)+l)
	}
	return out
}
