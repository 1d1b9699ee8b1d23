package repl

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"syscall"

	"parlance/algo/option"
	"parlance/db"
	"parlance/storage/format"
	"parlance/storage/format/codec"
	"parlance/storage/value"
)

// keptRows keeps the first rows that are read.
type keptRows struct {
	rows
	statement string
	first     [][]value.Value
	more      bool // than are kept
}

// mostKept bounds the rows that \viz draws after they were shown.
const mostKept = 10000

func (k *keptRows) Next() bool {
	next := k.rows.Next()
	if next && len(k.first) < mostKept {
		k.first = append(k.first, slices.Clone(k.rows.Values()))
	} else if next {
		k.more = true
	}
	return next
}

// again are the kept rows once more.
func (k *keptRows) again() rows {
	return &replayed{rows: ended{k.rows}, first: k.first}
}

// ended are rows of which there are no more.
type ended struct{ rows }

func (ended) Next() bool { return false }
func (ended) Err() error { return nil }

// visualize draws the rows of the statement that has begun, or those that were shown last.
func (sh *shell) visualize(ctx context.Context, words []string) error {
	if sh.src.begun {
		e, err := sh.pending(words[0])
		if err != nil {
			return err
		}
		was := sh.look
		sh.look.format = "picture"
		defer func() { sh.look = was }()
		sh.statements(ctx, e)
		return nil
	}
	if sh.kept == nil {
		return fmt.Errorf("%s draws the rows of the statement before it, or those shown last; there are none", words[0])
	}
	if sh.kept.more {
		sh.say("The first %d rows are drawn.", mostKept)
	}
	ctx, stop := sh.interruptible(ctx)
	defer stop()
	return errors.Join(sh.draw(ctx, sh.kept.statement, sh.kept.again()), sh.out.Flush())
}

// draw draws the rows of a statement. It goes past what keeps control characters from the screen: pictures have none
// but their own.
func (r *runner) draw(ctx context.Context, statement string, all rows) error {
	if err := r.out.Flush(); err != nil {
		return err
	}
	all, err := r.withText(ctx, statement, all)
	if err != nil {
		return err
	}
	var w io.Writer = r.screen
	width, colour := screenWidth(r.screen), coloured(r.screen)
	switch {
	case r.file != nil:
		w, width, colour = r.file, 0, false
	case r.paged:
		w = r.pager
	}
	n, err := writePicture(w, all, width, colour)
	if err == nil && n == 0 {
		err = r.look.count(r.out, 0)
	}
	return err
}

// coloured tells whether a stream is a terminal that is written to in colours, as NO_COLOR asks it not to be.
func coloured(w io.Writer) bool {
	return isTerminal(w) && !dumb() && os.Getenv("NO_COLOR") == ""
}

// fileWidth is the width of pictures that go to no terminal.
const fileWidth = 80

// writePicture draws rows and returns how many there were; a width of 0 is that of files.
func writePicture(w io.Writer, all rows, width int, colour bool) (n int, err error) {
	if width <= 0 {
		width = fileWidth
	}
	f, _ := format.Lookup("picture")
	configured, err := f.Configure([]option.Arg{{Name: "width", Value: value.Int(int64(max(width, 20)))},
		{Name: "colour", Value: value.Bool(colour)}})
	if err != nil {
		return 0, err
	}
	columns, types := formatColumns(all.Columns())
	out, err := codec.NewRowWriter(configured, w, columns)
	if err != nil {
		return 0, undrawn(err)
	}
	for all.Next() {
		n++
		if err := out.Write(value.FromRows(types, [][]value.Value{all.Values()})); err != nil {
			return n, undrawn(err)
		}
	}
	if err := all.Err(); err != nil || n == 0 {
		return n, err
	}
	return n, undrawn(out.Close())
}

// undrawn is an error of rows that have no picture; nil for none.
func undrawn(err error) error {
	var path *fs.PathError
	if err == nil || errors.As(err, &path) || errors.Is(err, syscall.EPIPE) {
		return err
	}
	return &db.Error{Code: "0A000", Message: err.Error()}
}

// formatColumns are columns as formats know them.
func formatColumns(columns []db.Column) (out []codec.Column, types []value.Type) {
	for _, c := range columns {
		t, ok := value.ParseType(c.Type)
		if !ok {
			t = value.Text
		}
		out, types = append(out, codec.Column{Name: c.Name, Type: t}), append(types, t)
	}
	return out, types
}
