package common

import "unsafe"

func LoadBucket(buf []byte) *InBucket {
	return (*InBucket)(unsafe.Pointer(&buf[0]))
}
