package repl

import (
	"encoding/json"

	"parlance/query/parse"

	"github.com/reeflective/readline"
)

// history keeps what was typed in a file, without passwords.
type history struct{ readline.History }

// longestKept bounds the bytes of a statement, written as JSON, that the file keeps: a line longer than 64 KiB, with
// its date, would end the file for who reads it again.
const longestKept = 60 << 10

func newHistory(file string) readline.History {
	h, _ := readline.NewHistoryFromFile(file) // without a file the first statement makes one
	return &history{h}
}

// Write adds a statement that is not too long.
func (h *history) Write(typed string) (int, error) {
	if line, err := json.Marshal(typed); err != nil || len(line) > longestKept {
		return h.Len(), nil
	}
	return h.History.Write(parse.Redact(typed))
}
