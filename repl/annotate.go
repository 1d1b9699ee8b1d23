package repl

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"parlance/db"
	"parlance/query/ast"
)

// annotateCommand annotates files of documents, each into a file of its own.
type annotateCommand struct {
	DB        string   `name:"db" required:"" help:"Database file, which is opened read-only." placeholder:"FILE"`
	Using     []string `help:"Models, name or name@version, by default those of the setting using of the file." placeholder:"MODEL"`
	Format    string   `required:"" help:"Format of what is written, such as jsonl, conllu or conll." placeholder:"FORMAT"`
	With      string   `help:"Options of that format, as WITH (…) takes them: 'columns = (form, entities)'." placeholder:"OPTIONS"`
	Input     string   `name:"input-format" help:"Format of the shards; by default each is recognised, and standard input is jsonl." placeholder:"FORMAT"`
	InputWith string   `name:"input-with" help:"Options of the format of the shards." placeholder:"OPTIONS"`
	Out       string   `help:"Folder for the files that are written; not needed for standard input alone." placeholder:"FOLDER"`
	Extension string   `help:"How names of written files end, by default in the name of the format; .jsonl.gz compresses." placeholder:".EXT"`
	Overwrite bool     `help:"Annotate shards again whose file is in the folder."`
	Progress  bool     `help:"Show progress on standard error even if it is no terminal."`
	Shard     string   `help:"Part I of N of the shards in the order of their names, I from 0." placeholder:"I/N"`
	Workers   int      `help:"Goroutines that annotate; by default one for each core." placeholder:"N"`
	Shards    []string `arg:"" help:"Files of documents, patterns such as 'in/*.jsonl.gz', or - for standard input."`
}

// shard is an input, and the file that it becomes.
type shard struct{ in, out string }

// annotated is the summary that the command ends with.
type annotated struct {
	Shards    int             `json:"shards"`
	Done      int             `json:"done"`
	Skipped   int             `json:"skipped"` // their files were there
	Failed    int             `json:"failed"`
	Left      int             `json:"left"` // not begun when the command was stopped
	Documents int             `json:"documents"`
	Tokens    int             `json:"tokens"`
	Seconds   float64         `json:"seconds"`
	Errors    []annotateFault `json:"errors,omitempty"`
}

// annotateFault is why a shard has no file.
type annotateFault struct {
	Shard string `json:"shard"`
	Code  string `json:"code,omitempty"`
	Error string `json:"error"`
	Hint  string `json:"hint,omitempty"`
}

// Run annotates the shards one after the other. One that fails is reported at once; the others go on.
func (c *annotateCommand) Run(ctx context.Context, s *streams) (err error) {
	ctx, stop := interruptible(ctx)
	defer stop()
	defer func() { err = c.refused(s, err) }()
	shards, err := c.plan()
	if err != nil {
		return err
	}
	d, err := db.Open(c.DB, db.Options{ReadOnly: true})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.Close()) }()
	conn := d.Conn()
	if c.Workers > 0 {
		if _, err := conn.Exec(ctx, "SET workers = "+strconv.Itoa(c.Workers)); err != nil {
			return err
		}
	}
	if err := c.check(ctx, conn); err != nil {
		return err
	}
	if c.Out != "" {
		if err := os.MkdirAll(c.Out, 0o777); err != nil {
			return wrong("58P01", "name a folder that can be written", "--out %s: %v", c.Out, err)
		}
	}
	sum := c.all(ctx, conn, s, shards)
	if err := sum.write(s, c.Out == ""); err != nil {
		return err
	}
	if sum.Failed+sum.Left > 0 {
		return &shownError{errors.New("some shards have no file")}
	}
	return nil
}

// all annotates the shards. Until it is done, standard input and output end with the context.
func (c *annotateCommand) all(ctx context.Context, conn *db.Conn, s *streams, shards []shard) *annotated {
	sum := &annotated{Shards: len(shards)}
	look := newShardProgress(s.err, c.Progress, len(shards))
	conn.OnProgress(look.show)
	conn.OnNotice(look.notice)
	conn.Stdin(newEndingReader(ctx, s.in))
	conn.Stdout(&endingWriter{ctx: ctx, w: s.out})
	began := time.Now()
	for i, sh := range shards {
		if ctx.Err() != nil {
			sum.Left += len(shards) - i
			break
		}
		look.begin(i, sh.in)
		c.shard(ctx, conn, sh, sum, look)
	}
	sum.Seconds = float64(time.Since(began).Milliseconds()) / 1000
	return sum
}

// refused shows why the command cannot do its work.
func (c *annotateCommand) refused(s *streams, err error) error {
	var e *db.Error
	if !errors.As(err, &e) {
		return err
	}
	showFault(s.err, "", annotateFault{Code: e.Code, Error: e.Message, Hint: e.Hint})
	return &shownError{err}
}

// plan lists the shards of this run with the files that they become.
func (c *annotateCommand) plan() ([]shard, error) {
	part, of, err := c.part()
	if err != nil {
		return nil, err
	}
	if c.Workers < 0 {
		return nil, wrong("22023", "a number from 1", "--workers %d is no number of goroutines", c.Workers)
	}
	inputs, err := inputs(c.Shards)
	if err != nil {
		return nil, err
	}
	if c.Out == "" && !slices.Equal(inputs, []string{"-"}) {
		return nil, wrong("22023", "--out FOLDER; only standard input alone, -, goes to standard output",
			"--out is missing: the shards have no folder for their files")
	}
	extension, err := c.extension()
	if err != nil {
		return nil, err
	}
	var out []shard
	taken := map[string]string{}
	for i, in := range inputs {
		to := ""
		if c.Out != "" {
			to = filepath.Join(c.Out, stem(in)+extension)
			if other, ok := taken[to]; ok {
				return nil, wrong("42710", "annotate them into two folders", "%s and %s would both become %s", other, in, to)
			}
			taken[to] = in
			if sameFile(in, to) {
				return nil, wrong("22023", "name another folder with --out", "%s would be written over itself", in)
			}
			if info, err := os.Stat(to); err == nil && !info.Mode().IsRegular() {
				return nil, wrong("42809", "remove it, or name another folder with --out",
					"%s, which %s would become, is there and no file", to, in)
			}
		}
		if i%of == part {
			out = append(out, shard{in, to})
		}
	}
	if info, err := os.Stat(c.Out); err == nil && !info.IsDir() {
		return nil, wrong("42809", "name a folder, which is made if it is not there", "--out %s is a file", c.Out)
	}
	return out, nil
}

// extension is how names of written files end.
func (c *annotateCommand) extension() (string, error) {
	switch e := c.Extension; {
	case e == "":
		return "." + c.Format, nil
	case strings.ContainsAny(e, "/"+string(os.PathSeparator)):
		return "", wrong("22023", "the end of a name, such as .jsonl.gz; --out names the folder",
			"--extension %s leads to another folder", e)
	case slices.Contains([]string{".bz2", ".xz"}, filepath.Ext(e)):
		return "", wrong("22023", ".gz and .zst compress", "--extension %s: nothing is compressed so", e)
	default:
		return e, nil
	}
}

// wrong is the error of a command line that cannot be followed.
func wrong(code, hint, format string, args ...any) error {
	return &db.Error{Code: code, Hint: hint, Message: fmt.Sprintf(format, args...)}
}

// part reads --shard.
func (c *annotateCommand) part() (part, of int, err error) {
	if c.Shard == "" {
		return 0, 1, nil
	}
	a, b, ok := strings.Cut(c.Shard, "/")
	part, err = strconv.Atoi(a)
	if err == nil {
		of, err = strconv.Atoi(b)
	}
	if !ok || err != nil || of < 1 || part < 0 || part >= of {
		return 0, 0, wrong("22023", "I/N with I from 0 to N-1, such as 0/16 for the first of 16 parts",
			"--shard %s is no part", c.Shard)
	}
	return part, of, nil
}

// inputs lists files in the order of their names, each once. A name that is no file is a pattern.
func inputs(args []string) ([]string, error) {
	var out []string
	for _, a := range args {
		info, err := os.Stat(a)
		switch {
		case a == "-":
			out = append(out, a)
		case err == nil && info.IsDir():
			return nil, wrong("42809", "name its files, such as '"+filepath.Join(a, "*")+"'", "%s is a folder", a)
		case err == nil:
			out = append(out, a)
		case !errors.Is(err, fs.ErrNotExist):
			return nil, err
		case !strings.ContainsAny(a, "*?["):
			return nil, wrong("58P01", "shards are files, patterns, or - for standard input", "%s: no such file", a)
		default:
			found, err := filepath.Glob(a)
			if err != nil {
				return nil, wrong("22023", "* ? and [a-z] stand for characters of a name", "%s: %v", a, err)
			}
			if len(found) == 0 {
				return nil, wrong("58P01", "quote a pattern, so that it is matched here", "%s: no file has such a name", a)
			}
			out = append(out, found...)
		}
	}
	slices.Sort(out)
	return slices.Compact(out), nil
}

// stem is the name of a shard without its folder and without what says how it is written.
func stem(in string) string {
	if in == "-" {
		return "stdin"
	}
	name := filepath.Base(in)
	for _, z := range []string{".gz", ".zst", ".bz2", ".xz"} {
		name = strings.TrimSuffix(name, z)
	}
	if s := strings.TrimSuffix(name, filepath.Ext(name)); s != "" {
		return s
	}
	return name
}

// sameFile reports whether two paths lead to one file that is there.
func sameFile(a, b string) bool {
	x, err := os.Stat(a)
	if err != nil {
		return false
	}
	y, err := os.Stat(b)
	return err == nil && os.SameFile(x, y)
}

// statement is the ANNOTATE of a source, such as $1 or STDIN, to a sink.
func (c *annotateCommand) statement(from, format, to string) string {
	var b strings.Builder
	b.WriteString("ANNOTATE " + from)
	if format != "" {
		b.WriteString(" FORMAT " + ast.QuoteName(format))
	}
	if c.InputWith != "" {
		b.WriteString(" WITH (" + c.InputWith + ")")
	}
	for i, m := range c.Using {
		if i == 0 {
			b.WriteString(" USING ")
		} else {
			b.WriteString(", ")
		}
		name, version, given := strings.Cut(strings.TrimSpace(m), "@")
		if b.WriteString(ast.QuoteName(name)); given {
			b.WriteString("@" + version)
		}
	}
	b.WriteString(" TO " + to + " FORMAT " + ast.QuoteName(c.Format))
	if c.With != "" {
		b.WriteString(" WITH (" + c.With + ")")
	}
	return b.String()
}

// check annotates nothing, to see models, formats and options before the first shard.
func (c *annotateCommand) check(ctx context.Context, conn *db.Conn) error {
	conn.Stdin(bytes.NewReader(nil))
	conn.Stdout(io.Discard)
	format := c.Input
	if format == "" {
		format = "lines"
	}
	probe := *c
	if c.Input == "" {
		probe.InputWith = ""
	}
	_, err := conn.Exec(ctx, probe.statement("STDIN", format, "STDOUT"))
	return err
}

// shard annotates one shard.
func (c *annotateCommand) shard(ctx context.Context, conn *db.Conn, sh shard, sum *annotated, look *shardProgress) {
	if sh.out != "" && !c.Overwrite {
		if _, err := os.Stat(sh.out); err == nil {
			sum.Skipped++
			return
		}
	}
	from, format, to, args := "$1", c.Input, "STDOUT", []any{sh.in}
	if sh.in == "-" {
		from, args = "STDIN", nil
		if format == "" {
			format = "jsonl"
		}
	}
	if sh.out != "" {
		args = append(args, sh.out)
		to = "$" + strconv.Itoa(len(args))
	}
	res, err := conn.Exec(ctx, c.statement(from, format, to), args...)
	if err == nil && sh.out == "" {
		err = ctx.Err() // what is on standard output may be a part
	}
	if err != nil {
		if ctx.Err() != nil {
			sum.Left++
			return
		}
		sum.Failed++
		f := annotateFault{Shard: sh.in, Error: err.Error()}
		var e *db.Error
		if errors.As(err, &e) {
			f.Code, f.Error, f.Hint = e.Code, e.Message, e.Hint
		}
		if sh.in == "-" && c.Input == "" && f.Hint == "" {
			f.Hint = "standard input is read as jsonl; --input-format names another format"
		}
		sum.Errors = append(sum.Errors, f)
		look.failed(f)
		return
	}
	sum.Done++
	var documents, tokens int
	if n, _ := fmt.Sscanf(res.Tag, "ANNOTATE %d %s %d", &documents, new(string), &tokens); n == 3 {
		sum.Documents, sum.Tokens = sum.Documents+documents, sum.Tokens+tokens
		look.done(documents, tokens)
	}
}

// write writes the summary, to standard error where standard output has the documents.
func (a *annotated) write(s *streams, aside bool) error {
	w := s.out
	if aside {
		w = &harmless{w: s.err}
	}
	return json.NewEncoder(w).Encode(a)
}
