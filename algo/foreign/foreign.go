// Package foreign is the contract of readers and writers of models that other programs have trained. Each program is a
// folder, with one line in algo/formats.go. A reader turns a file into the stored sections of one of the kinds of
// model, which then serves it; nothing else of the database knows of the program.
package foreign

import (
	"context"
	"fmt"
	"io"

	"parlance/algo/kind"
	"parlance/algo/option"
)

// Format is the model files of a program.
type Format struct {
	Name string
	Doc  string        // what is read and which kind serves it
	New  func() Reader // nil for a format that is only written
	// Write writes a trained model; an error of type *Refusal says what of it the format cannot express. Nil for a format
	// that is only read.
	Write func(ctx context.Context, w io.Writer, m kind.Model) error
}

// Reader reads a model file of a program. It is used once.
type Reader interface {
	// Options declares the options of LOAD … INTO MODEL.
	Options(*option.Set)
	// Read makes a model of a file. Errors about the file are of type *Error. What it keeps in memory is bounded by a
	// multiple of the size of the file: counts in the file are checked before memory is taken for them.
	Read(ctx context.Context, f *File) (*Model, error)
}

// File is a file in memory.
type File struct {
	Name string
	Data string
}

// Model is what a reader has made of a file.
type Model struct {
	Kind    string       // that serves it
	Options []option.Arg // of the kind, as they would be given to TRAIN
	Program string       // that trained it, with the version of the file
	// the name of what cut the texts that it was trained on, "" where that is not known; texts that it reads are cut so
	Tokenizer string
	Encode    func(*kind.Writer) error
	Notices   []string
}

// Error is a fault in a model file, at a line from 1 or at a byte from 0.
type Error struct {
	Line   int   // 0 where the fault is at a byte
	Offset int64 // −1 where it is in a line, or in the file as a whole
	Msg    string
	Hint   string // what would be right; may be empty
}

func (e *Error) Error() string {
	switch {
	case e.Line > 0:
		return fmt.Sprintf("line %d: %s", e.Line, e.Msg)
	case e.Offset >= 0:
		return fmt.Sprintf("byte %d: %s", e.Offset, e.Msg)
	}
	return e.Msg
}

// Faultf is an error in the file as a whole.
func Faultf(hint, format string, args ...any) *Error {
	return &Error{Offset: -1, Msg: fmt.Sprintf(format, args...), Hint: hint}
}

// Refusal says what of a model a format cannot express.
type Refusal struct{ Msg, Hint string }

func (r *Refusal) Error() string { return r.Msg }
