package codec

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"unicode/utf8"

	"github.com/klauspost/compress/zstd"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"

	"parlance/algo/option"
	"parlance/storage/files"
	"parlance/storage/value"
)

// MaxLine bounds a line.
const MaxLine = 128 << 20

var encodings = []struct {
	name string
	enc  encoding.Encoding // nil for UTF-8
}{
	{"utf-8", nil}, {"latin1", charmap.ISO8859_1}, {"windows-1252", charmap.Windows1252},
	{"utf-16", unicode.UTF16(unicode.LittleEndian, unicode.UseBOM)}, // without a mark little-endian
}

// Encodings lists the names of the encodings that can be read, the default first.
func Encodings() []string {
	var out []string
	for _, e := range encodings {
		out = append(out, e.name)
	}
	return out
}

// Sources is the files of one load, in order.
type Sources struct {
	files   files.Files
	names   []string
	stdin   io.Reader
	decoder *encoding.Decoder
	size    int64        // bytes of all files; 0 where it is not known
	read    atomic.Int64 // bytes of them
	ended   func() error // why reading is to end; nil without a context, where the reader itself looks at it
}

// Share is the part of the bytes of the files that has been read, 0 where their number is not known. It may be called
// while they are read.
func (s *Sources) Share() float64 {
	if s.size == 0 {
		return 0
	}
	return min(1, float64(s.read.Load())/float64(s.size))
}

// counter counts the bytes that are read.
type counter struct {
	io.Reader
	n *atomic.Int64
}

func (c counter) Read(b []byte) (int, error) {
	n, err := c.Reader.Read(b)
	c.n.Add(int64(n))
	return n, err
}

// measure finds the size of all files.
func (s *Sources) measure() {
	for _, name := range s.names {
		info, err := s.files.Stat(name)
		if err != nil || !info.Mode().IsRegular() {
			s.size = 0
			return
		}
		s.size += info.Size()
	}
}

// OpenSources finds the files of paths and patterns; without a path it reads standard input. The extensions .gz and
// .zst mean gzip and zstd.
func OpenSources(f files.Files, paths []string, stdin io.Reader, enc string) (*Sources, error) {
	s := &Sources{files: f}
	known := enc == ""
	for _, e := range encodings {
		if e.name == enc {
			known = true
			if e.enc != nil {
				s.decoder = e.enc.NewDecoder()
			}
		}
	}
	if !known {
		return nil, fmt.Errorf("there is no encoding %s; encodings are %s", enc, strings.Join(Encodings(), ", "))
	}
	if len(paths) == 0 {
		if stdin == nil {
			return nil, errors.New("there is no standard input here")
		}
		s.stdin = stdin
		return s, nil
	}
	for _, p := range paths {
		names, err := s.expand(p)
		if err != nil {
			return nil, err
		}
		s.names = append(s.names, names...)
	}
	s.measure()
	return s, nil
}

// expand lists the files of a path or pattern, by name.
func (s *Sources) expand(p string) ([]string, error) {
	info, err := s.files.Stat(p)
	if err == nil {
		if info.IsDir() {
			return nil, fmt.Errorf("%s is a folder; name its files, such as %s", p, filepath.Join(p, "*"))
		}
		return []string{p}, nil
	}
	if !strings.ContainsAny(p, "*?[") {
		return nil, s.missing(p, err)
	}
	names, err := s.files.Glob(p)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", p, err)
	}
	var found []string
	for _, n := range names {
		if info, err := s.files.Stat(n); err == nil && !info.IsDir() {
			found = append(found, n)
		}
	}
	if len(found) == 0 {
		return nil, fmt.Errorf("no file matches %s", p)
	}
	return found, nil
}

// missing names the file of the same folder that an unknown path is closest to.
func (s *Sources) missing(p string, err error) error {
	if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	names, failed := s.files.Glob(filepath.Join(filepath.Dir(p), "*"))
	if failed != nil || len(names) > mostNames {
		return err
	}
	for i, n := range names {
		names[i] = filepath.Base(n)
	}
	meant := option.Closest(filepath.Base(p), names)
	if meant == "" {
		return err
	}
	return fmt.Errorf("%s: no such file or directory; did you mean %s?", p, filepath.Join(filepath.Dir(p), meant))
}

// mostNames is how many files a folder may have in which a name that is like another is looked for.
const mostNames = 10000

// Paths are the names of the files, none for standard input.
func (s *Sources) Paths() []string {
	if s.stdin != nil {
		return nil
	}
	return s.names
}

// Again is the same files, to be read once more without counting what is read.
func (s *Sources) Again() *Sources {
	return &Sources{files: s.files, names: s.names, decoder: s.decoder}
}

// EndWith makes reading end where ended returns an error.
func (s *Sources) EndWith(ended func() error) { s.ended = ended }

// Look opens a file whose bytes do not count for the load.
func (s *Sources) Look(name string, f func(*Source) error) error {
	return s.file(name, new(atomic.Int64), f)
}

// Each opens the files one after the other.
func (s *Sources) Each(f func(*Source) error) error {
	if s.stdin != nil {
		return f(s.source(s.stdinName(), s.stdin))
	}
	for _, name := range s.names {
		if err := s.file(name, &s.read, f); err != nil {
			return err
		}
	}
	return nil
}

// stdinName is the name of standard input, such as that of the file that a client copies from.
func (s *Sources) stdinName() string {
	if file, ok := s.stdin.(interface{ Name() string }); ok {
		return filepath.Base(file.Name())
	}
	return "stdin"
}

// First is the name of the first file without its folders, for ids.
func (s *Sources) First() string {
	if s.stdin != nil {
		return s.stdinName()
	}
	if len(s.names) == 0 {
		return ""
	}
	return filepath.Base(s.names[0])
}

// file opens a file and counts the bytes that are read of it.
func (s *Sources) file(name string, read *atomic.Int64, f func(*Source) error) error {
	file, err := s.files.Open(name)
	if err != nil {
		return err
	}
	defer file.Close()
	var r io.Reader = counter{file, read}
	switch {
	case strings.HasSuffix(name, ".gz"):
		z, err := gzip.NewReader(bufio.NewReaderSize(r, 1<<16))
		if errors.Is(err, gzip.ErrHeader) || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			return faultf(name, 1, 0, "the file does not begin as gzip does, which its name says it is")
		}
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		defer z.Close()
		r = z
	case strings.HasSuffix(name, ".zst"):
		z, err := zstd.NewReader(r, zstd.WithDecoderMaxMemory(1<<30))
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		defer z.Close()
		r = z
	default:
		plain := bufio.NewReader(r)
		if err := refuseCompressed(name, plain); err != nil {
			return err
		}
		r = plain
	}
	return f(s.source(name, r))
}

// compressions are the beginnings of compressed files.
var compressions = []struct{ begin, name, hint string }{
	{"\x1f\x8b", "gzip", "a name that ends in .gz says so"},
	{"\x28\xb5\x2f\xfd", "zstd", "a name that ends in .zst says so"},
	{"PK\x03\x04", "zip", "unpack it first"}, {"\xfd7zXZ", "xz", "unpack it first"},
}

// refuseCompressed refuses a file that begins as a compressed one and whose name does not say so.
func refuseCompressed(name string, r *bufio.Reader) error {
	begin, err := r.Peek(5)
	if err != nil && err != io.EOF {
		return fmt.Errorf("%s: %w", name, err)
	}
	for _, c := range compressions {
		if strings.HasPrefix(string(begin), c.begin) {
			err := faultf(name, 1, 0, "the file is compressed by %s", c.name)
			err.(*Error).Hint = c.hint
			return err
		}
	}
	return nil
}

// Source is one file, read line by line.
type Source struct {
	Name  string
	Base  string // name without folders and without .gz or .zst, for ids
	all   *Sources
	r     *bufio.Reader
	line  int
	reads int // of lines, or of parts of long ones
	buf   []byte
	utf8  bool   // bytes are to be checked
	begin []byte // the first bytes, by which files that are no text are told
}

// Lines is a source of a name that holds a text.
func Lines(name, text string) *Source { return (&Sources{}).source(name, strings.NewReader(text)) }

func (s *Sources) source(name string, r io.Reader) *Source {
	src := &Source{Name: name, all: s, utf8: s.decoder == nil}
	src.Base = strings.TrimSuffix(strings.TrimSuffix(filepath.Base(name), ".gz"), ".zst")
	if s.decoder != nil {
		r = s.decoder.Reader(r)
	}
	src.r = bufio.NewReaderSize(r, 1<<18)
	return src
}

// Beside opens a file in the folder of the source, plain or compressed.
func (s *Source) Beside(name string, f func(*Source) error) error {
	if s.FromStdin() {
		return s.Fault(max(1, s.line), 0, "standard input has no file %s beside it; LOAD the file by its path", name)
	}
	if name != filepath.Base(name) || name == "." || name == ".." {
		return s.Fault(max(1, s.line), 0, "%q is no name of a file beside this one", name)
	}
	path := filepath.Join(filepath.Dir(s.Name), name)
	for _, end := range []string{"", ".gz", ".zst"} {
		if info, err := s.all.files.Stat(path + end); err == nil && !info.IsDir() {
			return s.Look(path+end, f)
		}
	}
	return s.Fault(max(1, s.line), 0, "there is no file %s beside it", name)
}

// Stem is the base name without its extension.
func (s *Source) Stem() string { return strings.TrimSuffix(s.Base, filepath.Ext(s.Base)) }

// Begin returns the first n bytes, or all of fewer, which stay to be read.
func (s *Source) Begin(n int) ([]byte, error) {
	p, err := s.r.Peek(n)
	if err == nil || err == io.EOF {
		return p, nil
	}
	return nil, s.Broken(err)
}

// Fault is an error at a line of the source; col is 0 where it is not known.
func (s *Source) Fault(line, col int, format string, args ...any) error {
	return faultf(s.Name, line, col, format, args...)
}

// Next returns the next line without its end and its number, io.EOF at the end. The line is
// valid until the next call.
func (s *Source) Next() ([]byte, int, error) {
	line, n, err := s.Full()
	return bytes.TrimSuffix(bytes.TrimSuffix(line, []byte("\n")), []byte("\r")), n, err
}

// Full is next with the end of the line.
func (s *Source) Full() ([]byte, int, error) {
	line, err := s.raw()
	if err != nil {
		return nil, s.line, err
	}
	s.line++
	if s.line == 1 {
		line = bytes.TrimPrefix(line, []byte("\xef\xbb\xbf"))
	}
	return line, s.line, s.check(line)
}

// Whole returns all that is left, with its line ends.
func (s *Source) Whole() (string, error) {
	var b strings.Builder
	for {
		line, err := s.raw()
		if err == io.EOF {
			return b.String(), nil
		}
		if err != nil {
			return "", err
		}
		s.line++
		if err := s.check(line); err != nil {
			return "", err
		}
		b.Write(line)
	}
}

// raw reads up to and with the next line feed.
func (s *Source) raw() ([]byte, error) {
	s.buf = emptied(s.buf)
	for {
		if s.reads++; s.reads&63 == 0 {
			if err := s.Stopped(); err != nil {
				return nil, err
			}
		}
		p, err := s.r.ReadSlice('\n')
		if s.begin == nil {
			s.begin = slices.Clone(p[:min(len(p), 16)])
		}
		switch {
		case err == nil || err == io.EOF:
			if len(s.buf) > 0 {
				s.buf = append(s.buf, p...)
				p = s.buf
			}
			if len(p) == 0 {
				return nil, io.EOF
			}
			return p, nil
		case err != bufio.ErrBufferFull:
			return nil, s.Broken(err)
		}
		if s.buf = append(s.buf, p...); len(s.buf) > MaxLine {
			return nil, s.Fault(s.line+1, 0, "the line is longer than %d MB", MaxLine>>20)
		}
	}
}

// emptied returns a buffer to be used again, but for a large one of which little was used.
func emptied(b []byte) []byte {
	if cap(b) > 4*chunkBytes && len(b) < cap(b)/4 {
		return nil
	}
	return b[:0]
}

// Broken says why no more can be read.
func (s *Source) Broken(err error) error {
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		return s.Fault(s.line+1, 0, "the compressed file ends early: it was cut off")
	case errors.Is(err, gzip.ErrChecksum), errors.Is(err, zstd.ErrCRCMismatch):
		return s.Fault(s.line+1, 0, "the compressed file is damaged: its checksum does not fit")
	}
	return fmt.Errorf("%s:%d: %w", s.Name, s.line+1, err)
}

// check refuses a line that is no text.
func (s *Source) check(line []byte) error {
	if bytes.IndexByte(line, 0) < 0 && (!s.utf8 || utf8.Valid(line)) {
		return nil
	}
	var wrong *value.NotText
	if !errors.As(value.CheckText(string(line)), &wrong) {
		return nil
	}
	hint := ""
	switch {
	case s.line == 1 && (bytes.HasPrefix(line, []byte("\xff\xfe")) || bytes.HasPrefix(line, []byte("\xfe\xff"))):
		hint = "it begins as UTF-16 does: WITH (encoding = 'utf-16')"
	case s.binary() != "":
		hint = s.binary()
	case wrong.Byte > 0:
		hint = "WITH (encoding = 'latin1') reads files of that encoding"
	}
	return &Error{File: s.Name, Line: s.line, Col: wrong.At + 1, Msg: wrong.Error(), Hint: hint, Cause: wrong}
}

// binaries are the beginnings of files that are no text, and what reads them.
var binaries = []struct{ begin, hint string }{
	{"x\x01", docBinHint}, {"x\x5e", docBinHint}, {"x\x9c", docBinHint}, {"x\xda", docBinHint},
	{"PGCOPY\n", "it begins as PostgreSQL's binary rows do, which FORMAT pgbinary reads"},
	{"PAR1", "it is a Parquet file, which FORMAT parquet reads"},
	{"ARROW1", arrowHint},
	{"FEA1", "it is a Feather file of version 1, which no format reads; write it as version 2 first"},
	{"\xff\xff\xff\xff", "it begins as a stream of Arrow does, which FORMAT arrow reads"},
	{"SQLite format 3\x00", "it is a database of SQLite; write its rows as CSV first"},
	{"\x89HDF", "it is an HDF5 file, which no format reads; write it as JSON lines or CSV first"},
	{"%PDF-", "it is a PDF file, which no format reads; make text of it first"},
	{"\x89PNG", "it is a picture"}, {"BZh", "it is compressed by bzip2; unpack it first"},
	{"\x80\x03", pickleHint}, {"\x80\x04", pickleHint}, {"\x80\x05", pickleHint},
	{"\xd0\xcf\x11\xe0", "it is a document of an office program; write it as text or CSV first"},
}

const (
	arrowHint  = "it is an Arrow file, which FORMAT arrow reads"
	docBinHint = "it begins as a DocBin of spaCy does, which FORMAT spacy reads"
	pickleHint = "it begins as a pickle of Python does, which no format reads; write it as JSON lines first"
)

// binary says what a file that is no text is by its beginning, and what reads it; "" where that is not known.
func (s *Source) binary() string {
	for _, b := range binaries {
		if strings.HasPrefix(string(s.begin), b.begin) {
			return b.hint
		}
	}
	return ""
}

// Ending says why the load is to end, nil without a context.
func (s *Source) Ending() func() error { return s.all.ended }

// Stopped is why the load is to end, nil where it goes on.
func (s *Source) Stopped() error {
	if s.all.ended == nil {
		return nil
	}
	return s.all.ended()
}

// FromStdin reports whether the source is standard input.
func (s *Source) FromStdin() bool { return s.all.stdin != nil }

// Files is the file system that the source is of.
func (s *Source) Files() files.Files { return s.all.files }

// Look opens another file, whose bytes do not count for the load.
func (s *Source) Look(name string, f func(*Source) error) error { return s.all.Look(name, f) }

// Raw gives the bytes that are left, unchecked.
func (s *Source) Raw() *bufio.Reader { return s.r }

// UTF8 reports whether the bytes are UTF-8, not of another encoding.
func (s *Source) UTF8() bool { return s.utf8 }

// Line is the number of the line that was read last.
func (s *Source) Line() int { return s.line }

// Check counts a line that was read by other means, and refuses it if it is no text.
func (s *Source) Check(line []byte) error {
	s.line++
	return s.check(line)
}

// Context ends with the load.
func (s *Source) Context() context.Context { return loadContext{context.Background(), s} }

// Bytes reads the bytes that are left, unchecked, until the load is to end.
func (s *Source) Bytes() io.Reader { return endedReader{s} }

type endedReader struct{ of *Source }

func (r endedReader) Read(b []byte) (int, error) {
	if err := r.of.Stopped(); err != nil {
		return 0, err
	}
	return r.of.r.Read(b)
}

// Bounds of what a guess reads of a file.
const (
	guessLines = 400
	guessBytes = 1 << 20
)

// Extension is that of a file name, in small letters and without .gz or .zst.
func Extension(name string) string {
	name = strings.ToLower(name)
	return filepath.Ext(strings.TrimSuffix(strings.TrimSuffix(name, ".gz"), ".zst"))
}

// Head is the first lines of a file, without their ends.
func (s *Source) Head() (lines []string, err error) {
	for n := 0; len(lines) < guessLines && n < guessBytes; {
		line, _, err := s.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		lines = append(lines, string(line))
		n += len(line) + 1
	}
	return lines, nil
}

// Everything is all that is left of a source that need be no text.
func (s *Source) Everything() ([]byte, error) {
	var b bytes.Buffer
	for {
		if err := s.Stopped(); err != nil {
			return nil, err
		}
		if _, err := io.CopyN(&b, s.r, 1<<20); err == io.EOF {
			return b.Bytes(), nil
		} else if err != nil {
			return nil, s.Broken(err)
		}
	}
}

// HasBeside reports whether a file lies beside one of another ending, plain or compressed.
func (s *Sources) HasBeside(name, ending string) bool {
	base := strings.TrimSuffix(strings.TrimSuffix(name, ".gz"), ".zst")
	base = strings.TrimSuffix(base, filepath.Ext(base)) + ending
	return slices.ContainsFunc([]string{"", ".gz", ".zst"}, func(z string) bool {
		info, err := s.files.Stat(base + z)
		return err == nil && !info.IsDir()
	})
}
