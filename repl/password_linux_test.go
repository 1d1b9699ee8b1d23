package repl_test

import (
	"bytes"
	"errors"
	"fmt"
	"net"
	"os"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"unsafe"

	"parlance/repl"

	"github.com/jackc/pgx/v5/pgproto3"
)

// TestPasswordIsNotShown while it is typed at a terminal.
func TestPasswordIsNotShown(t *testing.T) {
	t.Setenv("PGPASSWORD", "")
	t.Setenv("PGPASSFILE", os.DevNull)
	master, slave := terminal(t)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	got := make(chan string, 2)
	go refuse(l, got)
	var out, errs bytes.Buffer
	code := make(chan int)
	go func() {
		code <- repl.Main([]string{"connect", fmt.Sprintf("postgres://ann@%s/x?sslmode=disable", l.Addr())}, slave, &out,
			&errs)
	}()
	for shown := true; shown; runtime.Gosched() {
		var state syscall.Termios
		ioctl(t, slave, syscall.TCGETS, unsafe.Pointer(&state))
		shown = state.Lflag&syscall.ECHO != 0
	}
	if _, err := master.WriteString("secret\n"); err != nil {
		t.Fatal(err)
	}
	if c := <-code; c != 1 || !strings.HasPrefix(errs.String(), "Password of ann: \n") ||
		!strings.Contains(errs.String(), "wrong password") {
		t.Errorf("exit code %d, errors %q", c, errs.String())
	}
	if first, second := <-got, <-got; first != "" || second != "secret" {
		t.Errorf("the server got %q and %q", first, second)
	}
	if err := slave.Close(); err != nil {
		t.Fatal(err)
	}
	var shown bytes.Buffer
	if _, err := shown.ReadFrom(master); err != nil && !errors.Is(err, syscall.EIO) {
		t.Error(err)
	}
	if strings.Contains(shown.String(), "secret") {
		t.Errorf("the terminal shows %q", shown.String())
	}
}

// refuse asks for passwords and takes none.
func refuse(l net.Listener, got chan<- string) {
	for {
		c, err := l.Accept()
		if err != nil {
			return
		}
		b := pgproto3.NewBackend(c, c)
		if _, err := b.ReceiveStartupMessage(); err == nil {
			b.Send(&pgproto3.AuthenticationCleartextPassword{})
			if b.Flush() == nil {
				msg, _ := b.Receive()
				if p, ok := msg.(*pgproto3.PasswordMessage); ok {
					got <- p.Password
				}
				b.Send(&pgproto3.ErrorResponse{Severity: "FATAL", SeverityUnlocalized: "FATAL", Code: "28P01",
					Message: "wrong password"})
				_ = b.Flush()
			}
		}
		c.Close()
	}
}

// terminal opens a pseudo-terminal: what a person types at and what the program reads.
func terminal(t *testing.T) (master, slave *os.File) {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Skip("no pseudo-terminals here:", err)
	}
	t.Cleanup(func() { master.Close() })
	var locked, number int32
	ioctl(t, master, syscall.TIOCSPTLCK, unsafe.Pointer(&locked))
	ioctl(t, master, syscall.TIOCGPTN, unsafe.Pointer(&number))
	if slave, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|syscall.O_NOCTTY, 0); err != nil {
		t.Skip("no pseudo-terminals here:", err)
	}
	t.Cleanup(func() { slave.Close() })
	return master, slave
}

func ioctl(t *testing.T, f *os.File, request uintptr, arg unsafe.Pointer) {
	t.Helper()
	if _, _, errno := syscall.Syscall(syscall.SYS_IOCTL, f.Fd(), request, uintptr(arg)); errno != 0 {
		t.Fatal(errno)
	}
}
