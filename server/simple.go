package server

import (
	"strconv"
	"strings"

	"parlance/db"

	"github.com/jackc/pgx/v5/pgproto3"
)

// simple answers a Query message and says that the next one may come.
func (c *conn) simple(text string) error {
	err := c.script(strings.Clone(text))
	if err == nil {
		c.endGroup()
		c.ready()
	}
	return err
}

// script runs statements one after the other until the first error, as a group; if one has an error of
// syntax, none runs. Errors of statements are sent, those of the connection returned.
func (c *conn) script(text string) error {
	delete(c.statements, "")
	c.drop("")
	list, err := c.db.Immediate(text)
	if err != nil {
		c.fail(err, text)
		return nil
	}
	if len(list) == 0 {
		c.send(&pgproto3.EmptyQueryResponse{})
		return nil
	}
	if len(list) > 1 {
		c.db.BeginImplicit()
	}
	for i, st := range list {
		if err := c.one(st, i == len(list)-1); err != nil {
			if c.ends(err) {
				return connection{err}
			}
			c.db.Fail()
			c.fail(err, text)
			return nil
		}
	}
	return nil
}

// one runs a statement and sends columns, rows and tag; that of the last one when its group is published.
func (c *conn) one(st *db.Stmt, last bool) error {
	ctx := c.begin()
	defer c.end()
	if st.Stream() != db.NoStream {
		return c.copy(ctx, st)
	}
	rows, err := st.Run(ctx, nil)
	if err != nil {
		return err
	}
	defer rows.Close()
	columns := rows.Columns()
	l, err := newLayout(columns, nil)
	if err != nil {
		return err
	}
	l.in(c.db.Location())
	if len(columns) > 0 {
		told, err := l.description(columns)
		if err != nil {
			return err
		}
		c.sendEncoded(told)
	}
	p := &portal{rows: rows, layout: l, verb: verb(st.Text()), endOfGroup: last}
	_, err = c.rows(p, 0)
	return err
}

// rows sends rows of a portal, at most limit (0 for all), and the tag when they are at an end;
// it reports whether they are.
func (c *conn) rows(p *portal, limit int) (bool, error) {
	n := 0
	for {
		if p.batch == nil || p.at >= p.batch.N {
			p.at = 0
			if p.batch = p.rows.NextBatch(); p.batch == nil {
				break
			}
		}
		count := p.batch.N - p.at
		if limit > 0 {
			count = min(count, limit-n)
		}
		if err := c.batch(p, count); err != nil {
			p.rows.Close()
			return true, err
		}
		if n += count; limit > 0 && n >= limit {
			return false, nil
		}
	}
	if err := p.rows.Close(); err != nil {
		return true, err
	}
	if p.endOfGroup {
		if err := c.db.EndImplicit(c.base); err != nil {
			return true, err
		}
	}
	c.w.done.CommandTag = p.appendTag(c.w.done.CommandTag[:0], n)
	c.send(&c.w.done)
	return true, nil
}

// batch sends the next rows of the batch of a portal. Where the statement is cancelled meanwhile
// the rest is left out: the next batch gives the error.
func (c *conn) batch(p *portal, count int) error {
	c.sending.Lock()
	defer c.sending.Unlock()
	var err error
	for range count {
		if c.w.out, err = p.layout.append(c.w.out, p.batch, p.at); err != nil {
			return err
		}
		p.at++
		if len(c.w.out) >= writeBuffer {
			if err := c.w.flush(); err != nil {
				return connection{err}
			}
			if c.db.Cancelled() {
				p.batch = nil
				return nil
			}
		}
	}
	return nil
}

// connection is an error of the connection, which cannot be sent.
type connection struct{ error }

func (c connection) Unwrap() error { return c.error }

func isConnection(err error) bool {
	switch err.(type) {
	case connection, fatal:
		return true
	}
	return false
}

// verb is the word that begins the tag of a statement with rows.
func verb(text string) string {
	i := 0
	for i < len(text) && (text[i]|0x20 >= 'a' && text[i]|0x20 <= 'z') {
		i++
	}
	switch w := strings.ToUpper(text[:i]); w {
	case "", "WITH", "EXECUTE", "VALUES", "TABLE":
		return "SELECT"
	default:
		return w
	}
}

// appendTag writes the tag of a statement that is done; sent are the rows of its last part. The
// tag of INSERT has a number more, which clients skip; after COPY they read a number.
func (p *portal) appendTag(dst []byte, sent int) []byte {
	t := p.rows.Tag()
	if t == "" {
		return strconv.AppendInt(append(append(dst, p.verb...), ' '), int64(sent), 10)
	}
	if rest, ok := strings.CutPrefix(t, "INSERT "); ok {
		return append(append(dst, "INSERT 0 "...), rest...)
	}
	if rest, ok := strings.CutPrefix(t, "COPY "); ok && strings.Trim(rest, "0123456789") != "" {
		return append(dst, "COPY 1"...)
	}
	return append(dst, t...)
}
