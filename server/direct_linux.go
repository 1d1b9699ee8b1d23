package server

import (
	"io"
	"net"
	"os"
	"syscall"
	"unsafe"
)

// socket is a connection over TCP or a Unix-domain socket.
type socket interface {
	net.Conn
	syscall.Conn
}

// direct is a connection whose reads and writes the scheduler of Go is not told of: its
// sockets do not block, so that a call returns in microseconds, while telling costs as much as a
// small statement and lets the monitor of the runtime take the processor away in between.
type direct struct {
	socket
	raw   syscall.RawConn
	in    transfer
	out   transfer
	read  func(fd uintptr) bool // methods of in and out, made once
	write func(fd uintptr) bool

	fd      uintptr // within turns, 0 outside
	drained bool    // the last read took all that there was: what comes next makes itself known
}

// transfer is one direction of a connection: what the call under way uses.
type transfer struct {
	trap  uintptr
	p     []byte
	n     int
	errno syscall.Errno
}

// call runs the system call and reports whether it need not wait for the network.
func (t *transfer) call(fd uintptr) bool {
	for {
		n, _, errno := syscall.RawSyscall(t.trap, fd, uintptr(unsafe.Pointer(unsafe.SliceData(t.p))), uintptr(len(t.p)))
		switch t.n, t.errno = int(n), errno; errno {
		case 0:
			return true
		case syscall.EINTR:
			continue
		case syscall.EAGAIN:
			return false
		}
		t.n = 0
		return true
	}
}

// directSocket returns the connection with direct reads and writes where it can have them. Like the
// goroutine of a connection, they are for one reader and one writer at a time.
func directSocket(c net.Conn) net.Conn {
	s, ok := c.(socket)
	if !ok {
		return c
	}
	raw, err := s.SyscallConn()
	if err != nil {
		return c
	}
	if a, ok := s.RemoteAddr().(*net.TCPAddr); ok && a.IP.IsLoopback() {
		_ = raw.Control(withoutPacing)
	}
	d := &direct{socket: s, raw: raw, in: transfer{trap: syscall.SYS_READ}, out: transfer{trap: syscall.SYS_WRITE}}
	d.read, d.write = d.in.call, d.out.call
	return d
}

// withoutPacing takes the simplest congestion control for a socket within the machine, where there is no
// network to measure: others, such as BBR, set timers for each message.
func withoutPacing(fd uintptr) {
	_ = syscall.SetsockoptString(int(fd), syscall.IPPROTO_TCP, syscall.TCP_CONGESTION, "reno")
}

func (d *direct) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	if d.drained {
		d.drained = false
		if len(p) >= readBuffer { // else a message has begun, and its client may have gone in one piece with that
			return 0, errSilent
		}
	}
	d.in.p = p
	err := d.take()
	d.in.p = nil
	switch {
	case err != nil:
		return 0, err
	case d.in.errno != 0:
		return 0, d.failed("read", d.in.errno)
	case d.in.n == 0:
		return 0, io.EOF
	}
	d.drained = d.fd != 0 && d.in.n < len(p)
	return d.in.n, nil
}

// take reads once, waiting only outside of turns.
func (d *direct) take() error {
	switch {
	case d.fd == 0:
		return d.raw.Read(d.read)
	case !d.in.call(d.fd):
		return errSilent
	}
	return nil
}

// turns calls step at once and whenever the client has sent something since, until it returns true.
func (d *direct) turns(step func() bool) error {
	defer func() { d.fd, d.drained = 0, false }()
	return d.raw.Read(func(fd uintptr) bool {
		d.fd = fd
		return step()
	})
}

func (d *direct) Write(p []byte) (int, error) {
	for at := 0; at < len(p); at += d.out.n {
		d.out.p = p[at:]
		err := d.raw.Write(d.write)
		d.out.p = nil
		if err == nil && d.out.errno != 0 {
			err = d.failed("write", d.out.errno)
		}
		if err != nil {
			return at, err
		}
	}
	return len(p), nil
}

func (d *direct) failed(op string, errno syscall.Errno) error {
	return &net.OpError{Op: op, Net: d.LocalAddr().Network(), Source: d.LocalAddr(), Addr: d.RemoteAddr(),
		Err: os.NewSyscallError(op, errno)}
}
