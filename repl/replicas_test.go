package repl_test

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"parlance/db/reloadtest"
	"parlance/server/secure/securetest"

	"github.com/jackc/pgx/v5"
)

const replicaUsers = "CREATE USER boss PASSWORD 'secret' ROLE admin; CREATE USER reader PASSWORD 'secret'"

// installed is the path of a program, or skips the test.
func installed(t *testing.T, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		path, err = exec.LookPath("/usr/sbin/" + name)
	}
	if err != nil {
		t.Skipf("%s is not installed", name)
	}
	return path
}

// replicasPage returns the blocks of docs/replicas.md in a language.
func replicasPage(t *testing.T, language string) []string {
	t.Helper()
	page, err := os.ReadFile("../docs/replicas.md")
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, m := range regexp.MustCompile("(?s)```"+language+"\n(.*?)```").FindAllSubmatch(page, -1) {
		out = append(out, string(m[1]))
	}
	return out
}

// freePort is a port of this machine that nobody listens at.
func freePort(t *testing.T) int {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}

// replica is a read-only server of a file of its own, at ports that it keeps.
type replica struct {
	*daemon
	path       string
	port, http int
	args       []string
}

// replicas starts three servers of copies of a file.
func replicas(t *testing.T, file string, args ...string) []*replica {
	t.Helper()
	var out []*replica
	for range 3 {
		r := &replica{path: filepath.Join(t.TempDir(), "news.parlance"), port: freePort(t), http: freePort(t), args: args}
		reloadtest.Put(t, file, r.path)
		r.start(t)
		out = append(out, r)
	}
	return out
}

func (r *replica) start(t *testing.T) {
	t.Helper()
	r.daemon = serve(t, exec.Command(buildCommand(t), append([]string{"serve", "--read-only", r.path,
		"--listen", "127.0.0.1:" + strconv.Itoa(r.port), "--http", "127.0.0.1:" + strconv.Itoa(r.http)}, r.args...)...))
}

// exchange puts a file in the place of the present one, and waits until it is served.
func (r *replica) exchange(t *testing.T, file string) {
	t.Helper()
	reloadtest.Put(t, file, r.path)
	r.signal(t, syscall.SIGHUP)
	r.await(t, "the file was reloaded")
}

// background starts a program, which is killed with the test; what it says is logged where the test fails.
func background(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		if t.Failed() {
			t.Logf("%s says %s", filepath.Base(cmd.Path), said.String())
		}
	})
}

// balancer is HAProxy before replicas.
type balancer struct {
	port   int
	socket string
}

// balance starts HAProxy with the configuration of the page, with the check in the protocol if inProtocol is set, and
// waits until it has found all replicas well.
func balance(t *testing.T, list []*replica, inProtocol bool) *balancer {
	t.Helper()
	program := installed(t, "haproxy")
	dir, err := os.MkdirTemp("", "parlance-*") // short enough for the name of a socket
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	b := &balancer{freePort(t), filepath.Join(dir, "socket")}
	blocks := replicasPage(t, "haproxy")
	if len(blocks) != 2 {
		t.Fatalf("the page has %d configurations", len(blocks))
	}
	conf := strings.Replace(blocks[0], "bind :5432", "bind 127.0.0.1:"+strconv.Itoa(b.port), 1)
	conf = strings.ReplaceAll(conf, "maxconn 20000", "maxconn 200") // of which each takes two open files
	for i, r := range list {
		here := fmt.Sprintf("127.0.0.1:%d check port %d\n", r.port, r.http)
		if inProtocol {
			here = fmt.Sprintf("127.0.0.1:%d check\n", r.port)
		}
		conf = strings.Replace(conf, fmt.Sprintf("10.0.0.1%d:5477 check port 5478\n", i+1), here, 1)
	}
	if inProtocol {
		conf = strings.Replace(conf, "  option httpchk GET /readyz\n  http-check expect status 200\n", blocks[1], 1)
	}
	if strings.Contains(conf, "10.0.0") || strings.Contains(conf, "httpchk") == inProtocol {
		t.Fatalf("the configuration is not that of the test: %s", conf)
	}
	conf += "\nglobal\n  stats socket " + b.socket + " mode 600\n"
	path := filepath.Join(dir, "haproxy.cfg")
	if err := os.WriteFile(path, []byte(conf), 0o600); err != nil {
		t.Fatal(err)
	}
	background(t, exec.Command(program, "-f", path, "-db"))
	for i := range list {
		b.await(t, i, "UP")
	}
	return b
}

// await waits until HAProxy has a server (counted from 0) in a state that it has checked.
func (b *balancer) await(t *testing.T, server int, state string) {
	t.Helper()
	want := fmt.Sprintf("replicas,replica%d,", server+1)
	last := ""
	for range 300 {
		c, err := net.Dial("unix", b.socket)
		if err == nil {
			_, _ = io.WriteString(c, "show stat\n")
			all, _ := io.ReadAll(c)
			c.Close()
			for line := range strings.Lines(string(all)) {
				if !strings.HasPrefix(line, want) {
					continue
				}
				f := strings.Split(line, ",")
				last = f[17] + " " + f[36]
				if f[17] == state && (state != "UP" || strings.HasSuffix(f[36], "OK")) { // L7OK: its check was answered
					return
				}
			}
		}
		time.Sleep(100 * time.Millisecond)
	}
	t.Fatalf("server %d is %s, not %s", server, last, state)
}

// reader is a client that reads in a loop, and connects anew after errors and now and then.
type reader struct {
	url     string
	answers atomic.Int64
	seen    [2]atomic.Int64 // old, new
	onPort  sync.Map        // ports of the servers that have answered

	mu     sync.Mutex
	errors []readError
}

type readError struct {
	at, connected time.Time // when it came, and when its connection began
	port          int       // 0 while connecting
	err           error
}

// read reads until the context ends.
func (r *reader) read(ctx context.Context) {
	var c *pgx.Conn
	port, connected := 0, time.Time{}
	drop := func() {
		if c != nil {
			c.Close(context.Background())
		}
		c, port = nil, 0
	}
	defer drop()
	for i := 0; ctx.Err() == nil; i++ {
		err := error(nil)
		if c == nil {
			connected = time.Now()
			if c, err = pgx.Connect(context.Background(), r.url); err == nil {
				err = c.QueryRow(context.Background(), "SELECT inet_server_port()").Scan(&port)
			}
		}
		if err == nil {
			err = r.once(c, i%3)
		}
		if err != nil {
			r.mu.Lock()
			r.errors = append(r.errors, readError{time.Now(), connected, port, err})
			r.mu.Unlock()
			drop()
			continue
		}
		r.answers.Add(1)
		r.onPort.Store(port, true)
		if i%50 == 49 {
			drop()
		}
	}
}

// errMixed is what must never be seen.
var errMixed = errors.New("two files are seen at once")

// once reads both relations in one of three ways: in a statement, in a transaction, and in a pipeline.
func (r *reader) once(c *pgx.Conn, way int) error {
	ctx := context.Background()
	var a, b, z string
	n := 3000
	var err error
	switch way {
	case 0:
		err = c.QueryRow(ctx, reloadtest.Both).Scan(&a, &b, &z, &n)
	case 1:
		err = pgx.BeginFunc(ctx, c, func(tx pgx.Tx) error {
			return errors.Join(tx.QueryRow(ctx, reloadtest.Word).Scan(&a),
				tx.QueryRow(ctx, "SELECT min(term), max(term) FROM terms").Scan(&b, &z))
		})
	case 2:
		batch := &pgx.Batch{}
		batch.Queue(reloadtest.Word)
		batch.Queue("SELECT min(term), max(term) FROM terms")
		res := c.SendBatch(ctx, batch)
		err = errors.Join(res.QueryRow().Scan(&a), res.QueryRow().Scan(&b, &z), res.Close())
	}
	if err != nil {
		return err
	}
	if a != b || b != z || n != 3000 {
		return fmt.Errorf("%w: %s %s %s, %d rows", errMixed, a, b, z, n)
	}
	r.seen[map[string]int{"old": 0, "new": 1}[a]].Add(1)
	return nil
}

// load has clients read through a port until stop is called.
func load(t *testing.T, clients, port int, options string) (list []*reader, stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	var wait sync.WaitGroup
	for range clients {
		r := &reader{url: fmt.Sprintf("postgres://reader:secret@127.0.0.1:%d/x?sslmode=disable%s", port, options)}
		list = append(list, r)
		wait.Go(func() { r.read(ctx) })
	}
	stop = sync.OnceFunc(func() {
		cancel()
		wait.Wait()
	})
	t.Cleanup(stop)
	return list, stop
}

// TestReplicaIsKilled behind HAProxy, under load: what is connected to the replica breaks, but no connection that
// begins when its process has gone, and none to another replica. HAProxy takes it out, and in again when it is back.
func TestReplicaIsKilled(t *testing.T) {
	for name, inProtocol := range map[string]bool{"httpchk": false, "pgsql-check": true} {
		t.Run(name, func(t *testing.T) {
			installed(t, "haproxy")
			old, _ := reloadtest.Copies(t, replicaUsers)
			list := replicas(t, old)
			b := balance(t, list, inProtocol)
			clients, stop := load(t, 12, b.port, "")
			goOn(t, clients)
			killed := list[1]
			at := time.Now()
			killed.kill()
			gone := time.Now()
			b.await(t, 1, "DOWN")
			out := time.Since(at)
			time.Sleep(time.Second)
			for _, c := range clients {
				c.onPort.Delete(killed.port)
			}
			killed.start(t)
			b.await(t, 1, "UP")
			back := false
			for range 100 {
				for _, c := range clients {
					_, ok := c.onPort.Load(killed.port)
					back = back || ok
				}
				if back {
					break
				}
				time.Sleep(100 * time.Millisecond)
			}
			stop()
			if !back {
				t.Error("nobody reads from the replica that is back")
			}
			answers, broken := int64(0), 0
			for i, c := range clients {
				answers += c.answers.Load()
				broken += len(c.errors)
				for _, e := range c.errors {
					if e.port != 0 && e.port != killed.port || e.at.Before(at) || e.connected.After(gone) {
						t.Errorf("client %d, connected to port %d %v after that on %d had gone: %v", i, e.port,
							e.connected.Sub(gone), killed.port, e.err)
					}
				}
			}
			t.Logf("%d answers, %d connections broken; taken out after %v", answers, broken, out.Round(time.Millisecond))
		})
	}
}

// TestReplicasExchange their files one after the other, under load through HAProxy: no client sees an error, or two
// files at once.
func TestReplicasExchange(t *testing.T) {
	installed(t, "haproxy")
	old, fresh := reloadtest.Copies(t, replicaUsers)
	list := replicas(t, old)
	b := balance(t, list, false)
	clients, stop := load(t, 12, b.port, "")
	exchanges(t, list, clients, old, fresh)
	stop()
	unharmed(t, clients)
}

// exchanges has replicas take the one file and the other, five times.
func exchanges(t *testing.T, list []*replica, clients []*reader, old, fresh string) {
	t.Helper()
	goOn(t, clients)
	took, n := time.Duration(0), 0
	for i := range 5 {
		for _, r := range list {
			began := time.Now()
			r.exchange(t, []string{fresh, old}[i%2])
			took += time.Since(began)
			n++
		}
		goOn(t, clients)
	}
	t.Logf("%d exchanges, %v each under load", n, (took / time.Duration(n)).Round(time.Millisecond))
}

// goOn waits until each client has had an answer more.
func goOn(t *testing.T, clients []*reader) {
	t.Helper()
	for i, c := range clients {
		want := c.answers.Load() + 1
		for tries := 0; c.answers.Load() < want; tries++ {
			if tries == 600 {
				t.Fatalf("client %d gets no more answers", i)
			}
			time.Sleep(50 * time.Millisecond)
		}
	}
}

// unharmed wants clients to have seen both files and no error.
func unharmed(t *testing.T, clients []*reader) {
	t.Helper()
	answers, seen := int64(0), [2]int64{}
	for i, c := range clients {
		answers += c.answers.Load()
		for j := range seen {
			seen[j] += c.seen[j].Load()
		}
		for _, e := range c.errors {
			t.Errorf("client %d: %v", i, e.err)
		}
	}
	if seen[0] == 0 || seen[1] == 0 {
		t.Errorf("the old files answer %d times, the new ones %d times", seen[0], seen[1])
	}
	t.Logf("%d answers, %d of old files and %d of new ones", answers, seen[0], seen[1])
}

// TestReplicasBehindPgbouncer exchange their files under clients of a pool of connections, of transactions each.
func TestReplicasBehindPgbouncer(t *testing.T) {
	program := installed(t, "pgbouncer")
	installed(t, "haproxy")
	old, fresh := reloadtest.Copies(t, replicaUsers)
	list := replicas(t, old)
	b := balance(t, list, false)
	port := freePort(t)
	blocks := replicasPage(t, "ini")
	if len(blocks) != 1 {
		t.Fatalf("the page has %d configurations", len(blocks))
	}
	dir, err := os.MkdirTemp("", "parlance-*")
	if err == nil {
		err = os.Chmod(dir, 0o755)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	conf := strings.NewReplacer("host=10.0.0.10 port=5432", "host=127.0.0.1 port="+strconv.Itoa(b.port),
		"listen_addr = *", "listen_addr = 127.0.0.1", "listen_port = 6432", "listen_port = "+strconv.Itoa(port),
		"/etc/pgbouncer/userlist.txt", filepath.Join(dir, "userlist.txt")).Replace(blocks[0]) + "unix_socket_dir =\n"
	users := regexp.MustCompile("has the names and passwords[^:]*: `([^`]*)`")
	page, err := os.ReadFile("../docs/replicas.md")
	if err != nil {
		t.Fatal(err)
	}
	line := users.FindSubmatch(page)
	if line == nil {
		t.Fatal("the page has no line of userlist.txt")
	}
	path := filepath.Join(dir, "pgbouncer.ini")
	err = errors.Join(os.WriteFile(path, []byte(conf), 0o644),
		os.WriteFile(filepath.Join(dir, "userlist.txt"), append(line[1], '\n'), 0o644))
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program, path)
	if os.Getuid() == 0 { // it does not run as root
		cmd.Args = append(cmd.Args, "-u", "nobody")
	}
	background(t, cmd)
	for range 100 {
		c, err := net.Dial("tcp", "127.0.0.1:"+strconv.Itoa(port))
		if err == nil {
			c.Close()
			break
		}
		time.Sleep(50 * time.Millisecond)
	}
	clients, stop := load(t, 24, port, "&default_query_exec_mode=exec")
	exchanges(t, list, clients, old, fresh)
	stop()
	unharmed(t, clients)
}

// TestEncryptionPassesThroughHAProxy with channel binding, which would notice who stands between.
func TestEncryptionPassesThroughHAProxy(t *testing.T) {
	installed(t, "haproxy")
	psql := installed(t, "psql")
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	cert, keyFile := securetest.Files(t, t.TempDir(), key)
	old, _ := reloadtest.Copies(t, replicaUsers)
	b := balance(t, replicas(t, old, "--tls-cert", cert, "--tls-key", keyFile), false)
	cmd := exec.Command(psql, "-X", "-At", "-c", reloadtest.Word, fmt.Sprintf("host=127.0.0.1 port=%d user=reader "+
		"password=secret dbname=x sslmode=require channel_binding=require", b.port))
	if out, err := cmd.CombinedOutput(); err != nil || string(out) != "old\n" {
		t.Errorf("psql: %v: %s", err, out)
	}
}

// TestReplicasShareAFile: several servers of one machine read one file, which none can open to write meanwhile.
func TestReplicasShareAFile(t *testing.T) {
	old, fresh := reloadtest.Copies(t, "")
	path := filepath.Join(t.TempDir(), "news.parlance")
	reloadtest.Put(t, old, path)
	bin := buildCommand(t)
	first := serveFile(t, bin, path, "--read-only", "--http", "off")
	second := serveFile(t, bin, path, "--read-only", "--http", "off")
	for _, p := range []*daemon{first, second} {
		if got := must(t, p.connect(t, "ann"), reloadtest.Word); got != "old" {
			t.Errorf("a server says %s", got)
		}
	}
	out, err := exec.Command(bin, "serve", path, "--listen", "127.0.0.1:0", "--http", "off").CombinedOutput()
	if err == nil || !strings.Contains(string(out), "in use") {
		t.Errorf("a server that writes starts: %v, %s", err, out)
	}
	reloadtest.Put(t, fresh, path)
	boss := first.connect(t, "boss")
	if got := must(t, boss, "ALTER SYSTEM RELOAD"); got != "ALTER SYSTEM" {
		t.Error(got)
	}
	for i, p := range []*daemon{first, second} {
		if got := must(t, p.connect(t, "ann"), reloadtest.Word); got != []string{"new", "old"}[i] {
			t.Errorf("server %d says %s", i, got)
		}
	}
	second.signal(t, syscall.SIGHUP)
	second.await(t, "the file was reloaded")
	second.signal(t, syscall.SIGHUP)
	second.await(t, "is served already")
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	second.signal(t, syscall.SIGHUP)
	second.await(t, "not reloaded: the one before is served on.*no such file")
	if got := must(t, second.connect(t, "ann"), reloadtest.Word); got != "new" {
		t.Errorf("without a file at the path the server says %s", got)
	}
}
