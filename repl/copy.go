package repl

import (
	"bufio"
	"context"
	"errors"
	"io"
	"os"
	"strings"

	"parlance/query/ast"
)

// clientCopy is a \copy: a COPY statement whose data come from or go to a file of this machine.
type clientCopy struct {
	statement string
	from      bool
	file      string // a path, or one of these
	quoted    bool   // file is a path whatever it is
}

const copyShape = `\copy takes TABLE [(COLUMNS)] | (SELECT …) FROM | TO FILE | stdin | stdout | pstdin | pstdout [options of COPY]`

// readCopy reads what follows \copy.
func readCopy(line string) (*clientCopy, error) {
	head, rest, at := 0, line, 0
	depth := 0
	var direction string
	for direction == "" {
		n, token := nextWord(rest)
		if token == "" {
			return nil, errors.New(copyShape)
		}
		switch token {
		case "(":
			depth++
		case ")":
			depth--
		}
		head = at
		at += n
		rest = line[at:]
		if up := strings.ToUpper(token); depth == 0 && (up == "FROM" || up == "TO") {
			direction = up
			head = at - len(token)
		}
	}
	n, file := nextWord(rest)
	c := &clientCopy{from: direction == "FROM"}
	switch {
	case file == "" || strings.TrimSpace(line[:head]) == "":
		return nil, errors.New(copyShape)
	case strings.EqualFold(file, "program"):
		return nil,
			errors.New(`\copy runs no programs: write their output to a file, or pipe it to parlance exec -c "COPY … FROM STDIN"`)
	case file[0] == '\'':
		c.quoted = true
		c.file = strings.ReplaceAll(strings.Trim(file, "'"), "''", "'")
	default:
		end := strings.TrimLeft(rest, blanks)
		c.file = upTo(end, blanks) // a path has signs in it
		n = len(rest) - len(end) + len(c.file)
	}
	c.file = strings.TrimSuffix(c.file, ";")
	stream := map[bool]string{true: " FROM STDIN ", false: " TO STDOUT "}[c.from]
	c.statement = strings.TrimSuffix(strings.TrimSpace("COPY "+strings.TrimSpace(line[:head])+stream+rest[n:]), ";")
	return c, nil
}

// nextWord returns the next word, sign or quoted text, and how many bytes it ends behind.
func nextWord(text string) (n int, token string) {
	at := len(text) - len(strings.TrimLeft(text, blanks))
	rest := text[at:]
	if rest == "" {
		return at, ""
	}
	end := strings.IndexFunc(rest, func(r rune) bool { return !ast.NamePart(r) })
	switch {
	case end < 0:
		end = len(rest)
	case rest[0] == '\'' || rest[0] == '"':
		end = 1
		for end < len(rest) && (rest[end] != rest[0] || strings.HasPrefix(rest[end+1:], rest[:1])) {
			if rest[end] == rest[0] {
				end++
			}
			end++
		}
		end = min(end+1, len(rest))
	case end == 0:
		end = 1
	}
	return at + end, rest[:end]
}

// copy runs COPY with a file of this machine.
func (sh *shell) copy(ctx context.Context, words []string) (err error) {
	c, err := readCopy(word(words, 1))
	if err != nil {
		return err
	}
	if c.from {
		in, err := sh.copySource(c)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, in.Close()) }()
		sh.conn.Stdin(in)
		defer sh.conn.Stdin(sh.data())
	} else {
		out, err := sh.copyTarget(c)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, out.Close()) }()
		sh.conn.Stdout(out)
		defer sh.conn.Stdout(&sh.outlet)
	}
	sh.statements(ctx, &entry{text: c.statement, at: sh.at})
	return err
}

// data is what LOAD STDIN reads.
func (sh *shell) data() io.Reader {
	switch {
	case sh.inline != nil:
		return sh.inline
	case sh.keys != nil:
		return sh.keys
	}
	return sh.stdin
}

// copySource opens what \copy … FROM reads.
func (sh *shell) copySource(c *clientCopy) (io.ReadCloser, error) {
	switch {
	case !c.quoted && strings.EqualFold(c.file, "stdin") && sh.src.in != nil:
		in := &inline{in: sh.src.in}
		return &rest{in, in, sh.src}, nil
	case !c.quoted && (strings.EqualFold(c.file, "stdin") || strings.EqualFold(c.file, "pstdin")):
		return io.NopCloser(sh.data()), nil
	}
	return os.Open(c.file)
}

// rest are inline data, all of which are read.
type rest struct {
	io.Reader
	data *inline
	src  *source
}

func (r *rest) Close() error {
	r.src.at.Line += r.data.over()
	return nil
}

// copyTarget opens what \copy … TO writes.
func (sh *shell) copyTarget(c *clientCopy) (io.WriteCloser, error) {
	switch {
	case !c.quoted && (strings.EqualFold(c.file, "stdout") || strings.EqualFold(c.file, "pstdout") && sh.file == nil):
		return &unclosed{sh.out, &sh.outlet}, nil
	case !c.quoted && strings.EqualFold(c.file, "pstdout"):
		return &unclosed{bufio.NewWriter(onScreen(sh.s.out)), &outlet{}}, nil
	}
	return os.Create(c.file)
}

// unclosed is a writer that is flushed in place of being closed.
type unclosed struct {
	*bufio.Writer
	data *outlet // that data come among the rows
}

func (u *unclosed) Close() error { return u.Flush() }

// Shape tells that a statement sends data.
func (u *unclosed) Shape(columns int, binary bool) { u.data.Shape(columns, binary) }
