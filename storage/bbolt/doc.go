// Package bbolt keeps a B+tree of byte strings in one memory-mapped file. It is a copy of go.etcd.io/bbolt 1.5.0
// (see LICENSE) in which each page has a checksum, written with it and verified before it is first used; README.md
// says what differs.
package bbolt
