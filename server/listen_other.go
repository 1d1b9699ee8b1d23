//go:build !linux

package server

// keepPrivate does nothing: the mode is set once the socket has a name.
func keepPrivate(uintptr) error { return nil }
