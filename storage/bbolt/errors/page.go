package errors

import "fmt"

// PageError is the value of a panic on reading a page that is not what was written.
type PageError struct {
	Page uint64
}

func (e *PageError) Error() string {
	return fmt.Sprintf("page %d of the file is not what was written", e.Page)
}
