package guard_test

import (
	"errors"
	"io"
	"strings"
	"testing"

	"parlance/storage/guard"
)

func TestCall(t *testing.T) {
	if err := guard.Call("nothing", func() error { return io.EOF }); err != io.EOF {
		t.Errorf("an error became %v", err)
	}
	err := guard.Call("reading f", func() error { panic(io.ErrUnexpectedEOF) })
	var p *guard.Panic
	if !errors.As(err, &p) || p.What != "reading f" || !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Fatalf("%v", err)
	}
	if !strings.Contains(string(p.Stack), "TestCall") {
		t.Errorf("the stack does not tell where:\n%s", p.Stack)
	}
	if again := guard.Call("outside", func() error { panic(p) }); again != error(p) {
		t.Errorf("a panic that was carried over became %v", again)
	}
}
