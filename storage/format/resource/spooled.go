package resource

import (
	"bufio"
	"io"

	"parlance/storage/files"
)

// spooled is rows of a file that begins with their number: they are kept in a temporary file until it is known.
type spooled struct {
	file *files.Unnamed
	out  *bufio.Writer
	n    int // rows
}

// newSpooled opens a file that goes with the process.
func newSpooled() (*spooled, error) {
	f, err := files.NewUnnamed()
	if err != nil {
		return nil, err
	}
	return &spooled{file: f, out: bufio.NewWriter(f)}, nil
}

// copy writes the rows.
func (o *spooled) copy(w io.Writer) error {
	if err := o.out.Flush(); err != nil {
		return err
	}
	if _, err := o.file.Seek(0, io.SeekStart); err != nil {
		return err
	}
	_, err := io.Copy(w, o.file)
	return err
}
