package server

import (
	"context"
	"errors"
	"log/slog"
	"syscall"
	"time"
)

// Pauses of a server that has run out of what connections need: until it tries again, and between
// lines in its log.
const (
	acceptPause   = 100 * time.Millisecond
	shortageLines = time.Minute
)

// exhausted reports whether accepting failed for want of resources, which come back.
func exhausted(err error) bool {
	for _, e := range []error{syscall.EMFILE, syscall.ENFILE, syscall.ENOBUFS, syscall.ENOMEM, syscall.ECONNABORTED} {
		if errors.Is(err, e) {
			return true
		}
	}
	return false
}

// shortage is what a listener has told of want of resources.
type shortage struct{ told time.Time }

// wait tells the log once a minute why no connection can be accepted, and waits for a pause or until
// the context ends.
func (w *shortage) wait(ctx context.Context, log *slog.Logger, err error) {
	if now := time.Now(); w.told.IsZero() || now.Sub(w.told) >= shortageLines {
		w.told = now
		log.Warn("no connection can be accepted, those that are open go on", "error", err.Error())
	}
	pause := time.NewTimer(acceptPause)
	defer pause.Stop()
	select {
	case <-ctx.Done():
	case <-pause.C:
	}
}
