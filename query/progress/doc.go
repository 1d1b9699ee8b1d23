// Package progress completes what trainings and loads tell of how far they are: the rate of a stage and the time that
// is left, signs of life while a kind tells nothing, and counts of what has been read.
package progress
