//go:build !linux

package server

import "net"

// gone reports whether the client has closed the connection; here that shows only when it is
// read or written.
func gone(net.Conn) bool { return false }
