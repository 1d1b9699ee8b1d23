package columnar

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"parlance/storage/value"
)

// arrowFile is a file or a stream of Arrow's messages: a schema, then batches of rows and the dictionaries that they
// read. A file has a list of its batches at its end, which a stream has not. The messages are found here, and compared
// with the size of the file, before the library decodes them, for it believes what they say.
type arrowFile struct {
	r        io.ReaderAt
	size     int64
	memory   *limited
	schema   *arrow.Schema
	first    message   // the schema
	head     []byte    // its metadata, where the schema stands in the footer alone
	messages []message // batches, and dictionaries before the batches that read them
	batches  []int     // by their places in messages
}

// message is where a message lies: its metadata, and the body behind it.
type message struct {
	at   int64
	meta int
	body int64
	kind byte
	rows int64 // of a batch
}

// The marks of Arrow's formats.
const (
	arrowMagic   = "ARROW1"
	featherMagic = "FEA1" // of version 1, which is another format
	continued    = 0xffffffff
	footerTail   = 4 + len(arrowMagic) // behind the footer: its length, and the magic
	fileBegin    = 8                   // where the messages of a file begin
)

// The kinds of messages.
const (
	schemaMessage     = 1
	dictionaryMessage = 2
	batchMessage      = 3
)

// maxMetadata bounds the metadata of a message.
const maxMetadata = 64 << 20

func openArrow(r io.ReaderAt, size int64, head string, memory *limited) (source, []Column, int, error) {
	f := &arrowFile{r: r, size: size, memory: memory}
	begin := int64(0)
	if len(head) >= len(arrowMagic) && head[:len(arrowMagic)] == arrowMagic {
		begin = fileBegin
	}
	var err error
	if f.first, _, err = f.message(begin); err == nil && f.first.kind != schemaMessage && begin == 0 {
		err = fmt.Errorf("its first message is no schema")
	}
	if err != nil {
		return nil, nil, 0, err
	}
	if begin > 0 {
		err = f.footer()
	} else {
		err = f.walk()
	}
	if err != nil {
		return nil, nil, 0, err
	}
	for i, m := range f.messages {
		if m.kind == batchMessage {
			f.batches = append(f.batches, i)
		}
	}
	meta, err := f.metadataOf(f.first)
	if err != nil {
		return nil, nil, 0, err
	}
	if err := checkSchema(meta); err != nil {
		return nil, nil, 0, err
	}
	c := &arrowCursor{f: f, ctx: context.Background()}
	defer c.release()
	reader, err := ipc.NewReaderFromMessageReader(c, ipc.WithAllocator(memory))
	if err != nil {
		return nil, nil, 0, err
	}
	f.schema = reader.Schema()
	return f, arrowColumns(f.schema), len(f.batches), nil
}

// bytes reads a part of the file.
func (f *arrowFile) bytes(at int64, n int, what string) ([]byte, error) {
	if at < 0 || n < 0 || int64(n) > f.size-at {
		return nil, fmt.Errorf("%s takes the bytes %d to %d of %d: it is cut short", what, at, at+int64(n), f.size)
	}
	b := make([]byte, n)
	if _, err := f.r.ReadAt(b, at); err != nil && err != io.EOF {
		return nil, err
	}
	return b, nil
}

// message reads the metadata of the message at a place and returns the place behind its body; a message of kind 0 is
// the mark of the end. Old files have no continuation before the length.
func (f *arrowFile) message(at int64) (m message, next int64, err error) {
	head, err := f.bytes(at, 4, "a message")
	if err != nil {
		return m, 0, err
	}
	n := binary.LittleEndian.Uint32(head)
	at += 4
	if n == continued {
		if head, err = f.bytes(at, 4, "a message"); err != nil {
			return m, 0, err
		}
		n = binary.LittleEndian.Uint32(head)
		at += 4
	}
	if n == 0 {
		return m, at, nil
	}
	if n > maxMetadata {
		return m, 0, fmt.Errorf("a message at byte %d has %d bytes of metadata, at most %d are read", at, n, maxMetadata)
	}
	m = message{at: at, meta: int(n)}
	meta, err := f.metadataOf(m)
	if err != nil {
		return m, 0, err
	}
	b := flatbuffer(meta)
	root := b.root()
	if k := b.field(root, messageKind); k > 0 {
		m.kind = b[k]
	}
	if k := b.field(root, messageBody); k > 0 {
		m.body = b.i64(k)
	}
	end := at + int64(n)
	if m.kind == 0 || m.body < 0 || m.body > f.size-end {
		return m, 0, fmt.Errorf("the message at byte %d has a body of %d bytes, and the file has %d more: it is cut short",
			at, m.body, f.size-end)
	}
	m.rows, err = checkMessage(b, m)
	return m, end + m.body, err
}

func (f *arrowFile) metadataOf(m message) ([]byte, error) {
	if m.kind == schemaMessage && f.head != nil {
		return f.head, nil
	}
	return f.bytes(m.at, m.meta, "a message")
}

// walk finds the messages of a stream. One without the mark of its end may have lost batches, so it is refused.
func (f *arrowFile) walk() error {
	at := f.first.at + int64(f.first.meta) + f.first.body
	for at < f.size {
		m, next, err := f.message(at)
		if err != nil || m.kind == 0 {
			return err
		}
		f.messages = append(f.messages, m)
		at = next
	}
	return fmt.Errorf("the stream has no mark at its end: it is cut short")
}

// footer finds the messages of a file by the list at its end: all dictionaries are read before the batches. The list
// has each message that lies between the schema and itself; a shorter one is damaged.
func (f *arrowFile) footer() error {
	tail, err := f.bytes(f.size-int64(footerTail), footerTail, "the end of the file")
	if err != nil {
		return err
	}
	if string(tail[4:]) != arrowMagic {
		return fmt.Errorf("it does not end with %s: it is cut short", arrowMagic)
	}
	n := int64(binary.LittleEndian.Uint32(tail))
	if n > maxMetadata || n < 8 {
		return fmt.Errorf("its footer has %d bytes", n)
	}
	raw, err := f.bytes(f.size-int64(footerTail)-n, int(n), "the footer")
	if err != nil {
		return err
	}
	b := flatbuffer(raw)
	if f.first.kind != schemaMessage { // Arrow for JavaScript writes none before the batches
		if f.head, err = schemaOfFooter(b); err != nil {
			return err
		}
		f.first = message{at: fileBegin, kind: schemaMessage}
	}
	for _, list := range []struct {
		field int
		kind  byte
	}{{footerDictionaries, dictionaryMessage}, {footerBatches, batchMessage}} {
		at, count := b.vector(b.field(b.root(), list.field), blockBytes)
		for i := range count {
			place := b.i64(at + i*blockBytes)
			if place < fileBegin {
				return fmt.Errorf("a message at byte %d", place)
			}
			m, _, err := f.message(place)
			if err != nil {
				return err
			}
			if m.kind != list.kind {
				return fmt.Errorf("the message at byte %d is of another kind than the footer tells", m.at)
			}
			f.messages = append(f.messages, m)
		}
	}
	return f.listed(f.size - int64(footerTail) - n)
}

// schemaOfFooter is the message of the schema that a footer holds: a table that refers to that of the footer, whose
// bytes follow it. Places in them count from where they stand, so they stay right.
func schemaOfFooter(footer flatbuffer) ([]byte, error) {
	root := footer.root()
	field := footer.field(root, footerSchema)
	if field == 0 {
		return nil, fmt.Errorf("its footer has no schema")
	}
	const layout, table, header, size = 4, 16, 24, 32
	out := make([]byte, size, size+len(footer))
	little := binary.LittleEndian
	little.PutUint32(out, table)
	for i, n := range []uint16{10, 12, 4, 6, header - table} { // sizes; places of version, kind and header in the table
		little.PutUint16(out[layout+2*i:], n)
	}
	little.PutUint32(out[table:], table-layout)
	if at := footer.field(root, footerVersion); at > 0 {
		copy(out[table+4:], footer[at:at+2])
	}
	out[table+6] = schemaMessage
	little.PutUint32(out[header:], uint32(size+footer.follow(field)-header))
	return append(out, footer...), nil
}

// listed checks that the list has the messages that lie before the footer.
func (f *arrowFile) listed(footer int64) error {
	known := map[int64]bool{}
	for _, m := range f.messages {
		known[m.at] = true
	}
	for at := f.first.at + int64(f.first.meta) + f.first.body; at < footer; {
		m, next, err := f.message(at)
		if err != nil || m.kind == 0 {
			return err
		}
		if !known[m.at] {
			return fmt.Errorf("the list at its end lacks the message at byte %d", m.at)
		}
		at = next
	}
	return nil
}

func (f *arrowFile) rowsOf(group int) int64 { return f.messages[f.batches[group]].rows }

func (f *arrowFile) metadata(key string) (string, bool) {
	meta := f.schema.Metadata()
	i := meta.FindKey(key)
	if i < 0 {
		return "", false
	}
	return meta.Values()[i], true
}

// bounds: the format has none.
func (f *arrowFile) bounds(int, int) (least, greatest value.Value) {
	return value.Value{}, value.Value{}
}

// scan reads groups, which rise.
func (f *arrowFile) scan() groups { return &arrowCursor{f: f} }

// arrowCursor hands the library the messages up to a batch, without the batches before it that are left out.
type arrowCursor struct {
	f      *arrowFile
	reader *ipc.Reader
	begun  bool // the schema was read
	next   int  // of the messages
	want   int  // the batch that is wanted
	last   *ipc.Message
	ctx    context.Context // while a group is opened
	body   bodyDecoder
}

// Message is the next message for the library.
func (c *arrowCursor) Message() (*ipc.Message, error) {
	m := c.f.first
	if c.begun {
		for c.next < c.want && c.f.messages[c.next].kind == batchMessage {
			c.next++
		}
		if c.next > c.want || c.next >= len(c.f.messages) {
			return nil, io.EOF
		}
		m = c.f.messages[c.next]
		c.next++
	}
	c.begun = true
	meta, err := c.f.metadataOf(m)
	if err != nil {
		return nil, err
	}
	body := memory.NewResizableBuffer(bodies{c.f.memory})
	defer body.Release()
	body.Resize(int(m.body))
	if n, err := c.f.r.ReadAt(body.Bytes(), m.at+int64(m.meta)); n < int(m.body) {
		return nil, errors.Join(io.ErrUnexpectedEOF, err)
	}
	plain, err := c.body.decode(c.ctx, flatbuffer(meta), m, body.Bytes(), c.f.memory)
	if err != nil {
		return nil, err
	}
	if plain != nil {
		defer plain.Release()
		body = plain
	}
	c.drop()
	c.last = ipc.NewMessage(memory.NewBufferBytes(meta), body)
	return c.last, nil
}

func (c *arrowCursor) drop() {
	if c.last != nil {
		c.last.Release()
		c.last = nil
	}
}

// Retain and Release are of the library's interface: the scan that made the cursor ends it.
func (c *arrowCursor) Retain() {}

// Release does nothing.
func (c *arrowCursor) Release() {}

// group opens columns of a batch.
func (c *arrowCursor) group(ctx context.Context, group int, columns []int,
	rounded func(column int)) (rowReader, error) {
	f := c.f
	c.ctx = ctx
	if c.want = f.batches[group]; c.next > c.want {
		return nil, fmt.Errorf("batches are read in their order")
	}
	if c.reader == nil {
		var err error
		c.begun = false
		if c.reader, err = ipc.NewReaderFromMessageReader(c, ipc.WithAllocator(f.memory)); err != nil {
			return nil, err
		}
	}
	batch, err := c.reader.Read()
	if err != nil {
		return nil, err
	}
	if batch.NumRows() != f.rowsOf(group) {
		return nil, fmt.Errorf("a batch has %d rows, and its metadata say %d", batch.NumRows(), f.rowsOf(group))
	}
	out := &batchReader{memory: f.memory}
	for _, k := range columns {
		field := f.schema.Field(k)
		if n := batch.Column(k).Len(); int64(n) != batch.NumRows() {
			return nil, fmt.Errorf("the column %s has %d values in a batch of %d rows", field.Name, n, batch.NumRows())
		}
		cells, err := cellsOf(field, batch.Column(k), func() { rounded(k) })
		if err != nil {
			return nil, err
		}
		out.columns = append(out.columns, cells)
	}
	return out, nil
}

func (c *arrowCursor) release() {
	if c.reader != nil {
		c.reader.Release()
		c.reader = nil
	}
	c.drop()
	c.body.close()
}

// batchReader reads the rows of a batch.
type batchReader struct {
	memory  *limited
	columns []*cells
	at      int
	held    int // bytes of texts of the last rows
}

// checkRows is how many rows are read between looks at the context.
const checkRows = 64

func (b *batchReader) next(ctx context.Context, n int, row int64) (cols []value.Vec, err error) {
	b.memory.held -= b.held
	b.held = 0
	for _, c := range b.columns {
		if v, ok := c.numbers(b.at, n); ok {
			cols = append(cols, v)
			continue
		}
		values := make([]value.Value, n)
		for i := range values {
			if i%checkRows == 0 && ctx.Err() != nil {
				return nil, ctx.Err()
			}
			v, err := c.value(b.at + i)
			if err != nil {
				return nil, rowError(c.name, row+int64(i), err)
			}
			b.memory.take(len(v.S))
			b.held += len(v.S)
			values[i] = v
		}
		cols = append(cols, value.FromValues(c.typ, values))
	}
	b.at += n
	return cols, nil
}

func (b *batchReader) end(context.Context) error { return nil }

func (b *batchReader) release() {
	b.memory.held = max(0, b.memory.held-b.held)
	b.held = 0
}

// checkMessage compares the buffers of a batch or dictionary with its body, and returns the number of rows.
func checkMessage(b flatbuffer, m message) (rows int64, err error) {
	switch m.kind {
	case schemaMessage:
		return 0, nil
	case dictionaryMessage, batchMessage:
	default:
		return 0, fmt.Errorf("the message at byte %d is of the kind %d, and no tables are read from it", m.at, m.kind)
	}
	if err := (&schemaBudget{b: b}).metadata(b.root(), messageMetadata); err != nil {
		return 0, err
	}
	header := batchOf(b, m)
	if at := b.field(header, batchLength); at > 0 {
		rows = b.i64(at)
	}
	if rows < 0 || rows > math.MaxInt32 {
		return 0, fmt.Errorf("the batch at byte %d has %d rows, 0 to %d are read", m.at, rows, math.MaxInt32)
	}
	at, nodes := b.vector(b.field(header, batchNodes), nodeBytes)
	for i := range nodes {
		if n := b.i64(at + i*nodeBytes); n < 0 || n > math.MaxInt32 {
			return 0, fmt.Errorf("the batch at byte %d has an array of %d values, 0 to %d are read", m.at, n, math.MaxInt32)
		}
	}
	at, buffers := b.vector(b.field(header, batchBuffers), bufferBytes)
	for i := range buffers {
		from, n := b.i64(at+i*bufferBytes), b.i64(at+i*bufferBytes+8)
		if from < 0 || n < 0 || from > m.body || n > m.body-from || n > 0 && from%8 != 0 {
			return 0, fmt.Errorf("the batch at byte %d has a buffer of %d bytes at byte %d of %d", m.at, n, from, m.body)
		}
	}
	at, variadic := b.vector(b.field(header, batchVariadic), 8)
	for i := range variadic {
		if n := b.i64(at + i*8); n < 0 || n > int64(buffers) {
			return 0, fmt.Errorf("the batch at byte %d has a column of %d buffers, of %d", m.at, n, buffers)
		}
	}
	return rows, nil
}

// What a schema may hold, nested fields included.
const (
	maxFields = 1 << 16 // fields, and members of unions
	maxPairs  = 1 << 16 // pairs of metadata
	maxNames  = maxMetadata
)

// schemaBudget counts what the library copies of a schema: it follows references wherever they lead, many times to the
// same place too, and takes memory for lists before it looks for their ends.
type schemaBudget struct {
	b                    flatbuffer
	fields, pairs, names int
}

// checkSchema bounds the depth of a schema, the number of its fields, and their names and metadata.
func checkSchema(meta []byte) error {
	s := &schemaBudget{b: meta}
	root := s.b.root()
	schema := s.b.follow(s.b.field(root, messageHeader))
	if err := s.metadata(root, messageMetadata); err != nil {
		return err
	}
	if err := s.metadata(schema, schemaMetadata); err != nil {
		return err
	}
	return s.below(schema, schemaFields, 0)
}

// below checks the fields of a list.
func (s *schemaBudget) below(table, list, depth int) error {
	at, n := s.b.vector(s.b.field(table, list), 4)
	if s.fields += n; s.fields > maxFields {
		return fmt.Errorf("its schema has more than %d fields", maxFields)
	}
	if depth > maxDepth {
		return fmt.Errorf("its schema is nested more than %d deep", maxDepth)
	}
	for i := range n {
		f := s.b.follow(at + 4*i)
		if k := s.b.field(f, fieldTypeKind); k > 0 && s.b[k] == unionKind && s.b.field(f, fieldType) > 0 {
			_, members := s.b.vector(s.b.field(s.b.follow(s.b.field(f, fieldType)), unionMembers), 4)
			s.fields += members
		}
		if err := s.name(s.b.field(f, fieldName)); err != nil {
			return err
		}
		if err := s.metadata(f, fieldMetadata); err != nil {
			return err
		}
		if err := s.below(f, fieldChildren, depth+1); err != nil {
			return err
		}
	}
	return nil
}

// metadata checks pairs of texts.
func (s *schemaBudget) metadata(table, list int) error {
	at, n := s.b.vector(s.b.field(table, list), 4)
	if s.pairs += n; s.pairs > maxPairs {
		return fmt.Errorf("its schema has more than %d pairs of metadata", maxPairs)
	}
	for i := range n {
		pair := s.b.follow(at + 4*i)
		if err := errors.Join(s.name(s.b.field(pair, keyOf)), s.name(s.b.field(pair, valueOf))); err != nil {
			return err
		}
	}
	return nil
}

// name checks a text.
func (s *schemaBudget) name(field int) error {
	_, n := s.b.vector(field, 1)
	if s.names += n; s.names > maxNames {
		return fmt.Errorf("its schema has names and metadata of more than %d MB", maxNames>>20)
	}
	return nil
}
