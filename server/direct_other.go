//go:build !linux

package server

import "net"

// straight returns the connection itself.
func straight(c net.Conn) net.Conn { return c }
