package server

import "golang.org/x/sys/unix"

// keepPrivate sets the mode of a socket before it has a name, so that nobody comes in between.
func keepPrivate(fd uintptr) error { return unix.Fchmod(int(fd), uint32(socketMode)) }
