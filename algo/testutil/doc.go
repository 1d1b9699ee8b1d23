// Package testutil is the page of helpers for tests alone: realdata opens files below PARLANCE_DATA, testtime tells how
// long code computes on a busy machine and what short runs with the race detector leave out.
package testutil
