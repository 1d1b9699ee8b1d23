package observe

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"time"
)

// drain is how long requests under way may take when the server stops.
const drain = 5 * time.Second

// Serve answers requests on a listener until the context ends, then lets those under way
// finish for some seconds. It closes the listener and leaves no goroutine behind.
func Serve(ctx context.Context, l net.Listener, h http.Handler, log *Log) error {
	s := &http.Server{
		Handler: h, ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 30 * time.Second, WriteTimeout: 30 * time.Second,
		IdleTimeout: time.Minute, MaxHeaderBytes: 32 << 10,
		ErrorLog: slog.NewLogLogger(log.Logger().Handler(), slog.LevelWarn),
	}
	failed := make(chan error, 1)
	go func() { failed <- s.Serve(l) }()
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	stop, cancel := context.WithTimeout(context.WithoutCancel(ctx), drain)
	defer cancel()
	err := s.Shutdown(stop)
	if errors.Is(err, context.DeadlineExceeded) {
		err = s.Close()
	}
	<-failed
	return err
}
