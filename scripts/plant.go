//go:build ignore

// Plant puts small bugs into packages and runs their tests once for each: a bug that no test notices shows what is not
// tested. The files of the tree stay as they are, for the go command reads the changed ones from elsewhere (-overlay).
// All bugs are compiled at once; the environment variable PLANTED tells the test binaries which one of them is awake.
//
//	go run scripts/plant.go -seed 1 -n 20 -tests './db:TestLanguage' ./query/operator ./query/optimise
//
// A bug is a boundary that moves by one (< for <=), half of a condition, a number of a comparison that is one too
// large, a min or max that is left out, break for continue and the reverse, or an error that is not returned. The seed
// chooses the places; each sort of bug has the same chance, whatever its number of places. For each bug the tests of
// its package run, then those that -tests names, in their order, until one fails. A bug that does not compile is
// replaced by another.
//
// -at file:line:column plants at one place alone. Each line of the output is a bug: what became of it, its place, what
// it was and is, and the seconds it took. The last line counts; it leaves out nothing, so bugs that change no
// behaviour are among the survivors.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"log"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// bug is a change of one file: the bytes [from, to) become text, in which %d is the number of the bug. It has no new
// lines, so that the compiler names the line of the place.
type bug struct {
	sort, file, text string
	shown            string // what the place becomes
	from, to         int
	line, column     int
}

func (b bug) place() string { return fmt.Sprintf("%s:%d:%d", b.file, b.line, b.column) }

func main() {
	log.SetFlags(0)
	seed := flag.Uint64("seed", 1, "chooses the places")
	n := flag.Int("n", 10, "bugs to plant")
	tests := flag.String("tests", "", "tests besides those of the package: package[:pattern of names], commas between")
	own := flag.String("run", "", "pattern of the tests of the package itself")
	timeout := flag.Duration("timeout", 2*time.Minute, "for the tests of one package; a bug that exceeds it is found")
	at := flag.String("at", "", "file:line:column of the only place")
	flag.Parse()
	var all []bug
	for _, dir := range flag.Args() {
		found, err := places(filepath.Clean(dir))
		if err != nil {
			log.Fatal(err)
		}
		all = append(all, found...)
	}
	if *at != "" {
		all = slices.DeleteFunc(all, func(b bug) bool { return b.place() != *at })
		*n = len(all)
	}
	dir, err := os.MkdirTemp("", "plant")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	r := run{dir: dir, own: *own, timeout: *timeout}
	if *tests != "" {
		r.more = strings.Split(*tests, ",")
	}
	if err := r.build(draw(all, *seed), *n); err != nil {
		log.Print(err)
		return
	}
	if test := r.broken(); test != "" {
		log.Printf("%s fails without any bug", test)
		return
	}
	survived := 0
	for k := range r.bugs {
		if r.try(k) {
			survived++
		}
	}
	fmt.Printf("seed %d: %d places, %d planted, %d survived\n", *seed, len(all), len(r.bugs), survived)
}

// draw orders the bugs at random: one of each sort in turn.
func draw(all []bug, seed uint64) (out []bug) {
	rng := rand.New(rand.NewPCG(seed, 0))
	bySort := map[string][]bug{}
	var sorts []string
	for _, b := range all {
		if bySort[b.sort] == nil {
			sorts = append(sorts, b.sort)
		}
		bySort[b.sort] = append(bySort[b.sort], b)
	}
	slices.Sort(sorts)
	for _, s := range sorts {
		list := bySort[s]
		rng.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	}
	for len(out) < len(all) {
		rng.Shuffle(len(sorts), func(i, j int) { sorts[i], sorts[j] = sorts[j], sorts[i] })
		for _, s := range sorts {
			if list := bySort[s]; len(list) > 0 {
				out, bySort[s] = append(out, list[0]), list[1:]
			}
		}
	}
	return out
}

// places lists what can be planted in the files of a folder, without its tests.
func places(dir string) (out []bug, err error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil || len(files) == 0 {
		return nil, fmt.Errorf("%s has no Go files: %v", dir, err)
	}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		src, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		set := token.NewFileSet()
		tree, err := parser.ParseFile(set, file, src, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		s := &scanner{set: set, src: src, file: file}
		ast.Inspect(tree, s.visit)
		out = append(out, s.found...)
	}
	return out, nil
}

type scanner struct {
	set   *token.FileSet
	src   []byte
	file  string
	found []bug
}

// add adds a bug at a node; shown is what it becomes, text what is written for it.
func (s *scanner) add(sort string, n ast.Node, shown, text string) {
	if !strings.Contains(text, "\n") {
		p := s.set.Position(n.Pos())
		s.found = append(s.found, bug{sort, s.file, text, shown, p.Offset, s.set.Position(n.End()).Offset, p.Line, p.Column})
	}
}

// condition adds a bug of a condition, which is the other one while the bug is awake.
func (s *scanner) condition(sort string, n ast.Node, other string) {
	s.add(sort, n, other, "(plantedBug != %d && ("+escape(s.text(n))+") || plantedBug == %[1]d && ("+escape(other)+"))")
}

// escape makes a text one of a format.
func escape(text string) string { return strings.ReplaceAll(text, "%", "%%") }

func (s *scanner) text(n ast.Node) string { return s.between(n.Pos(), n.End()) }

func (s *scanner) between(from, to token.Pos) string {
	return string(s.src[s.set.Position(from).Offset:s.set.Position(to).Offset])
}

var boundaries = map[token.Token]string{token.LSS: "<=", token.LEQ: "<", token.GTR: ">=", token.GEQ: ">"}

func (s *scanner) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.BinaryExpr:
		s.binary(n)
	case *ast.CallExpr:
		if f, ok := n.Fun.(*ast.Ident); ok && len(n.Args) == 2 && (f.Name == "min" || f.Name == "max") {
			a, b := s.text(n.Args[0]), s.text(n.Args[1])
			for i, arg := range []string{a, b} {
				s.add("clamp", n, arg, fmt.Sprintf("plantedChoice(%%d, %d, %s(%s, %s), %[3]s, %[4]s)", i, f.Name, escape(a),
					escape(b)))
			}
		}
	case *ast.ForStmt:
		s.branches(n.Body)
	case *ast.RangeStmt:
		s.branches(n.Body)
	case *ast.IfStmt:
		if n.Else == nil && isErrorReturn(n) {
			s.add("error", n.Cond, "false", "plantedBug != %d && "+escape(s.text(n.Cond)))
		}
	case *ast.GenDecl:
		return n.Tok == token.VAR
	}
	return true
}

// branches adds the statements break and continue of a loop, without those of loops and switches within it.
func (s *scanner) branches(body *ast.BlockStmt) {
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ForStmt, *ast.RangeStmt, *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.SelectStmt, *ast.FuncLit:
			return false
		case *ast.BranchStmt:
			if n.Label == nil && (n.Tok == token.CONTINUE || n.Tok == token.BREAK) {
				other := map[token.Token]string{token.CONTINUE: "break", token.BREAK: "continue"}[n.Tok]
				s.add("branch", n, other, "if plantedBug == %d { "+other+" }; "+n.Tok.String())
			}
		}
		return true
	})
}

func (s *scanner) binary(n *ast.BinaryExpr) {
	x, y, op := s.text(n.X), s.text(n.Y), s.between(n.X.End(), n.Y.Pos())
	if other, ok := boundaries[n.Op]; ok {
		s.condition("boundary", n, x+strings.Replace(op, n.Op.String(), other, 1)+y)
	}
	switch n.Op {
	case token.LAND, token.LOR:
		s.condition("half", n, x)
		s.condition("half", n, y)
	case token.LSS, token.LEQ, token.GTR, token.GEQ, token.EQL, token.NEQ:
		if v, ok := raised(n.Y); ok {
			s.condition("number", n, x+op+v)
		}
	}
}

// raised is a whole number that is one larger than a literal.
func raised(x ast.Expr) (string, bool) {
	lit, ok := x.(*ast.BasicLit)
	if !ok || lit.Kind != token.INT {
		return "", false
	}
	v, err := strconv.ParseInt(lit.Value, 0, 63)
	return strconv.FormatInt(v+1, 10), err == nil
}

// isErrorReturn reports whether a statement is if err != nil { return … }, with an initialisation or without.
func isErrorReturn(n *ast.IfStmt) bool {
	c, ok := n.Cond.(*ast.BinaryExpr)
	if !ok || c.Op != token.NEQ || len(n.Body.List) != 1 {
		return false
	}
	x, okX := c.X.(*ast.Ident)
	y, okY := c.Y.(*ast.Ident)
	_, returns := n.Body.List[0].(*ast.ReturnStmt)
	return okX && okY && returns && strings.Contains(strings.ToLower(x.Name), "err") && y.Name == "nil"
}

// run is bugs, compiled, with the tests that are to find them.
type run struct {
	dir     string // of temporary files
	bugs    []bug
	own     string   // pattern of the tests of a package itself
	more    []string // package:pattern
	timeout time.Duration
}

// build compiles the first n bugs of a list that compile and do not stand within each other, and the tests.
func (r *run) build(list []bug, n int) error {
	for len(list) > 0 {
		list = r.take(list, n)
		if err := r.write(); err != nil {
			return err
		}
		said, err := r.compile()
		if err == nil {
			return nil
		}
		if !r.drop(said) {
			return fmt.Errorf("%w\n%s", err, said)
		}
	}
	return r.write()
}

// drop leaves out the bugs at the lines that a compiler names, else those of the files that it names.
func (r *run) drop(said string) bool {
	before := len(r.bugs)
	for _, line := range []bool{true, false} {
		r.bugs = slices.DeleteFunc(r.bugs, func(b bug) bool {
			name := strings.ReplaceAll(b.file, "/", "_")
			if line {
				return strings.Contains(said, fmt.Sprintf("%s:%d:", name, b.line)) ||
					strings.Contains(said, fmt.Sprintf("%s:%d:", b.file, b.line))
			}
			return strings.Contains(said, name+":") || strings.Contains(said, b.file+":")
		})
		if len(r.bugs) < before {
			return true
		}
	}
	return false
}

// take adds bugs of a list until there are n, and returns the rest of the list.
func (r *run) take(list []bug, n int) []bug {
	for len(list) > 0 && len(r.bugs) < n {
		b := list[0]
		list = list[1:]
		apart := func(o bug) bool { return o.file == b.file && o.from < b.to && b.from < o.to }
		if !slices.ContainsFunc(r.bugs, apart) {
			r.bugs = append(r.bugs, b)
		}
	}
	return list
}

// awake is a file of each package with bugs.
const awake = `package %s

import (
	"os"
	"strconv"
)

var plantedBug, _ = strconv.Atoi(os.Getenv("PLANTED"))

func plantedChoice[T any](bug, which int, right, a, b T) T {
	switch {
	case plantedBug != bug:
		return right
	case which == 0:
		return a
	}
	return b
}
`

// write writes the changed files and the overlay.
func (r *run) write() error {
	files := map[string][]int{}
	for k, b := range r.bugs {
		files[b.file] = append(files[b.file], k)
	}
	replace := map[string]string{}
	for file, numbers := range files {
		src, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		slices.SortFunc(numbers, func(a, b int) int { return r.bugs[b].from - r.bugs[a].from })
		for _, k := range numbers {
			b := r.bugs[k]
			src = slices.Concat(src[:b.from], []byte(fmt.Sprintf(b.text, k+1)), src[b.to:])
		}
		tree, err := parser.ParseFile(token.NewFileSet(), file, src, parser.PackageClauseOnly)
		if err != nil {
			return err
		}
		dir := filepath.Dir(file)
		both := map[string]string{file: string(src), filepath.Join(dir, "planted.go"): fmt.Sprintf(awake, tree.Name)}
		for name, text := range both {
			whole, err := filepath.Abs(name)
			if err != nil {
				return err
			}
			replace[whole] = filepath.Join(r.dir, strings.ReplaceAll(name, "/", "_"))
			if err := os.WriteFile(replace[whole], []byte(text), 0o600); err != nil {
				return err
			}
		}
	}
	list, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(r.dir, "overlay.json"), list, 0o600)
}

// binary is the file of the tests of a package.
func (r *run) binary(pkg string) string {
	return filepath.Join(r.dir, strings.ReplaceAll(pkg, "/", "_")+".test")
}

// compile compiles the tests of all packages, and returns what the compiler says of an error.
func (r *run) compile() (string, error) {
	var packages []string
	for _, b := range r.bugs {
		packages = append(packages, filepath.Dir(b.file))
	}
	for _, t := range r.more {
		pkg, _, _ := strings.Cut(t, ":")
		packages = append(packages, filepath.Clean(pkg))
	}
	slices.Sort(packages)
	for _, pkg := range slices.Compact(packages) {
		out, err := exec.Command("go", "test", "-c", "-vet=off", "-overlay", filepath.Join(r.dir, "overlay.json"), "-o",
			r.binary(pkg),
			"./"+pkg).CombinedOutput()
		if err != nil {
			return string(out), err
		}
	}
	return "", nil
}

// broken returns a test that fails without any bug, "" for none.
func (r *run) broken() string {
	tests := slices.Clone(r.more)
	for _, b := range r.bugs {
		tests = append(tests, filepath.Dir(b.file)+":"+r.own)
	}
	slices.Sort(tests)
	for _, test := range slices.Compact(tests) {
		if !r.pass(-1, test) {
			return test
		}
	}
	return ""
}

// try runs the tests with a bug until some fail, and reports whether it survived.
func (r *run) try(k int) bool {
	b, began := r.bugs[k], time.Now()
	what, by := "survived", ""
	for _, test := range append([]string{filepath.Dir(b.file) + ":" + r.own}, r.more...) {
		if !r.pass(k, test) {
			what, by = "found", ", by "+test
			break
		}
	}
	src, _ := os.ReadFile(b.file)
	fmt.Printf("%-8s %s %s: %s → %s (%.0f s%s)\n", what, b.place(), b.sort, src[b.from:b.to], b.shown,
		time.Since(began).Seconds(), by)
	return what == "survived"
}

// pass reports whether tests pass. A package without tests has no binary.
func (r *run) pass(k int, test string) bool {
	pkg, pattern, _ := strings.Cut(test, ":")
	pkg = filepath.Clean(pkg)
	if _, err := os.Stat(r.binary(pkg)); err != nil {
		return true
	}
	ctx, cancel := context.WithTimeout(context.Background(), r.timeout+time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, r.binary(pkg), "-test.failfast", "-test.timeout", r.timeout.String(), "-test.run",
		pattern)
	cmd.Dir = pkg
	cmd.Env = append(os.Environ(), fmt.Sprintf("PLANTED=%d", k+1))
	return cmd.Run() == nil
}
