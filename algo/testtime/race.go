//go:build race

package testtime

const slowdown = 15
