package repl

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"sync"
	"syscall"
	"time"

	"parlance/db"
	"parlance/server/observe"
)

// watchOptions are the flags of a server that say how it is watched.
type watchOptions struct {
	HTTP          string        `name:"http" default:"127.0.0.1:5478" help:"Address of /healthz, /readyz and /metrics, ${default} by default, or off; it knows no users." placeholder:"HOST:PORT"`
	Pprof         bool          `help:"Give profiles of the process under /debug/pprof/ of that address."`
	LogFormat     string        `enum:"text,json" default:"text" help:"Format of the log: ${enum}."`
	LogLevel      slog.Level    `default:"info" help:"Least level of what is logged: debug, info, warn, error; ${default} by default." placeholder:"LEVEL"`
	LogStatements bool          `help:"Log every statement with its text."`
	LogParameters bool          `help:"Log the values of parameters too, which may be secret."`
	Slow          time.Duration `default:"1s" help:"Statements that take as long are logged as warnings, ${default} by default, 0 for none." placeholder:"DURATION"`
	Warm          []string      `help:"Models that must be loaded before the server is ready; without it those that fit are loaded." placeholder:"MODEL"`
}

// log makes the log.
func (o *watchOptions) log(w io.Writer) (*observe.Log, error) {
	return observe.NewLog(w, observe.LogOptions{Format: o.LogFormat, Level: o.LogLevel, Slow: o.Slow,
		Statements: o.LogStatements, Parameters: o.LogParameters})
}

// listener is the part of readiness that the listener of clients completes.
const listener = "listener"

// watched is a server that is watched.
type watched struct {
	ready  *observe.Readiness
	cancel context.CancelFunc
	wait   sync.WaitGroup
}

// watch begins to load models and to answer over HTTP, where l is not nil. stop ends both.
func (o *watchOptions) watch(ctx context.Context, d *db.DB, log *observe.Log, l net.Listener) *watched {
	w := &watched{ready: observe.NewReadiness(observe.Models, listener)}
	ctx, w.cancel = context.WithCancel(ctx)
	w.wait.Go(func() { w.ready.WarmUp(ctx, d, log, o.Warm...) })
	if l != nil {
		w.wait.Go(func() {
			if err := observe.Serve(ctx, l, observe.Handler(d, w.ready, observe.Options{Pprof: o.Pprof}), log); err != nil {
				log.Warn("HTTP ended", err)
			}
		})
	}
	return w
}

// usualHTTP is the default of --http.
const usualHTTP = "127.0.0.1:5478"

// listen listens for HTTP, unless it is off. A second server on a machine goes without where the
// first one has the usual address.
func (o *watchOptions) listen(log *observe.Log) (net.Listener, error) {
	if o.HTTP == "" || o.HTTP == "off" {
		if o.Pprof {
			return nil, errors.New("--pprof needs --http, the address at which profiles are given")
		}
		return nil, nil
	}
	l, err := net.Listen("tcp", o.HTTP)
	if err != nil {
		err = fmt.Errorf("--http: %w", err)
	}
	if errors.Is(err, syscall.EADDRINUSE) && o.HTTP == usualHTTP && !o.Pprof {
		log.Logger().Warn("another program has the usual address for HTTP: there is no /healthz, /readyz and /metrics; "+
			"--http gives another one", "address", usualHTTP)
		return nil, nil
	}
	if err == nil {
		log.Logger().Info("listening for HTTP", "address", l.Addr().String())
	}
	return l, err
}

// shut closes a listener, if there is one.
func shut(l net.Listener) error {
	if l == nil {
		return nil
	}
	return l.Close()
}

func (w *watched) stop() {
	w.cancel()
	w.wait.Wait()
}
