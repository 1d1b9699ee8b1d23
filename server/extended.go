package server

import (
	"fmt"
	"slices"
	"strings"

	"parlance/db"
	"parlance/storage/value"
	"parlance/storage/value/pg"

	"github.com/jackc/pgx/v5/pgproto3"
)

// prepared is a statement of the extended protocol.
type prepared struct {
	st         *db.Stmt // nil for an empty statement
	text       string
	oids       []uint32 // of parameters
	known      []value.Type
	desc       *db.Description
	verb       string
	joinsGroup bool    // it may change something
	lastLayout *layout // of the portal before, with the codes that it was asked for
	codes      []int16
}

// portal is a statement with its arguments, and its rows once it runs.
type portal struct {
	stmt       *prepared
	params     []value.Value
	layout     *layout
	verb       string
	rows       rowSource // nil before the first Execute
	batch      *value.Batch
	at         int // next row of the batch
	done       bool
	endOfGroup bool // of its group
	depth      int  // savepoints of its block
}

// rowSource is what a portal reads, a *db.Rows.
type rowSource interface {
	NextBatch() *value.Batch
	Columns() []db.Column
	Tag() string
	Close() error
}

// Bounds of what a connection may keep. A portal holds what its query has read ahead, some megabytes
// of a scan.
const (
	maxKept      = 10_000
	maxKeptBytes = 16 << 20 // of texts: trees take many times as much memory. A statement that is alone may be longer
	maxPortals   = 250
)

// extended sends the error of a message and skips what follows until Sync.
func (c *conn) extended(err error) error {
	if err == nil {
		return nil
	}
	if c.ends(err) {
		return connection{err}
	}
	text := ""
	if f, ok := err.(failure); ok {
		err, text = f.error, f.text
	}
	c.fail(err, text)
	c.db.Fail()
	c.skipping = true
	return nil
}

// failure is an error with the text of the statement that its position refers to.
type failure struct {
	error
	text string
}

func (f failure) Unwrap() error { return f.error }

// parse keeps a statement under a name. Types of parameters that the client leaves open are
// inferred; what then stays open is text.
func (c *conn) parse(m *pgproto3.Parse) error {
	if m.Name != "" {
		if err := value.CheckText(m.Name); err != nil {
			return &db.Error{Code: "22021", Message: fmt.Sprintf("the name of the prepared statement: %v", err)}
		}
		if _, ok := c.statements[m.Name]; ok {
			return &db.Error{Code: "42P05", Message: fmt.Sprintf("prepared statement %.100q exists already", m.Name),
				Hint: "close it before"}
		}
		if err := c.checkPreparedLimits(len(m.Query)); err != nil {
			return err
		}
	}
	name := strings.Clone(m.Name)
	p := &prepared{text: strings.Clone(m.Query)}
	p.verb = verb(p.text)
	statements := c.db.Statements
	if name == "" { // clients send it anew for each text
		statements = c.db.Immediate
	}
	list, err := statements(p.text)
	if err != nil {
		return failure{err, p.text}
	}
	switch len(list) {
	case 0:
		p.desc = &db.Description{}
	case 1:
		p.st, p.joinsGroup = list[0], list[0].JoinsImplicit()
		if err := c.infer(p, m.ParameterOIDs); err != nil {
			return failure{err, p.text}
		}
	default:
		return &db.Error{Code: "42601", Message: "a prepared statement is one statement",
			Hint: "send them one by one, or together in a simple query"}
	}
	c.statements[name] = p
	if name != "" {
		c.keptBytes += len(p.text)
	}
	c.send(&pgproto3.ParseComplete{})
	return nil
}

// checkPreparedLimits refuses a statement with a name where the connection has too many of them, or with too long
// texts.
func (c *conn) checkPreparedLimits(bytes int) error {
	switch {
	case len(c.statements) >= maxKept:
		return &db.Error{Code: "54000", Message: fmt.Sprintf("%d statements are prepared", maxKept),
			Hint: "close those that are not needed: DISCARD ALL"}
	case c.keptBytes > 0 && c.keptBytes+bytes > maxKeptBytes:
		return &db.Error{Code: "54000", Message: fmt.Sprintf("the texts of prepared statements have %d bytes, of %d that a "+
			"session may have", c.keptBytes+bytes, maxKeptBytes),
			Hint: "close those that are not needed: DISCARD ALL; use parameters for long values"}
	}
	return nil
}

// named returns a statement by name.
func (c *conn) named(name string) (*prepared, error) {
	if p, ok := c.statements[name]; ok {
		return p, nil
	}
	return nil, &db.Error{Code: "26000", Message: fmt.Sprintf("there is no prepared statement %.100q", name)}
}

// infer determines the types of parameters: those that the client gives, else inferred ones.
func (c *conn) infer(p *prepared, given []uint32) error {
	n := p.st.NumParams()
	p.oids, p.known = make([]uint32, n), make([]value.Type, n)
	for i, oid := range given[:min(n, len(given))] {
		p.oids[i] = oid
		p.known[i] = pg.Types[oid]
	}
	if err := c.redescribe(p); err != nil {
		return err
	}
	for i, oid := range p.oids {
		if oid == 0 {
			p.oids[i] = parameterOID(p.desc.Params[i])
		}
	}
	return nil
}

func parameterOID(p db.Parameter) uint32 {
	if oid := pg.CastOID(p.Cast, p.Array); oid != 0 {
		return oid
	}
	if p.Array {
		return pg.ArrayOID(p.Type)
	}
	oid, _ := pg.OID(p.Type)
	return oid
}

func (c *conn) redescribe(p *prepared) (err error) {
	ctx := c.begin()
	defer c.end()
	p.desc, err = p.st.Describe(ctx, p.known...)
	return err
}

// bind makes a portal of a statement and arguments.
func (c *conn) bind(m *pgproto3.Bind) error {
	p, err := c.named(m.PreparedStatement)
	if err != nil {
		return err
	}
	if m.DestinationPortal != "" {
		if _, ok := c.portals[m.DestinationPortal]; ok {
			return &db.Error{Code: "42P03", Message: fmt.Sprintf("portal %.100q exists already", m.DestinationPortal)}
		}
		if len(c.portals) >= maxPortals {
			return &db.Error{Code: "54000", Message: fmt.Sprintf("%d portals are open", maxPortals),
				Hint: "close those that are not needed"}
		}
	}
	params, err := p.arguments(m)
	if err != nil {
		return err
	}
	l, err := p.layoutFor(m.ResultFormatCodes)
	if err != nil {
		return err
	}
	l.in(c.db.Location())
	c.drop(m.DestinationPortal)
	q := c.spare
	if c.spare = nil; q == nil {
		q = &portal{}
	}
	*q = portal{stmt: p, params: params, layout: l, verb: p.verb}
	c.portals[strings.Clone(m.DestinationPortal)] = q
	c.send(&pgproto3.BindComplete{})
	return nil
}

// layoutFor returns the layout for format codes; clients ask for the same ones again and again.
func (p *prepared) layoutFor(codes []int16) (*layout, error) {
	if p.lastLayout != nil && slices.Equal(p.codes, codes) {
		return p.lastLayout, nil
	}
	l, err := newLayout(p.desc.Columns, codes)
	if err == nil {
		p.lastLayout, p.codes = l, slices.Clone(codes)
	}
	return l, err
}

// arguments decodes the arguments of Bind.
func (p *prepared) arguments(m *pgproto3.Bind) ([]value.Value, error) {
	if len(m.Parameters) != len(p.oids) {
		return nil, &db.Error{Code: "08P01", Message: fmt.Sprintf("%d arguments are bound, the statement takes %d",
			len(m.Parameters), len(p.oids))}
	}
	if n := len(m.ParameterFormatCodes); n > 1 && n != len(m.Parameters) {
		return nil, &db.Error{Code: "08P01", Message: fmt.Sprintf("%d formats for %d arguments", n, len(m.Parameters))}
	}
	if len(m.Parameters) == 0 {
		return nil, nil
	}
	out := make([]value.Value, len(m.Parameters))
	for i, raw := range m.Parameters {
		format := int16(textFormat)
		switch n := len(m.ParameterFormatCodes); {
		case n == 1:
			format = m.ParameterFormatCodes[0]
		case n > 1:
			format = m.ParameterFormatCodes[i]
		}
		var err error
		if out[i], err = decode(i+1, raw, p.oids[i], p.desc.Params[i].Array, format); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// describe sends the parameters and columns of a statement, or the columns of a portal.
func (c *conn) describe(m *pgproto3.Describe) error {
	switch m.ObjectType {
	case 'S':
		return c.describeStatement(m.Name)
	case 'P':
		return c.describePortal(m.Name)
	}
	return unknownObject("Describe", m.ObjectType)
}

func (c *conn) describeStatement(name string) error {
	p, err := c.named(name)
	if err != nil {
		return err
	}
	l, err := newLayout(p.desc.Columns, nil)
	if err != nil {
		return err
	}
	c.send(&pgproto3.ParameterDescription{ParameterOIDs: p.oids})
	return c.columns(p.desc.Columns, l)
}

func (c *conn) describePortal(name string) error {
	q, ok := c.portals[name]
	if !ok {
		return c.describeCursor(name)
	}
	return c.columns(q.stmt.desc.Columns, q.layout)
}

// describeCursor tells the columns of a cursor, which clients take for a portal.
func (c *conn) describeCursor(name string) error {
	columns, ok := c.db.Cursor(name)
	if !ok {
		return unknownPortal(name)
	}
	l, err := newLayout(columns, nil)
	if err != nil {
		return err
	}
	return c.columns(columns, l)
}

func (c *conn) columns(columns []db.Column, l *layout) error {
	if len(columns) == 0 {
		c.send(&pgproto3.NoData{})
		return nil
	}
	told, err := l.description(columns)
	if err != nil {
		return err
	}
	c.sendEncoded(told)
	return nil
}

// execute runs a portal, or continues it.
func (c *conn) execute(m *execution) error {
	q, ok := c.portals[string(m.portal)]
	if !ok {
		return c.extended(unknownPortal(string(m.portal)))
	}
	if q.stmt.st == nil {
		c.send(&pgproto3.EmptyQueryResponse{})
		return nil
	}
	err := c.proceed(q, m.limit)
	if err != nil && !isConnection(err) {
		err = failure{err, q.stmt.text}
	}
	return c.extended(err)
}

func (c *conn) proceed(q *portal, limit int) error {
	if q.done {
		return c.endedAgain(q)
	}
	ctx := c.begin()
	defer c.end()
	if q.stmt.st.Stream() != db.NoStream {
		q.done = true
		return c.copyPortal(ctx, q)
	}
	switch {
	case q.rows == nil:
		if q.stmt.joinsGroup && !c.w.followedBy('S') {
			c.db.BeginImplicit()
		}
		rows, err := q.stmt.st.Run(ctx, q.params)
		if err != nil {
			q.done = true
			return err
		}
		if !rows.Fit(q.stmt.desc) { // the client has set up for those
			q.done = true
			rows.Close()
			return &db.Error{Code: "0A000", Message: "cached plan must not change result type",
				Hint: "prepare the statement again: the catalog has changed"}
		}
		q.rows, q.depth = rows, c.db.Depth()
	case c.db.Block() == db.FailedBlock:
		return &db.Error{Code: "25P02", Message: "the transaction block has failed, and rows of it cannot be read",
			Hint: "ROLLBACK ends the block, ROLLBACK TO goes back to a savepoint"}
	}
	ended, err := c.rows(q, limit)
	if q.done = ended; ended || err != nil {
		return err
	}
	c.send(&pgproto3.PortalSuspended{})
	return nil
}

// endedAgain answers an Execute of a portal that has ended: there are no more rows. One without rows runs once.
func (c *conn) endedAgain(q *portal) error {
	if q.rows == nil || len(q.layout.types) == 0 || q.rows.Close() != nil {
		return &db.Error{Code: "55000", Message: "the portal has run already", Hint: "bind it again"}
	}
	c.send(&pgproto3.CommandComplete{CommandTag: q.appendTag(nil, 0)})
	return nil
}

// close drops a statement or a portal. An unknown one is no error.
func (c *conn) close(m *pgproto3.Close) error {
	switch m.ObjectType {
	case 'S':
		if m.Name == "" { // does not stand for all of them
			delete(c.statements, "")
		} else {
			c.deallocate(m.Name)
		}
	case 'P':
		c.drop(m.Name)
	default:
		return unknownObject("Close", m.ObjectType)
	}
	c.send(&pgproto3.CloseComplete{})
	return nil
}

// deallocate forgets a statement, all for an empty name, and tells whether there was one. Portals
// keep theirs.
func (c *conn) deallocate(name string) bool {
	if name == "" {
		clear(c.statements)
		c.keptBytes = 0
		return true
	}
	p, ok := c.statements[name]
	if ok {
		c.keptBytes -= len(p.text)
	}
	delete(c.statements, name)
	return ok
}

// drop ends a portal.
func (c *conn) drop(name string) {
	if q, ok := c.portals[name]; ok {
		if q.rows != nil {
			q.rows.Close()
		}
		delete(c.portals, name)
		*q = portal{}
		c.spare = q
	}
}

// sync ends a group of messages.
func (c *conn) sync(*pgproto3.Sync) error {
	c.skipping = false
	c.endGroup()
	c.ready()
	return nil
}

// endGroup publishes what a group of statements has changed, and ends portals: they live on only within a transaction
// block.
func (c *conn) endGroup() {
	if err := c.db.EndImplicit(c.base); err != nil {
		c.fail(err, "")
	}
	if c.db.Block() == db.NoBlock {
		c.drop("") // for most clients the only one
		if len(c.portals) > 0 {
			for name := range c.portals {
				c.drop(name)
			}
		}
	}
}

// unwind ends the portals that run and were opened after more savepoints than depth; if nothing is undone they stay.
func (c *conn) unwind(depth int, undone bool) {
	for name, q := range c.portals {
		switch {
		case q.rows == nil || q.depth <= depth:
		case undone:
			c.drop(name)
		default:
			q.depth = depth
		}
	}
}

// unknownObject is the error of a message that names neither a statement nor a portal.
func unknownObject(message string, kind byte) error {
	return &db.Error{Code: "08P01", Message: fmt.Sprintf("the message %s is about an object of type %q", message, kind),
		Hint: "S is a statement, P a portal"}
}

func unknownPortal(name string) error {
	return &db.Error{Code: "34000", Message: fmt.Sprintf("there is no portal %.100q", name)}
}
