package repl

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"parlance/db"
)

// changeDatabase opens another database file, or a server, in place of what the session is on, or tells what that is.
func (sh *shell) changeDatabase(ctx context.Context, words []string) error {
	if len(words) == 1 {
		return sh.connection(ctx, words)
	}
	if sh.conn.Block() != db.NoBlock {
		return errors.New(`\c: the transaction block is open, and what it has changed would be lost; COMMIT or ROLLBACK ends it`)
	}
	now, _ := sh.conn.(local)
	next, created, err := sh.open(ctx, words[1], now)
	if err != nil || next == nil {
		return err
	}
	closed := sh.conn.Close()
	sh.use(next)
	sh.conn.Stdin(sh.data())
	if sh.completer != nil {
		sh.completer.conn = next
	}
	if now.temporary {
		sh.say("The temporary database is removed.")
	}
	sh.say("The session is on %s.", next.Address())
	if created {
		sh.say("The file is new; it stays if something is written to it.")
	}
	return closed
}

// open opens what \c names; nil where the session is on it already.
func (sh *shell) open(ctx context.Context, name string, now local) (next session, created bool, err error) {
	if strings.HasPrefix(name, "postgres://") || strings.HasPrefix(name, "postgresql://") {
		conn, err := dial(ctx, name, sh.s)
		if err != nil {
			return nil, false, err
		}
		return newDistant(conn), false, nil
	}
	if info, err := os.Stat(name); err != nil {
		created = errors.Is(err, os.ErrNotExist)
	} else if on, err := os.Stat(now.path); err == nil && os.SameFile(info, on) {
		sh.say("The session is on %s already.", now.path)
		return nil, false, nil
	}
	d, err := db.Open(name, db.Options{ReadOnly: now.readOnly, RemoveUnwritten: true})
	if err != nil {
		return nil, false, fmt.Errorf(`\c %s: %w`, name, err)
	}
	return newLocal(d, name, now.readOnly), created && name != ":memory:", nil
}

// title is what the prompt calls a database file.
func title(path string) string {
	return shorten(visible(strings.TrimSuffix(filepath.Base(path), ".parlance")), widestTitle)
}

// widestTitle bounds what stands in the prompt, in cells.
const widestTitle = 24
