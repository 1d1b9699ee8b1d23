package server

import (
	"net"
	"syscall"

	"golang.org/x/sys/unix"
)

// gone reports whether the client has closed the connection, or it broke, without waiting and
// without reading what may have come before.
func gone(c net.Conn) bool {
	s, ok := c.(syscall.Conn)
	if !ok {
		return false
	}
	raw, err := s.SyscallConn()
	if err != nil {
		return false
	}
	over := false
	err = raw.Control(func(fd uintptr) {
		p := []unix.PollFd{{Fd: int32(fd), Events: unix.POLLRDHUP}}
		n, err := unix.Poll(p, 0)
		over = err == nil && n > 0
	})
	return err == nil && over
}
