package repl

import (
	"parlance/query/parse"

	"github.com/reeflective/readline"
)

// history keeps what was typed in a file, without passwords.
type history struct{ readline.History }

func newHistory(file string) readline.History {
	h, _ := readline.NewHistoryFromFile(file) // without a file the first statement makes one
	return &history{h}
}

// Write adds a statement.
func (h *history) Write(typed string) (int, error) { return h.History.Write(parse.Redact(typed)) }
