package kind

import "unsafe"

// word is a number of fixed size in a section, little endian there.
type word interface {
	uint32 | uint64 | float32 | float64
}

// littleEndian reports whether numbers lie in memory as in sections.
var littleEndian = func() bool {
	one := uint16(1)
	return *(*byte)(unsafe.Pointer(&one)) == 1
}()

// wordsIn returns the numbers of a section of whole words. They are the bytes themselves where the machine has numbers
// like that, so that weights are not in memory twice; else get makes each from its bytes.
func wordsIn[T word](p []byte, get func([]byte) T) []T {
	var one T
	size := int(unsafe.Sizeof(one))
	n := len(p) / size
	if n == 0 {
		return []T{}
	}
	first := unsafe.Pointer(unsafe.SliceData(p))
	if littleEndian && uintptr(first)%unsafe.Alignof(one) == 0 {
		return unsafe.Slice((*T)(first), n)
	}
	v := make([]T, n)
	for i := range v {
		v[i] = get(p[size*i:])
	}
	return v
}
