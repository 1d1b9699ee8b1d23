package repl

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/signal"
	"syscall"
	"time"

	"parlance/db"
	"parlance/server"
)

type serveCommand struct {
	File     string        `arg:"" help:"Database file."`
	Listen   string        `default:"127.0.0.1:5477" help:"Address to listen at." placeholder:"HOST:PORT"`
	ReadOnly bool          `help:"Open the file read-only."`
	Grace    time.Duration `default:"10s" help:"How long running statements may go on after SIGTERM."`
	Watch    watchOptions  `embed:""`
}

// Run serves until SIGTERM or SIGINT; a second SIGINT ends the program at once.
func (c *serveCommand) Run(ctx context.Context, s *streams) (err error) {
	own, err := c.Watch.log(s.err)
	if err != nil {
		return err
	}
	log := own.Logger()
	d, err := db.Open(c.File, db.Options{ReadOnly: c.ReadOnly})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.Close()) }()
	w, err := c.Watch.watch(ctx, d, own)
	if err != nil {
		return err
	}
	defer w.stop()
	l, err := net.Listen("tcp", c.Listen)
	if err != nil {
		return err
	}
	srv := server.New(d, server.Options{Log: log, Statements: own.Statements})
	served := make(chan error, 1)
	go func() { served <- srv.Serve(l) }()
	w.ready.Done(listener)
	log.Info("listening", "address", l.Addr().String(), "file", d.Path())
	interrupt := make(chan os.Signal, 2)
	signal.Notify(interrupt, os.Interrupt, syscall.SIGTERM)
	defer signal.Stop(interrupt)
	select {
	case <-ctx.Done():
	case sig := <-interrupt:
		log.Info("shutting down", "signal", sig.String(), "grace", c.Grace.String())
	case err := <-served:
		return errors.Join(err, srv.Shutdown(context.Background()))
	}
	go func() {
		for sig := range interrupt {
			if sig == os.Interrupt {
				fmt.Fprintln(s.err, "parlance: interrupted twice")
				os.Exit(130)
			}
		}
	}()
	w.ready.Lacks(listener, "the server is shutting down")
	grace, cancel := context.WithTimeout(context.Background(), c.Grace)
	defer cancel()
	if err := srv.Shutdown(grace); err != nil && !errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	log.Info("closed")
	return nil
}
