package repl

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"parlance/db"
	"parlance/server"
	"parlance/server/secure"
)

type serveCommand struct {
	File     string        `arg:"" help:"Database file."`
	Listen   []string      `default:"127.0.0.1:5477" help:"Address to listen at, ${default} by default, or the absolute path of a folder for a Unix-domain socket; more than one may be given." placeholder:"HOST:PORT|FOLDER"`
	ReadOnly bool          `help:"Open the file read-only; SIGHUP and ALTER SYSTEM RELOAD take a newer copy that was renamed over it."`
	Grace    time.Duration `default:"10s" help:"How long running statements may go on after SIGTERM."`
	TLSCert  string        `name:"tls-cert" help:"Certificate in PEM, with intermediate ones after it; read again on SIGHUP." placeholder:"FILE"`
	TLSKey   string        `name:"tls-key" help:"Key of the certificate in PEM." placeholder:"FILE"`
	Insecure bool          `name:"insecure-i-know" help:"Serve other machines without TLS or without users."`
	DataDir  string        `help:"Folder whose files statements may read and write; without it, none." placeholder:"FOLDER"`
	Backups  string        `name:"backup-dir" help:"Folder where BACKUP puts its files, apart from --data-dir; without it, admins make none over the server." placeholder:"FOLDER"`
	Empty    bool          `help:"Make a database of a file of 0 bytes."`
	Watch    watchOptions  `embed:""`

	adjust func(*db.Options) // for tests
}

// Run serves until SIGTERM or SIGINT; a SIGINT after that ends the program at once, with code 130.
func (c *serveCommand) Run(ctx context.Context, s *streams) (err error) {
	interrupt := make(chan os.Signal, 2)
	signal.Notify(interrupt, os.Interrupt, syscall.SIGTERM)
	defer signal.Stop(interrupt)
	signal.Ignore(syscall.SIGPIPE) // who reads the log may go
	defer signal.Reset(syscall.SIGPIPE)
	own, err := c.Watch.log(s.err)
	if err != nil {
		return err
	}
	log := own.Logger()
	cert, conf, err := c.encryption()
	if err != nil {
		return err
	}
	opts := server.Options{Log: log, Statements: own.Statements, TLS: conf, Insecure: c.Insecure}
	closeFolders, err := c.folders(&opts)
	if err != nil {
		return err
	}
	defer closeFolders()
	listening, err := c.open(ctx)
	if err != nil {
		return err
	}
	defer listening.close()
	web, err := c.Watch.listen(own)
	if err != nil {
		return err
	}
	d, err := c.database(listening, conf != nil, log)
	if err != nil {
		return errors.Join(err, shut(web))
	}
	defer func() { err = errors.Join(err, d.Close()) }()
	w := c.Watch.watch(context.WithoutCancel(ctx), d, own, web) // it goes on while statements end
	defer w.stop()
	defer limitMemory(os.DirFS("/"), log)()
	defer reserve(reservedByServer, 100)()
	warnExpired(cert, log)
	defer (&hangup{cert, d, log}).listen()()
	srv := server.New(d, opts)
	served := make(chan error, len(listening))
	for _, l := range listening {
		go func() { served <- srv.Serve(l) }()
		log.Info("listening", "address", l.Addr().String(), "file", d.Path())
	}
	w.ready.Done(listener)
	select {
	case <-ctx.Done():
	case <-interrupt:
	case err := <-served:
		return errors.Join(err, srv.Shutdown(context.Background()))
	}
	go quit(interrupt, s.err)
	defer c.endAnyway(log)()
	w.ready.Lacks(listener, "the server is shutting down")
	return c.drain(srv, log)
}

// folders opens the folders of files and of backups, until the returned function is called.
func (c *serveCommand) folders(o *server.Options) (shut func(), err error) {
	var open []*db.Folder
	all := func() {
		for _, f := range open {
			f.Close()
		}
	}
	defer func() {
		if err != nil {
			all()
		}
	}()
	for _, x := range []struct {
		flag, dir string
		use       *db.Files
	}{{"--data-dir", c.DataDir, &o.Files}, {"--backup-dir", c.Backups, &o.Backups}} {
		if x.dir == "" {
			continue
		}
		f, err := db.DataDir(x.dir)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", x.flag, err)
		}
		open, *x.use = append(open, f), f
	}
	if len(open) == 2 {
		err = apart(c.DataDir, c.Backups)
	}
	return all, err
}

// apart refuses a folder of backups within that of files, where users who are no admins would read and replace them,
// and one around it.
func apart(data, backups string) error {
	var real [2]string
	for i, dir := range []string{data, backups} {
		path, err := filepath.EvalSymlinks(dir)
		if err == nil {
			real[i], err = filepath.Abs(path)
		}
		if err != nil {
			return err
		}
	}
	for i := range real {
		top, err := os.Stat(real[i])
		if err != nil {
			return err
		}
		for at := real[1-i]; ; at = filepath.Dir(at) {
			if info, err := os.Stat(at); err == nil && os.SameFile(info, top) {
				return errors.New("--backup-dir and --data-dir lie within each other; writers read and replace what is below " +
					"--data-dir, so backups need a folder of their own")
			}
			if at == filepath.Dir(at) {
				break
			}
		}
	}
	return nil
}

// database opens the file, where it may be served. A new one is made when nothing else stands in the way.
func (c *serveCommand) database(listening listeners, encrypted bool, log *slog.Logger) (*db.DB, error) {
	_, err := os.Stat(c.File)
	missing := errors.Is(err, fs.ErrNotExist)
	if missing {
		if err := c.allExposed(listening, false, encrypted); err != nil {
			return nil, err
		}
	}
	o := db.Options{ReadOnly: c.ReadOnly, Empty: c.Empty, Background: func(err error) {
		log.Warn("what ended statements have left in the file could not be removed; COMPACT tries again", "error",
			err.Error())
	}}
	if c.adjust != nil {
		c.adjust(&o)
	}
	d, err := db.Open(c.File, o)
	if err != nil {
		return nil, err
	}
	if err := c.allExposed(listening, d.HasUsers(), encrypted); err != nil {
		return nil, errors.Join(err, d.Close())
	}
	if missing {
		log.Warn("there was no such file: this is a new database", "file", d.Path())
	}
	if !d.HasUsers() {
		log.Warn("the database has no users: whoever connects may do everything; CREATE USER … PASSWORD '…' ROLE admin " +
			"makes the first one")
	}
	return d, nil
}

// drain lets statements end within the grace.
func (c *serveCommand) drain(srv *server.Server, log *slog.Logger) error {
	log.Info("shutting down", "grace", c.Grace.String())
	grace, cancel := context.WithTimeout(context.Background(), c.Grace)
	defer cancel()
	if err := srv.Shutdown(grace); err != nil && !errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	log.Info("closed")
	return nil
}

// lastWait is how long cancelled statements have, after the grace, before the process ends without them.
const lastWait = 3 * time.Second

// endAnyway ends the process soon after the grace, whatever statements, clients or the disk do, unless what it returns
// is called before. The file is as after a crash: sound, with all that was committed.
func (c *serveCommand) endAnyway(log *slog.Logger) (stop func() bool) {
	return time.AfterFunc(c.Grace+lastWait, func() {
		log.Error("what was cancelled does not end: the process ends without it", "grace", c.Grace.String())
		os.Exit(exitError)
	}).Stop
}

// listeners are the addresses that clients connect to.
type listeners []net.Listener

func (d listeners) close() {
	for _, l := range d {
		l.Close() // one that served is closed
	}
}

// open listens for clients, who wait until they are served.
func (c *serveCommand) open(ctx context.Context) (listeners, error) {
	var out listeners
	for _, at := range c.Listen {
		l, err := server.Listen(ctx, at)
		if err != nil {
			out.close()
			return nil, fmt.Errorf("--listen: %w", err)
		}
		out = append(out, l)
	}
	return out, nil
}

// quit ends the program at an interrupt.
func quit(interrupt <-chan os.Signal, messages io.Writer) {
	for sig := range interrupt {
		if sig == os.Interrupt {
			fmt.Fprintln(messages, "parlance: interrupted while shutting down")
			os.Exit(130)
		}
	}
}

// encryption reads the certificate; without one both are nil.
func (c *serveCommand) encryption() (*secure.Certificate, *tls.Config, error) {
	if c.TLSCert == "" && c.TLSKey == "" {
		return nil, nil, nil
	}
	if c.TLSCert == "" || c.TLSKey == "" {
		return nil, nil, errors.New("--tls-cert and --tls-key go together")
	}
	cert, err := secure.Load(c.TLSCert, c.TLSKey)
	if err != nil {
		return nil, nil, err
	}
	return cert, cert.Config(), nil
}

// allExposed is exposed for all listening.
func (c *serveCommand) allExposed(listening listeners, users, encrypted bool) error {
	for _, l := range listening {
		if err := c.exposed(l.Addr(), users, encrypted); err != nil {
			return err
		}
	}
	return nil
}

// exposed refuses to serve other machines without encryption and users.
func (c *serveCommand) exposed(a net.Addr, users, encrypted bool) error {
	if secure.Loopback(a) || c.Insecure {
		return nil
	}
	var lacks []string
	if !encrypted {
		lacks = append(lacks, "TLS (--tls-cert and --tls-key)")
	}
	if !users {
		lacks = append(lacks, "users (CREATE USER … PASSWORD '…' ROLE admin, in the shell)")
	}
	if len(lacks) == 0 {
		return nil
	}
	return fmt.Errorf("%s is open to other machines, which needs %s; --insecure-i-know serves it nevertheless", a,
		strings.Join(lacks, " and "))
}

// warnExpired tells of a certificate that clients who look at it refuse.
func warnExpired(cert *secure.Certificate, log *slog.Logger) {
	if cert != nil && !time.Now().Before(cert.Expires()) {
		log.Warn("the certificate has expired", "expired", cert.Expires())
	}
}
