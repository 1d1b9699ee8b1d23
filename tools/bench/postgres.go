package main

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
)

// postgres is a server of PostgreSQL over an empty temporary cluster, with its ordinary settings.
type postgres struct {
	b       *bench
	dir     string
	address string
	local   string // its Unix-domain socket
	pid     int
	as      []string // the command that runs another as a user, for it must not be root
}

// startPostgres returns nil and why, if PostgreSQL is not there.
func (b *bench) startPostgres() (*postgres, string, error) {
	if tool("initdb") == "" || tool("pg_ctl") == "" {
		return nil, "PostgreSQL is not installed", nil
	}
	p := &postgres{b: b}
	var err error
	if p.dir, err = os.MkdirTemp(b.Dir, "postgres-*"); err != nil {
		return nil, "", err
	}
	if os.Getuid() == 0 {
		u, err := user.Lookup("postgres")
		if err != nil || tool("setpriv") == "" {
			return nil, "it does not run as root, and there is no user postgres or no setpriv", nil
		}
		p.as = []string{tool("setpriv"), "--reuid", u.Uid, "--regid", u.Gid, "--clear-groups"}
		uid, _ := strconv.Atoi(u.Uid)
		gid, _ := strconv.Atoi(u.Gid)
		if err := os.Chown(p.dir, uid, gid); err != nil {
			return nil, "", err
		}
		if err := os.Chmod(b.Dir, 0o711); err != nil { // it must reach its folder
			return nil, "", err
		}
	}
	return p, "", p.start()
}

func (p *postgres) start() error {
	data := filepath.Join(p.dir, "data")
	if err := p.run("initdb", "-D", data, "-U", "admin", "-A", "trust", "-E", "UTF8", "--no-sync"); err != nil {
		return err
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	p.address = l.Addr().String()
	l.Close()
	_, port, _ := net.SplitHostPort(p.address)
	options := "-c listen_addresses=127.0.0.1 -c unix_socket_directories=" + p.dir + " -c port=" + port
	p.local = filepath.Join(p.dir, ".s.PGSQL."+port)
	if err := p.run("pg_ctl", "start", "-w", "-D", data, "-l", filepath.Join(p.dir, "log"), "-o", options); err != nil {
		return err
	}
	raw, err := os.ReadFile(filepath.Join(data, "postmaster.pid"))
	if err != nil {
		return err
	}
	first, _, _ := strings.Cut(string(raw), "\n")
	p.pid, err = strconv.Atoi(strings.TrimSpace(first))
	return err
}

// stop ends the server.
func (p *postgres) stop() error {
	return p.run("pg_ctl", "stop", "-w", "-m", "fast", "-D", filepath.Join(p.dir, "data"))
}

func (p *postgres) run(name string, args ...string) error {
	args = append(append(p.as[:len(p.as):len(p.as)], tool(name)), args...)
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Dir = p.dir
	log, err := os.CreateTemp(p.dir, name+"-*")
	if err != nil {
		return err
	}
	defer log.Close()
	cmd.Stdout, cmd.Stderr = log, log // a file: the server inherits it and would keep a pipe open
	if err := cmd.Run(); err != nil {
		said, _ := os.ReadFile(log.Name())
		return fmt.Errorf("%s: %w: %s", name, err, said)
	}
	return nil
}
