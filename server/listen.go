package server

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// SocketName is the file of a Unix-domain socket in its folder, as clients of PostgreSQL name it for the port 5477.
const SocketName = ".s.PGSQL.5477"

// socketMode lets programs of the same user connect.
const socketMode fs.FileMode = 0o600

// Listen listens at HOST:PORT, or at a Unix-domain socket: the absolute path of a folder, in which it is SocketName, or
// of the socket itself. Only programs of the same user may connect to a socket. One that a server left behind is
// replaced; closing the listener removes it.
func Listen(ctx context.Context, at string) (net.Listener, error) {
	if !strings.HasPrefix(at, "/") {
		if _, _, err := net.SplitHostPort(at); err != nil {
			return nil, fmt.Errorf("%q is neither HOST:PORT nor the absolute path of a socket or its folder: %w", at, err)
		}
		return new(net.ListenConfig).Listen(ctx, "tcp", at)
	}
	if i, err := os.Stat(at); err == nil && i.IsDir() {
		at = filepath.Join(at, SocketName)
	}
	l, err := listenSocket(ctx, at)
	if errors.Is(err, syscall.EADDRINUSE) && staleSocket(ctx, at) {
		if err := os.Remove(at); err != nil {
			return nil, err
		}
		l, err = listenSocket(ctx, at)
	}
	return l, err
}

func listenSocket(ctx context.Context, path string) (net.Listener, error) {
	conf := net.ListenConfig{Control: func(_, _ string, raw syscall.RawConn) error {
		var private error
		err := raw.Control(func(fd uintptr) { private = keepPrivate(fd) })
		return errors.Join(err, private)
	}}
	l, err := conf.Listen(ctx, "unix", path)
	if err != nil {
		return nil, err
	}
	if err := os.Chmod(path, socketMode); err != nil { // where the mode of the descriptor is not that of the file
		return nil, errors.Join(err, l.Close())
	}
	return l, nil
}

// staleSocket reports whether a path is a socket at which no program listens.
func staleSocket(ctx context.Context, path string) bool {
	i, err := os.Lstat(path)
	if err != nil || i.Mode().Type() != fs.ModeSocket {
		return false
	}
	c, err := new(net.Dialer).DialContext(ctx, "unix", path)
	if err == nil {
		c.Close()
	}
	return errors.Is(err, syscall.ECONNREFUSED)
}

// address is an end of a connection in logs and functions: host:port, or local for a Unix-domain socket.
func address(a net.Addr) string {
	switch a.(type) {
	case nil:
		return ""
	case *net.UnixAddr:
		return "local"
	}
	return a.String()
}
