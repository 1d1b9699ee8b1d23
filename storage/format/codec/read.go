package codec

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"sync"

	"parlance/algo/text"
	"parlance/storage/guard"
	"parlance/storage/value"
)

// chunkBytes is about what a worker parses at once.
const chunkBytes = 256 << 10

// ReadDocuments reads all documents and emits them in order, some at a time, from one
// goroutine; places are file and line of each. Memory is bounded by some chunks, or by the
// largest document.
func ReadDocuments(ctx context.Context, c Codec, src *Sources, workers int,
	emit func(docs []*text.Document, places []string) error) error {
	switch r := c.(type) {
	case blockReader:
		if o, ok := c.(otherReader); ok {
			if other, err := o.Otherwise(src); err != nil {
				return err
			} else if other != nil {
				return readStream(ctx, other, src, emit)
			}
		}
		return readBlocks(ctx, r, src, max(1, workers), chunkBytes, emit)
	case StreamReader:
		return readStream(ctx, r, src, emit)
	}
	return errors.New("the format holds no documents")
}

func readStream(ctx context.Context, r StreamReader, src *Sources, emit func([]*text.Document, []string) error) error {
	src.ended = ctx.Err // a reader may read much before it emits a document
	var docs []*text.Document
	var places []string
	size := 0
	flush := func() error {
		if len(docs) == 0 {
			return nil
		}
		err := emit(docs, places)
		docs, places, size = nil, nil, 0
		return err
	}
	err := src.Each(func(s *Source) error {
		return r.Read(s, func(d *text.Document, line int) error {
			if err := ctx.Err(); err != nil {
				return err
			}
			docs, places = append(docs, d), append(places, s.Name+":"+strconv.Itoa(line))
			if size += len(d.Text) + 64; size > chunkBytes {
				return flush()
			}
			return nil
		})
	})
	if err != nil {
		return err
	}
	return flush()
}

// parsed is what a worker has made of a chunk.
type parsed struct {
	docs   []*text.Document
	places []string
	err    error
}

// chunk is the blocks that a worker parses at once.
type chunk struct {
	blocks []Block
	out    chan parsed
}

// readBlocks cuts files into chunks of whole documents, of about size bytes, which workers parse.
func readBlocks(ctx context.Context, r blockReader, src *Sources, workers, size int,
	emit func([]*text.Document, []string) error) error {
	load := ctx
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	work, order := make(chan *chunk), make(chan *chunk, workers+1)
	ended := func() error {
		if err := load.Err(); err != nil { // which says why
			return err
		}
		return ctx.Err()
	}
	src.ended = ended
	var wg sync.WaitGroup
	for range workers {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for c := range work {
				c.out <- parse(r, c, ended)
			}
		}()
	}
	cut := make(chan error, 1)
	go func() {
		defer close(order)
		defer close(work)
		cut <- guard.Call("cutting files", func() error {
			return cutSources(ctx, r, src, size, func(c *chunk) error {
				for _, to := range []chan *chunk{order, work} {
					select {
					case to <- c:
					case <-ctx.Done():
						return ctx.Err()
					}
				}
				return nil
			})
		})
	}()
	err := collect(ctx, cancel, order, emit)
	wg.Wait()
	if cutErr := <-cut; err == nil || errors.Is(err, context.Canceled) && cutErr != nil {
		err = cutErr
	}
	return err
}

// collect emits chunks in order. After an error it lets the others pass.
func collect(ctx context.Context, cancel func(), order chan *chunk,
	emit func([]*text.Document, []string) error) (err error) {
	for c := range order {
		if err != nil {
			continue // it may never reach a worker
		}
		select {
		case p := <-c.out:
			if err = p.err; err == nil && len(p.docs) > 0 {
				err = emit(p.docs, p.places)
			}
		case <-ctx.Done():
			err = ctx.Err()
		}
		if err != nil {
			cancel()
		}
	}
	return err
}

func parse(r blockReader, c *chunk, ended func() error) (p parsed) {
	for _, b := range c.blocks {
		b.Ended = ended
		docs, err := parseBlock(r, b)
		if err != nil {
			return parsed{err: err}
		}
		for _, d := range docs {
			p.docs, p.places = append(p.docs, d), append(p.places, fmt.Sprintf("%s:%d", b.File, b.Line))
		}
	}
	return p
}

// parseBlock reads one block; where the reader fails with a panic, the place of the block is told.
func parseBlock(r blockReader, b Block) (docs []*text.Document, err error) {
	defer guard.Recover(&err, fmt.Sprintf("reading %s:%d", b.File, b.Line))
	return r.Parse(b)
}

// cutter gathers the blocks of a chunk.
type cutter struct {
	buf    []byte
	starts []Block
	ends   []int
	send   func(*chunk) error
}

func (c *cutter) flush() error {
	all := string(c.buf)
	out := &chunk{out: make(chan parsed, 1)}
	from := 0
	for i, b := range c.starts {
		b.Text = all[from:c.ends[i]]
		from = c.ends[i]
		out.blocks = append(out.blocks, b)
	}
	c.buf, c.starts, c.ends = emptied(c.buf), c.starts[:0], c.ends[:0]
	if len(out.blocks) == 0 {
		return nil
	}
	return c.send(out)
}

// takeBack takes the lines above a beginning from the block before.
func (c *cutter) takeBack(from lookBack) (lines int, head []byte) {
	lines, n := from.Above()
	k := len(c.ends) - 1
	head = slices.Clone(c.buf[len(c.buf)-n:])
	c.buf = c.buf[:len(c.buf)-n]
	c.ends[k] = len(c.buf)
	return lines, head
}

// cutSources hands out chunks of the documents of all files.
func cutSources(ctx context.Context, r blockReader, src *Sources, size int, send func(*chunk) error) error {
	return src.Each(func(s *Source) error {
		sp, c := r.Splitter(), cutter{send: send}
		number := 0
		for {
			line, n, err := s.Next()
			if err == io.EOF {
				return c.flush()
			}
			if err != nil {
				return err
			}
			if n&4095 == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			begins, skip := sp.Begins(line)
			if begins {
				above := 0
				var head []byte
				if from, ok := sp.(lookBack); ok && number > 0 {
					above, head = c.takeBack(from)
				}
				if len(c.buf) >= size {
					if err := c.flush(); err != nil {
						return err
					}
				}
				number++
				b := Block{File: s.Name, Base: s.Base, Number: number, Line: n - above}
				if from, ok := sp.(carrier); ok {
					b.Carried = from.Carries()
				}
				c.starts, c.buf = append(c.starts, b), append(c.buf, head...)
				c.ends = append(c.ends, len(c.buf))
			}
			if skip || number == 0 {
				continue
			}
			c.buf = append(append(c.buf, line...), '\n')
			c.ends[len(c.ends)-1] = len(c.buf)
		}
	})
}

// ReadRows reads all rows and emits them in order, some at a time.
func ReadRows(ctx context.Context, c Codec, src *Sources, columns []Column,
	emit func(rows [][]value.Value, places []string) error) error {
	r, ok := c.(rowReader)
	if !ok {
		if ReadsKB(c) {
			return errors.New("the format holds a knowledge base and is loaded into one: CREATE KB name, then LOAD … INTO name")
		}
		return errors.New("the format holds no rows")
	}
	var rows [][]value.Value
	var lines placeList
	size := 0
	flush := func() error {
		if len(rows) == 0 {
			return nil
		}
		err := emit(rows, lines.take())
		rows, size = make([][]value.Value, 0, len(rows)), 0
		return err
	}
	err := src.Each(func(s *Source) error {
		return r.Rows(s, columns, func(row []value.Value, line int) error {
			if err := ctx.Err(); err != nil {
				return err
			}
			rows = append(rows, row)
			lines.add(s.Name, line)
			for _, v := range row {
				size += len(v.S)
			}
			if len(rows) >= 4096 || size > chunkBytes {
				return flush()
			}
			return nil
		})
	})
	if err != nil {
		return err
	}
	return flush()
}

// placeList collects places of rows, file:line. They are parts of one text, for a text a row takes longer than reading
// the row.
type placeList struct {
	text []byte
	ends []int
}

func (l *placeList) add(file string, line int) {
	l.text = strconv.AppendInt(append(append(l.text, file...), ':'), int64(line), 10)
	l.ends = append(l.ends, len(l.text))
}

// take returns the places and begins anew.
func (l *placeList) take() []string {
	all, out, from := string(l.text), make([]string, len(l.ends)), 0
	for i, to := range l.ends {
		out[i], from = all[from:to], to
	}
	l.text, l.ends = l.text[:0], l.ends[:0]
	return out
}
