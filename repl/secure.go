package repl

import (
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"os/signal"
	"sync"
	"syscall"

	"parlance/db"
	"parlance/server"
	"parlance/server/secure"
)

// secureOptions are the flags of a server that say who reaches it and what it gives away.
type secureOptions struct {
	DataDir string `help:"Folder whose files statements may read and write; without it, none." placeholder:"FOLDER"`
	TLSCert string `name:"tls-cert" help:"Certificate, as PEM, to encrypt connections; SIGHUP reads it again." placeholder:"FILE"`
	TLSKey  string `name:"tls-key" help:"Key of the certificate, as PEM." placeholder:"FILE"`
}

// secured is what the flags opened.
type secured struct {
	folder *db.Folder
	cert   *secure.Certificate
	hangup chan os.Signal
	wait   sync.WaitGroup
}

// open reads the files of the flags into the options of a server, and begins to wait for SIGHUP.
// stop ends that.
func (o *secureOptions) open(opts *server.Options, log *slog.Logger) (*secured, error) {
	s := &secured{hangup: make(chan os.Signal, 1)}
	var err error
	if (o.TLSCert == "") != (o.TLSKey == "") {
		return nil, errors.New("--tls-cert and --tls-key belong together")
	}
	if o.TLSCert != "" {
		if s.cert, err = secure.Load(o.TLSCert, o.TLSKey); err != nil {
			return nil, err
		}
		opts.TLS = s.cert.Config()
	}
	if o.DataDir != "" {
		if s.folder, err = db.DataDir(o.DataDir); err != nil {
			return nil, fmt.Errorf("--data-dir: %w", err)
		}
		opts.Files = s.folder
	}
	signal.Notify(s.hangup, syscall.SIGHUP)
	s.wait.Go(func() {
		for range s.hangup {
			s.reload(log)
		}
	})
	return s, nil
}

func (s *secured) reload(log *slog.Logger) {
	if s.cert == nil {
		return
	}
	if err := s.cert.Reload(); err != nil {
		log.Error("the certificate was not read again", "error", err.Error())
		return
	}
	log.Info("the certificate was read again")
}

func (s *secured) stop() error {
	signal.Stop(s.hangup)
	close(s.hangup)
	s.wait.Wait()
	if s.folder == nil {
		return nil
	}
	return s.folder.Close()
}

// exposed refuses an address that other machines reach without passwords and encryption.
func exposed(a net.Addr, d *db.DB, conf *tls.Config) error {
	switch {
	case secure.Loopback(a):
		return nil
	case conf == nil:
		return fmt.Errorf("other machines reach %s: give --tls-cert and --tls-key, or listen at 127.0.0.1", a)
	case !d.HasUsers():
		return fmt.Errorf("other machines reach %s, and the database has no users: CREATE USER name PASSWORD '…' ROLE admin makes the first one, in parlance %s", a, d.Path())
	}
	return nil
}
