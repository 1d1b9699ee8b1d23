package repl

import (
	"context"
	"log/slog"
	"os"
	"os/signal"
	"syscall"
	"time"

	"parlance/db"
	"parlance/server/secure"
)

// hangup is what a server does on SIGHUP: it reads its certificate again, if it has one, and a read-only one its
// database file.
type hangup struct {
	cert *secure.Certificate
	d    *db.DB // nil for none
	log  *slog.Logger
}

// listen waits for the signal until what it returns is called, which ends what is under way.
func (h *hangup) listen() (stop func()) {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGHUP)
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		for range signals {
			h.readCertificate()
			h.reloadFile(ctx)
		}
	}()
	return func() {
		signal.Stop(signals)
		cancel()
		close(signals)
		<-done
	}
}

func (h *hangup) readCertificate() {
	if h.cert == nil {
		return
	}
	if err := h.cert.Reload(); err != nil {
		h.log.Error("the certificate cannot be read", "error", err.Error())
		return
	}
	h.log.Info("the certificate was read again", "expires", h.cert.Expires())
	warnExpired(h.cert, h.log)
}

func (h *hangup) reloadFile(ctx context.Context) {
	if h.d == nil || !h.d.ReadOnly() {
		return
	}
	began := time.Now()
	done, err := h.d.Reload(ctx)
	switch {
	case ctx.Err() != nil:
	case err != nil:
		h.log.Error("the file is not reloaded: the one before is served on", "error", err.Error())
	case done.Same:
		h.log.Info("the file at the path is the one that is served already", "file", h.d.Path())
	default:
		h.log.Info("the file was reloaded", "file", h.d.Path(), "modified", done.Modified, "sessions_ended",
			done.Strangers, "took", time.Since(began).Round(time.Millisecond).String())
	}
}
