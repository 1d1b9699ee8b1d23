package main

import (
	"bufio"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/jackc/pgx/v5/pgproto3"
)

// clients is how many connections send statements at once, each the next one when the answer to
// the last has come.
const clients = 8

// load is what a run of statements gave.
type load struct {
	statements int
	seconds    float64
	delays     []time.Duration // of statements, ascending
	cpu        float64         // seconds of the server; negative where unknown
}

func (l load) rate() float64 { return float64(l.statements) / l.seconds }

// percentile returns the delay that a share of the statements did not exceed.
func (l load) percentile(p float64) time.Duration {
	if len(l.delays) == 0 {
		return 0
	}
	return l.delays[int(p*float64(len(l.delays)-1))]
}

// micros is the time that the server computed for one statement, in microseconds.
func (l load) micros() string {
	if l.cpu < 0 || l.statements == 0 {
		return "not known"
	}
	return fmt.Sprintf("%.1f µs", 1e6*l.cpu/float64(l.statements))
}

// generate sends a prepared statement for a while. argument gives the argument of the next one,
// from the random numbers of its connection, or "" for a statement without.
func generate(ctx context.Context, address string, seconds int, sql string,
	argument func(*rand.Rand) string) (load, error) {
	ctx, cancel := context.WithTimeout(ctx, time.Duration(seconds)*time.Second)
	defer cancel()
	var (
		mu    sync.Mutex
		out   load
		first error
		all   sync.WaitGroup
	)
	start := time.Now()
	for i := range clients {
		all.Go(func() {
			delays, err := client(ctx, address, sql, rand.New(rand.NewPCG(uint64(i), uint64(start.UnixNano()))), argument)
			mu.Lock()
			defer mu.Unlock()
			out.delays = append(out.delays, delays...)
			if err != nil && first == nil {
				first = err
			}
		})
	}
	all.Wait()
	out.statements, out.seconds = len(out.delays), time.Since(start).Seconds()
	slices.Sort(out.delays)
	return out, first
}

// client is one connection of generate.
func client(ctx context.Context, address, sql string, r *rand.Rand,
	argument func(*rand.Rand) string) ([]time.Duration, error) {
	c, err := greet(address)
	if err != nil {
		return nil, err
	}
	defer c.net.Close()
	if err := c.ask(&pgproto3.Parse{Name: "s", Query: sql}, &pgproto3.Sync{}); err != nil {
		return nil, err
	}
	bind := &pgproto3.Bind{PreparedStatement: "s"}
	if argument(r) != "" {
		bind.Parameters = make([][]byte, 1)
	}
	var delays []time.Duration
	for ctx.Err() == nil {
		if len(bind.Parameters) > 0 {
			bind.Parameters[0] = append(bind.Parameters[0][:0], argument(r)...)
		}
		start := time.Now()
		if err := c.ask(bind, &pgproto3.Execute{}, &pgproto3.Sync{}); err != nil {
			return delays, err
		}
		delays = append(delays, time.Since(start))
	}
	return delays, nil
}

// speaker sends messages and reads the answers only as far as they must be.
type speaker struct {
	net net.Conn
	in  *bufio.Reader
	out []byte
}

// greet connects and logs in.
func greet(address string) (*speaker, error) {
	network := "tcp"
	if filepath.IsAbs(address) {
		network = "unix"
	}
	nc, err := net.Dial(network, address)
	if err != nil {
		return nil, err
	}
	c := &speaker{net: nc, in: bufio.NewReaderSize(nc, 16<<10)}
	if err := c.ask(&pgproto3.StartupMessage{ProtocolVersion: pgproto3.ProtocolVersion30,
		Parameters: map[string]string{"user": "admin", "database": "postgres"}}); err != nil {
		nc.Close()
		return nil, err
	}
	return c, nil
}

// ask sends messages and reads to the next ReadyForQuery; an error that comes before is returned.
func (s *speaker) ask(list ...pgproto3.FrontendMessage) (err error) {
	s.out = s.out[:0]
	for _, m := range list {
		if s.out, err = m.Encode(s.out); err != nil {
			return err
		}
	}
	if _, err := s.net.Write(s.out); err != nil {
		return err
	}
	var failed error
	for {
		head, err := s.in.Peek(5)
		if err != nil {
			return err
		}
		kind, n := head[0], int(binary.BigEndian.Uint32(head[1:]))-4
		if _, err := s.in.Discard(5); err != nil {
			return err
		}
		if kind == 'E' {
			body := make([]byte, n)
			if _, err := io.ReadFull(s.in, body); err != nil {
				return err
			}
			var e pgproto3.ErrorResponse
			if err := e.Decode(body); err != nil {
				return err
			}
			failed = fmt.Errorf("%s: %s", e.Code, e.Message)
			if e.Severity == "FATAL" {
				return failed
			}
			continue
		}
		if _, err := s.in.Discard(n); err != nil {
			return err
		}
		if kind == 'Z' {
			return failed
		}
	}
}
