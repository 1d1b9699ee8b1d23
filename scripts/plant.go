//go:build ignore

// Plant puts small bugs into packages and runs their tests once for each: a bug that no test notices shows what is not
// tested. The files of the tree stay as they are, for the go command reads the changed ones from elsewhere (-overlay).
// All bugs are compiled at once; the environment variable PLANTED tells the test binaries which one of them is awake.
//
//	go run scripts/plant.go -seed 1 -n 60
//	go run scripts/plant.go -seed 1 -n 20 -tests './db:TestLanguage' ./query/operator ./query/optimise
//	go run scripts/plant.go -seed 7 -n 40 3:./query/... 1:./server/...,./repl
//
// An argument is a group: packages with commas between, /... for all beneath, and a weight before a colon, 1 without.
// The bugs are shared out among the groups by their weights. Without arguments, half are in query, a third in algo and
// storage, the rest in db, server and repl. Packages that are for tests alone are left out.
//
// A bug is one of these:
//
//	guard     a condition of if or case that is never true, or is the opposite; not those that look at an error alone
//	half      one half of a condition: a && b, a || b become a or b
//	boundary  a comparison that moves by one: < for <=, > for >=, and the reverse
//	number    a number, or constant of the package, that is compared with, one larger
//	constant  a number that is an operand, an argument, a result or assigned, one larger
//	slice     a bound of a slice, one larger or smaller
//	clamp     min for max and the reverse, or one of their two arguments
//	sign      + for - and the reverse
//	branch    break for continue and the reverse
//	error     an error that is not returned
//
// The seed chooses the places; each sort of bug has the same chance, whatever its number of places. A bug that does not
// compile is replaced by another. For each bug the tests of its package run, then those of at most -users packages that
// import it, the first by name, then those of -tests whose folder has the bug, in their order, until one fails. A test
// that fails runs without the bug too: if it fails again, it has found nothing.
//
// Each line of the output is a bug: its number, what became of it, its place, its sort, what it was and is, which test
// found it and the seconds it took. The last line counts; it leaves out nothing, so bugs that change no behaviour are
// among the survivors. -only 3,7 tries these numbers alone: with the same seed, -n and groups, and no file changed
// but tests, they are the same bugs. Ctrl-C ends with the count of what was tried.
package main

import (
	"cmp"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"io/fs"
	"log"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

// bug is a change of one file: the bytes [from, to) become text, in which %[1]d is the number of the bug. It has no new
// lines, so that the compiler names the line of the place.
type bug struct {
	sort, file, text string
	shown            string // what the place becomes
	from, to         int
	line, column     int
	number           int // from 1, when it is planted
	group            *group
}

func (b bug) place() string { return fmt.Sprintf("%s:%d:%d", b.file, b.line, b.column) }

// group is packages with their share of the bugs.
type group struct {
	weight, quota int
	places        []bug // in the order in which they are planted
}

const (
	mixture = "3:./query/... 2:./algo/...,./storage/... 1:./db,./db/driver,./server/...,./repl/..."
	further = "query=./db:TestLanguage|TestNaive|TestRules|TestSQLite|TestPostgreSQL,query=./tools/reference," +
		"query=./db,storage=./db,storage=./tools/reference,algo=./db:TestLanguage,algo=./tools/reference"
)

func main() {
	log.SetFlags(0)
	seed := flag.Uint64("seed", 1, "chooses the places")
	n := flag.Int("n", 10, "bugs to plant")
	tests := flag.String("tests", further, "further tests: [folder=]package[:pattern], commas between")
	users := flag.Int("users", 6, "packages that import that of a bug, whose tests run too")
	own := flag.String("run", "", "pattern of the tests of the package itself")
	only := flag.String("only", "", "numbers of the bugs to try, commas between; all if empty")
	timeout := flag.Duration("timeout", 3*time.Minute, "for the tests of a package; a bug that exceeds it is caught")
	workers := flag.Int("j", 1, "bugs to try at the same time")
	flag.Parse()
	args := flag.Args()
	if len(args) == 0 {
		args = strings.Fields(mixture)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	groups, err := groupsOf(args, *seed, *n)
	if err != nil {
		log.Fatal(err)
	}
	dir, err := os.MkdirTemp("", "plant")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	r := run{ctx: ctx, dir: dir, own: *own, timeout: *timeout, most: *users}
	if *tests != "" {
		r.more = strings.Split(*tests, ",")
	}
	if err := r.build(groups); err != nil {
		log.Print(err)
		return
	}
	bugs, err := r.chosen(*only)
	if err == nil {
		err = r.compile(bugs)
	}
	if err != nil {
		log.Print(err)
		return
	}
	each(r.ctx, *workers, bugs, r.try)
	if r.tried > 0 {
		fmt.Printf("seed %d: %d planted, %d tried, %d caught, %d survived (%.0f %%)\n", *seed, len(r.bugs), r.tried,
			r.tried-r.survived, r.survived, 100*float64(r.survived)/float64(r.tried))
	}
}

// groupsOf reads groups of packages and shares n bugs out among them.
func groupsOf(args []string, seed uint64, n int) ([]*group, error) {
	var groups []*group
	sum := 0
	for _, arg := range args {
		g := &group{weight: 1}
		if w, rest, ok := strings.Cut(arg, ":"); ok {
			v, err := strconv.Atoi(w)
			if err != nil || v < 1 {
				return nil, fmt.Errorf("weight %s of group %s: a whole number from 1", w, arg)
			}
			g.weight, arg = v, rest
		}
		var all []bug
		for _, name := range strings.Split(arg, ",") {
			dirs, err := folders(name)
			if err != nil {
				return nil, err
			}
			for _, dir := range dirs {
				found, err := places(dir)
				if err != nil {
					return nil, err
				}
				all = append(all, found...)
			}
		}
		if len(all) == 0 {
			return nil, fmt.Errorf("group %s has no place for a bug", arg)
		}
		g.places = draw(all, seed)
		groups, sum = append(groups, g), sum+g.weight
	}
	left := n
	for i, g := range groups {
		g.quota = left
		if i < len(groups)-1 {
			g.quota = min(left, (n*g.weight+sum/2)/sum)
		}
		left -= g.quota
	}
	return groups, nil
}

// folders lists the folder of a name, or those beneath it for a name with /..., without packages for tests alone.
func folders(name string) ([]string, error) {
	root, beneath := strings.CutSuffix(name, "/...")
	root = filepath.Clean(root)
	if !beneath {
		return []string{root}, nil
	}
	var out []string
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		switch name := d.Name(); {
		case name == "testdata", name == "testutil", strings.HasSuffix(name, "test"):
			return fs.SkipDir
		}
		out = append(out, path)
		return nil
	})
	return out, err
}

// draw orders the bugs at random: one of each sort in turn.
func draw(all []bug, seed uint64) (out []bug) {
	rng := rand.New(rand.NewPCG(seed, 0))
	bySort := map[string][]bug{}
	for _, b := range all {
		bySort[b.sort] = append(bySort[b.sort], b)
	}
	sorts := slices.Sorted(maps.Keys(bySort))
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

// places lists what can be planted in the files of a folder that are compiled here, without its tests.
func places(dir string) ([]bug, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return nil, err
	}
	s := &scanner{constants: map[string]bool{}}
	var trees []*ast.File
	for _, file := range files {
		if ok, err := build.Default.MatchFile(dir, filepath.Base(file)); !ok || strings.HasSuffix(file, "_test.go") {
			if err != nil {
				return nil, err
			}
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
		trees = append(trees, tree)
		s.sources = append(s.sources, source{set, src, file})
		s.declare(tree)
	}
	for i, tree := range trees {
		s.source = s.sources[i]
		ast.Inspect(tree, s.visit)
	}
	return s.found, nil
}

type source struct {
	set  *token.FileSet
	src  []byte
	file string
}

type scanner struct {
	source
	sources   []source
	constants map[string]bool // whole numbers of the package
	found     []bug
}

// declare notes the constants of a file that are whole numbers.
func (s *scanner) declare(tree *ast.File) {
	for _, d := range tree.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok || g.Tok != token.CONST {
			continue
		}
		for _, spec := range g.Specs {
			spec := spec.(*ast.ValueSpec)
			for i, name := range spec.Names {
				if i < len(spec.Values) && numeric(spec.Values[i]) {
					s.constants[name.Name] = true
				}
			}
		}
	}
}

// numeric reports whether an expression is of whole numbers alone, such as 1 << 20.
func numeric(x ast.Expr) bool {
	switch x := x.(type) {
	case *ast.BasicLit:
		return x.Kind == token.INT
	case *ast.BinaryExpr:
		return numeric(x.X) && numeric(x.Y)
	}
	return false
}

// add adds a bug at a node; shown is what it becomes, text what is written for it.
func (s *scanner) add(sort string, n ast.Node, shown, text string) {
	if !strings.Contains(text, "\n") {
		p := s.set.Position(n.Pos())
		s.found = append(s.found, bug{sort: sort, file: s.file, text: text, shown: shown, from: p.Offset,
			to: s.set.Position(n.End()).Offset, line: p.Line, column: p.Column})
	}
}

// condition adds a bug of a condition, which is the other one while the bug is awake.
func (s *scanner) condition(sort string, n ast.Node, other string) {
	s.add(sort, n, other, "(plantedBug != %[1]d && ("+s.escaped(n)+") || plantedBug == %[1]d && ("+escape(other)+"))")
}

// escape makes a text one of a format.
func escape(text string) string { return strings.ReplaceAll(text, "%", "%%") }

func (s *scanner) text(n ast.Node) string { return s.between(n.Pos(), n.End()) }

func (s *scanner) escaped(n ast.Node) string { return escape(s.text(n)) }

func (s *scanner) between(from, to token.Pos) string {
	return string(s.src[s.set.Position(from).Offset:s.set.Position(to).Offset])
}

func (s *scanner) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.BinaryExpr:
		s.binary(n)
	case *ast.CallExpr:
		s.call(n)
	case *ast.SliceExpr:
		s.slice(n)
	case *ast.AssignStmt:
		s.assign(n)
	case *ast.ReturnStmt:
		s.numbers(n.Results)
	case *ast.ForStmt:
		s.branches(n.Body)
	case *ast.RangeStmt:
		s.branches(n.Body)
	case *ast.IfStmt:
		if n.Else == nil && isErrorReturn(n) {
			s.add("error", n.Cond, "false", "(plantedBug != %[1]d && ("+s.escaped(n.Cond)+"))")
		}
		s.guard(n.Cond, n.Else == nil)
	case *ast.SwitchStmt:
		if n.Tag == nil {
			for _, c := range n.Body.List {
				for _, x := range c.(*ast.CaseClause).List {
					s.guard(x, true)
				}
			}
		}
	case *ast.GenDecl:
		return n.Tok == token.VAR
	}
	return true
}

// guard adds the bugs of a condition that stands for itself: the opposite of it, and, where it may, none.
func (s *scanner) guard(cond ast.Expr, drop bool) {
	if looksAtError(cond) {
		return
	}
	s.add("guard", cond, "!("+s.text(cond)+")", "((plantedBug == %[1]d) != ("+s.escaped(cond)+"))")
	if drop {
		s.add("guard", cond, "false", "(plantedBug != %[1]d && ("+s.escaped(cond)+"))")
	}
}

// looksAtError reports whether a condition asks of an error alone whether, or which, it is.
func looksAtError(cond ast.Expr) bool {
	switch c := cond.(type) {
	case *ast.BinaryExpr:
		y, ok := c.Y.(*ast.Ident)
		return ok && y.Name == "nil" && isError(c.X)
	case *ast.CallExpr:
		f, ok := c.Fun.(*ast.SelectorExpr)
		if !ok {
			return false
		}
		x, ok := f.X.(*ast.Ident)
		return ok && x.Name == "errors"
	}
	return false
}

// isError guesses by its name whether an expression is an error.
func isError(x ast.Expr) bool {
	switch x := x.(type) {
	case *ast.Ident:
		return strings.Contains(strings.ToLower(x.Name), "err")
	case *ast.SelectorExpr:
		return strings.Contains(strings.ToLower(x.Sel.Name), "err")
	case *ast.CallExpr:
		return isError(x.Fun)
	}
	return false
}

// call adds the bugs of min and max, and of numbers that are arguments. Sizes that are asked for ahead matter little.
func (s *scanner) call(n *ast.CallExpr) {
	name := ""
	switch f := n.Fun.(type) {
	case *ast.Ident:
		name = f.Name
	case *ast.SelectorExpr:
		name = f.Sel.Name
	}
	other := map[string]string{"min": "max", "max": "min"}[name]
	if _, builtin := n.Fun.(*ast.Ident); !builtin || other == "" {
		if name != "make" && name != "Grow" {
			s.numbers(n.Args)
		}
		return
	}
	right := s.text(n)
	swapped := other + strings.TrimPrefix(right, name)
	for i := -1; i < len(n.Args) && len(n.Args) == 2; i++ {
		shown := swapped
		if i >= 0 {
			shown = s.text(n.Args[i])
		}
		s.add("clamp", n, shown, "plantedChoice(%[1]d, "+escape(right)+", "+escape(shown)+")")
	}
}

// slice adds the bugs of the bounds of a slice.
func (s *scanner) slice(n *ast.SliceExpr) {
	for _, x := range []ast.Expr{n.Low, n.High} {
		if x == nil {
			continue
		}
		for _, by := range []int{-1, 1} {
			s.add("slice", x, fmt.Sprintf("%s %+d", s.text(x), by),
				fmt.Sprintf("plantedMove(%%[1]d, %d, %s)", by, s.escaped(x)))
		}
	}
}

// assign adds the bugs of sums that go to their variable, and of numbers.
func (s *scanner) assign(n *ast.AssignStmt) {
	switch n.Tok {
	case token.ADD_ASSIGN, token.SUB_ASSIGN:
		if lit, ok := n.Rhs[0].(*ast.BasicLit); !ok || lit.Kind != token.STRING {
			s.add("sign", n.Rhs[0], "-("+s.text(n.Rhs[0])+")", "plantedSign(%[1]d, "+s.escaped(n.Rhs[0])+")")
		}
	}
	s.numbers(n.Rhs)
}

// numbers adds the bugs of whole numbers among expressions.
func (s *scanner) numbers(list []ast.Expr) {
	for _, x := range list {
		if v, ok := raised(x); ok {
			s.add("constant", x, v, "plantedMove(%[1]d, 1, "+s.escaped(x)+")")
		}
	}
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
				s.add("branch", n, other, "if plantedBug == %[1]d { "+other+" }; "+n.Tok.String())
			}
		}
		return true
	})
}

var boundaries = map[token.Token]string{token.LSS: "<=", token.LEQ: "<", token.GTR: ">=", token.GEQ: ">"}

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
		v, ok := raised(n.Y)
		if name, is := n.Y.(*ast.Ident); is && s.constants[name.Name] {
			v, ok = name.Name+" + 1", true
		}
		if ok {
			s.condition("number", n, x+op+v)
		}
	case token.ADD, token.SUB:
		s.sum(n, x, y)
	case token.MUL, token.QUO, token.REM:
		s.numbers([]ast.Expr{n.X, n.Y})
	}
}

// sum adds the bugs of a sum or difference. What has text in it is a text.
func (s *scanner) sum(n *ast.BinaryExpr, x, y string) {
	if strings.ContainsAny(x+y, "\"`") || strings.Contains(x+y, "String()") {
		return
	}
	name, other := "plantedSum", " - "
	if n.Op == token.SUB {
		name, other = "plantedDifference", " + "
	}
	s.add("sign", n, x+other+y, name+"(%[1]d, "+escape(x)+", "+escape(y)+")")
	s.numbers([]ast.Expr{n.X, n.Y})
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
	return okX && okY && returns && isError(x) && y.Name == "nil"
}

// run is bugs, compiled, with the tests that are to find them.
type run struct {
	ctx     context.Context
	dir     string // of temporary files
	bugs    []bug  // those that are planted
	last    int    // number of the last bug
	own     string // pattern of the tests of a package itself
	more    []string
	most    int                 // of users, for each package
	users   map[string][]string // of the packages of bugs: those that import them
	timeout time.Duration

	mutex           sync.Mutex // of what is below
	tried, survived int
}

// build compiles as many bugs as the groups want that compile and do not stand within each other.
func (r *run) build(groups []*group) error {
	for {
		for _, g := range groups {
			r.take(g)
		}
		if err := r.write(); err != nil {
			return err
		}
		said, err := r.command("go", append([]string{"build", "-overlay", r.overlay()}, r.packages(r.bugs, nil)...)...)
		if err == nil {
			return nil
		}
		if r.ctx.Err() != nil || !r.drop(said) {
			return fmt.Errorf("%w\n%s", err, said)
		}
	}
}

// drop leaves out the bugs at the lines that a compiler names, else those of the files that it names.
func (r *run) drop(said string) bool {
	before := len(r.bugs)
	for _, line := range []bool{true, false} {
		r.bugs = slices.DeleteFunc(r.bugs, func(b bug) bool {
			after := ":"
			if line {
				after = fmt.Sprintf(":%d:", b.line)
			}
			return strings.Contains(said, flat(b.file)+after) || strings.Contains(said, b.file+after)
		})
		if len(r.bugs) < before {
			return true
		}
	}
	return false
}

// flat is the name of a file of the tree among the temporary files.
func flat(name string) string { return strings.ReplaceAll(name, "/", "_") }

// take adds bugs of a group until it has its quota. They come in the order of their numbers.
func (r *run) take(g *group) {
	mine := 0
	for _, b := range r.bugs {
		if b.group == g {
			mine++
		}
	}
	for len(g.places) > 0 && mine < g.quota {
		b := g.places[0]
		g.places = g.places[1:]
		apart := func(o bug) bool { return o.file == b.file && o.from < b.to && b.from < o.to }
		if !slices.ContainsFunc(r.bugs, apart) {
			r.last++
			b.number, b.group = r.last, g
			r.bugs = append(r.bugs, b)
			mine++
		}
	}
}

// awake is a file of each package with bugs.
const awake = `package %s

import (
	"os"
	"strconv"
)

var plantedBug, _ = strconv.Atoi(os.Getenv("PLANTED"))

type plantedNumber interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~float32 | ~float64
}

func plantedChoice[T any](bug int, right, other T) T {
	if plantedBug == bug {
		return other
	}
	return right
}

func plantedMove[T plantedNumber](bug, by int, x T) T {
	if plantedBug == bug {
		return x + T(by)
	}
	return x
}

func plantedSign[T plantedNumber](bug int, x T) T { return plantedChoice(bug, x, -x) }

func plantedSum[T plantedNumber](bug int, x, y T) T { return plantedChoice(bug, x+y, x-y) }

func plantedDifference[T plantedNumber](bug int, x, y T) T { return plantedChoice(bug, x-y, x+y) }
`

// write writes the changed files and the overlay.
func (r *run) write() error {
	files := map[string][]bug{}
	for _, b := range r.bugs {
		files[b.file] = append(files[b.file], b)
	}
	replace := map[string]string{}
	for file, bugs := range files {
		src, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		slices.SortFunc(bugs, func(a, b bug) int { return b.from - a.from })
		for _, b := range bugs {
			src = slices.Concat(src[:b.from], []byte(fmt.Sprintf(b.text, b.number)), src[b.to:])
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
			replace[whole] = filepath.Join(r.dir, flat(name))
			if err := os.WriteFile(replace[whole], []byte(text), 0o600); err != nil {
				return err
			}
		}
	}
	list, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return err
	}
	return os.WriteFile(r.overlay(), list, 0o600)
}

func (r *run) overlay() string { return filepath.Join(r.dir, "overlay.json") }

// importers finds the packages that import those of bugs.
func (r *run) importers(bugs []bug) error {
	said, err := r.command("go", "list", "-f", `{{.ImportPath}}{{range .Imports}} {{.}}{{end}}`, "./...")
	if err != nil {
		return fmt.Errorf("%w\n%s", err, said)
	}
	r.users = map[string][]string{}
	for line := range strings.Lines(said) {
		words := strings.Fields(line)
		_, user, _ := strings.Cut(words[0], "/")
		for _, b := range bugs {
			pkg := filepath.ToSlash(filepath.Dir(b.file))
			imports := slices.ContainsFunc(words[1:], func(w string) bool { return strings.HasSuffix(w, "/"+pkg) })
			further := slices.ContainsFunc(r.more, func(t string) bool { _, p, _ := parts(t); return p == user })
			if imports && user != "" && !further && len(r.users[pkg]) < r.most && !slices.Contains(r.users[pkg], user) {
				r.users[pkg] = append(r.users[pkg], user)
			}
		}
	}
	return nil
}

// packages lists the packages of bugs, those that import them as far as they are known, and those of further tests.
func (r *run) packages(bugs []bug, further []string) []string {
	var out []string
	for _, b := range bugs {
		out = append(out, "./"+filepath.Dir(b.file))
		for _, user := range r.users[filepath.ToSlash(filepath.Dir(b.file))] {
			out = append(out, "./"+user)
		}
	}
	for _, t := range further {
		_, pkg, _ := parts(t)
		out = append(out, "./"+pkg)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// parts splits [folder=]package[:pattern].
func parts(test string) (folder, pkg, pattern string) {
	pkg, pattern, _ = strings.Cut(test, ":")
	if f, p, ok := strings.Cut(pkg, "="); ok {
		folder, pkg = filepath.Clean(f)+"/", p
	}
	return folder, filepath.Clean(pkg), pattern
}

// binary is the file of the tests of a package.
func (r *run) binary(pkg string) string { return filepath.Join(r.dir, flat(pkg)+".test") }

// compile compiles the tests that are to find some bugs.
func (r *run) compile(bugs []bug) error {
	if err := r.importers(bugs); err != nil {
		return err
	}
	for _, pkg := range r.packages(bugs, r.more) {
		said, err := r.command("go", "test", "-c", "-vet=off", "-overlay", r.overlay(), "-o", r.binary(filepath.Clean(pkg)),
			pkg)
		if err != nil {
			return fmt.Errorf("%w\n%s", err, said)
		}
	}
	return nil
}

// command runs a command and returns what it writes. With the run it ends, and what it has started.
func (r *run) command(name string, args ...string) (string, error) {
	return output(exec.CommandContext(r.ctx, name, args...))
}

func output(cmd *exec.Cmd) (string, error) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = time.Second
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// chosen lists the bugs with the numbers of a list, all for an empty one.
func (r *run) chosen(only string) ([]bug, error) {
	if only == "" {
		return r.bugs, nil
	}
	var out []bug
	for _, text := range strings.Split(only, ",") {
		i := slices.IndexFunc(r.bugs, func(b bug) bool { return strconv.Itoa(b.number) == text })
		if i < 0 {
			log.Printf("no bug has the number %s: there is none, or it does not compile", text)
			continue
		}
		out = append(out, r.bugs[i])
	}
	return out, nil
}

// tests lists the tests that are to find a bug, as package:pattern.
func (r *run) tests(b bug) []string {
	out := []string{filepath.Dir(b.file) + ":" + r.own}
	for _, user := range r.users[filepath.ToSlash(filepath.Dir(b.file))] {
		out = append(out, user+":")
	}
	for _, t := range r.more {
		folder, pkg, pattern := parts(t)
		if strings.HasPrefix(b.file, folder) {
			out = append(out, pkg+":"+pattern)
		}
	}
	return out
}

// each calls f for the items of a list on some workers, until a context has ended.
func each[T any](ctx context.Context, workers int, list []T, f func(T)) {
	next := make(chan T)
	var all sync.WaitGroup
	for range max(workers, 1) {
		all.Go(func() {
			for item := range next {
				f(item)
			}
		})
	}
	for _, item := range list {
		if ctx.Err() != nil {
			break
		}
		next <- item
	}
	close(next)
	all.Wait()
}

// try runs the tests with a bug until some fail.
func (r *run) try(b bug) {
	began := time.Now()
	by := ""
	for _, test := range r.tests(b) {
		if by = r.find(b.number, test); by != "" && !r.sound(test, by) {
			by = ""
		}
		if by != "" || r.ctx.Err() != nil {
			break
		}
	}
	if r.ctx.Err() != nil {
		return
	}
	r.mutex.Lock()
	defer r.mutex.Unlock()
	what := "survived"
	if r.tried++; by != "" {
		what, by = "caught", by+", "
	} else {
		r.survived++
	}
	was, _ := os.ReadFile(b.file)
	fmt.Printf("%4d %-8s %s %s: %s → %s (%s%.0f s)\n", b.number, what, b.place(), b.sort, was[b.from:b.to], b.shown,
		by, time.Since(began).Seconds())
}

var failed = regexp.MustCompile(`(?m)^\s*--- FAIL: (\S+)|^panic: (.*)|^fatal error: (.*)`)

// sound reports whether what found a bug passes without one, so that it is the bug that was found.
func (r *run) sound(test, by string) bool {
	pkg, _, _ := strings.Cut(test, ":")
	if name, ok := strings.CutPrefix(by, pkg+": Test"); ok {
		name, _, _ = strings.Cut(name, "/")
		test = pkg + ":^Test" + name + "$"
	}
	if again := r.find(0, test); again != "" && r.ctx.Err() == nil {
		log.Printf("left out, for it fails without any bug: %s", again)
		return false
	}
	return true
}

// find runs tests, package:pattern, with a bug, 0 for none, and returns what found it, "" if nothing did. A package
// without tests has no binary.
func (r *run) find(number int, test string) string {
	pkg, pattern, _ := strings.Cut(test, ":")
	if _, err := os.Stat(r.binary(pkg)); err != nil {
		return ""
	}
	ctx, cancel := context.WithTimeout(r.ctx, r.timeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, r.binary(pkg), "-test.failfast", "-test.run", pattern)
	cmd.Dir = pkg
	cmd.Env = append(os.Environ(), fmt.Sprintf("PLANTED=%d", number))
	said, err := output(cmd)
	if err == nil {
		return ""
	}
	names := failed.FindAllStringSubmatch(said, -1)
	switch {
	case ctx.Err() != nil:
		return pkg + ": time"
	case len(names) == 0:
		return pkg
	}
	last := names[len(names)-1]
	return pkg + ": " + cmp.Or(last[1], last[2], last[3])
}
