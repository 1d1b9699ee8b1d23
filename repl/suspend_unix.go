//go:build unix

package repl

import (
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/reeflective/readline"
	"github.com/reeflective/readline/inputrc"
	"golang.org/x/term"
)

// bindSuspend makes Ctrl-Z stop the program, as it does while the terminal is not read key by key.
func bindSuspend(rl *readline.Shell, suspend func()) {
	rl.Keymap.Register(map[string]func(){"suspend": func() {
		rl.History.SkipSave()
		suspend()
		rl.Display.PrintPrimaryPrompt()
	}})
	for _, keymap := range []string{"emacs", "emacs-standard", "vi-insert", "vi-command"} {
		_ = rl.Config.Bind(keymap, inputrc.Unescape(`\C-z`), "suspend", false) // of a keymap that there is not
	}
}

// suspend gives the terminal back as it was and stops until somebody lets the program go on.
func (sh *shell) suspend() {
	fd := int(sh.s.in.(*os.File).Fd())
	keys, err := term.GetState(fd)
	if err != nil || sh.terminal == nil || term.Restore(fd, sh.terminal) != nil {
		return
	}
	fmt.Print("\x1b[?2004l\n")
	resumed := make(chan os.Signal, 1)
	signal.Notify(resumed, syscall.SIGCONT)
	defer signal.Stop(resumed)
	if syscall.Kill(0, syscall.SIGTSTP) == nil {
		select {
		case <-resumed:
		case <-time.After(100 * time.Millisecond): // nobody is there who could let it go on: it was not stopped
		}
	}
	fmt.Print("\x1b[?2004h")
	_ = term.Restore(fd, keys) // a terminal that is gone shows when it is read
}
