package mcmc

import (
	"encoding/binary"
	"errors"
	"math/bits"
)

// Rand is a stream of random numbers (xorshift64*, Vigna 2016). It belongs to one goroutine.
type Rand struct{ state uint64 }

// NewRand returns the stream of a seed and of numbers that tell streams apart, such as that of a block of records.
func NewRand(seed uint64, stream ...uint64) *Rand {
	s := mix(seed + 0x9e3779b97f4a7c15)
	for _, x := range stream {
		s = mix(s ^ mix(x+0x9e3779b97f4a7c15))
	}
	if s == 0 {
		s = 1
	}
	return &Rand{s}
}

// mix is the finisher of splitmix64, a bijection.
func mix(x uint64) uint64 {
	x ^= x >> 30
	x *= 0xbf58476d1ce4e5b9
	x ^= x >> 27
	x *= 0x94d049bb133111eb
	return x ^ x>>31
}

// Uint64 returns the next number.
func (r *Rand) Uint64() uint64 {
	x := r.state
	x ^= x >> 12
	x ^= x << 25
	x ^= x >> 27
	r.state = x
	return x * 0x2545f4914f6cdd1d
}

// Intn returns a number from 0 to n−1, n > 0. Its bias is below n / 2⁶⁴.
func (r *Rand) Intn(n int) int {
	hi, _ := bits.Mul64(r.Uint64(), uint64(n))
	return int(hi)
}

// Float64 returns a number above 0 and at most 1.
func (r *Rand) Float64() float64 { return float64(r.Uint64()>>11+1) / (1 << 53) }

// MarshalBinary returns the state.
func (r *Rand) MarshalBinary() ([]byte, error) {
	return binary.LittleEndian.AppendUint64(nil, r.state), nil
}

// UnmarshalBinary restores a state.
func (r *Rand) UnmarshalBinary(p []byte) error {
	if len(p) != 8 {
		return errors.New("a state of random numbers has 8 bytes")
	}
	r.state = binary.LittleEndian.Uint64(p)
	return nil
}
