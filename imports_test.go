package main

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// layers is the one-way import table: a package may import the packages whose path starts
// with one of its entries, and the standard library. An entry that is a folder inside an area means that package alone.
// The folder of a kind has a line only if it imports more than every kind may, as foundation and ofFamily say.
var layers = map[string][]string{
	"":                {"repl"},
	"db":              {"query", "storage", "algo"},
	"beam":            {"db", "algo/kind", "github.com/apache/beam"}, // a module of its own
	"db/manual":       nil,
	"tools/reference": {"db", "query", "algo", "storage"},
	"tools/bench": {"db", "storage", "algo", "github.com/jackc/pgx/v5/pgproto3", "gonum.org/v1/gonum",
		"github.com/alecthomas/kong"},
	"server/auth":              {"db", "github.com/jackc/pgx/v5/pgproto3", "github.com/xdg-go/scram"},
	"server/secure":            {"github.com/xdg-go/scram"},
	"server/secure/securetest": nil,
	"server": {"server/auth", "server/secure", "db", "storage/value", "storage/value/pg",
		"github.com/jackc/pgx/v5/pgproto3", "golang.org/x/sys/unix"},
	"server/observe": {"db", "github.com/prometheus/client_golang"},
	"db/driver":      {"db", "algo/option", "storage/value"},
	"db/reloadtest":  {"db"},
	"db/languagetest": {"db", "query/ast", "query/lex", "algo/kind", "algo/kindtest", "algo/testutil/testtime",
		"storage/value", "github.com/cockroachdb/datadriven"},
	"repl": {"repl/remote", "db", "algo/metrics", "algo/option", "server", "query/lex", "query/parse", "query/ast",
		"storage/format", "storage/format/codec", "storage/value", "github.com/jedib0t/go-pretty",
		"github.com/reeflective/readline", "github.com/clipperhouse/uax29", "golang.org/x/term",
		"github.com/alecthomas/kong"},
	"repl/remote": {"db", "storage/value", "github.com/jackc/pgx/v5", "storage/value/pg"},
	"query/ast":   nil,
	"query/meter": nil,
	"query/parse": {"query/ast", "query/lex", "algo/edit", "storage/guard", "github.com/alecthomas/participle"},
	"query/fn":    {"algo/option", "storage/value"},
	"query/expr":  {"query/ast", "query/fn", "query/fn/jsonfn", "query/fn/textfn", "storage/value"},
	"query/plan": {"query/ast", "query/expr", "query/fn", "query/fn/jsonfn", "algo/extract", "algo/kind",
		"algo/text", "storage"},
	"query/exec": {"query/annotate", "query/ast", "query/bind", "query/document", "query/draft", "query/expr",
		"query/fault", "query/fn", "query/fn/jsonfn", "query/jobs", "query/meter", "query/models", "query/operator",
		"query/optarg", "query/optimise", "query/parallel", "query/plan", "query/setting", "algo/extract",
		"algo/kind", "algo/option", "algo/segment", "algo/text", "storage", "query/turn"},
	"query/bind": {"query/ast", "query/document", "query/expr", "query/fault", "query/fn", "query/fn/jsonfn",
		"query/fn/numfn", "query/fn/textfn", "query/fn/timefn", "query/models", "query/optarg", "query/optimise",
		"query/plan", "algo/extract", "algo/kind", "algo/metrics", "algo/option", "algo/text", "storage"},
	"query/optimise": {"query/ast", "query/expr", "query/plan", "storage/value"},
	"query/draft":    {"query/fault", "query/plan", "algo/text", "storage/value"},
	"query/fault":    {"query/ast", "query/plan", "algo/kind", "algo/text", "storage"},
	"query/operator": {"query/ast", "query/expr", "query/fault", "query/fn", "query/fn/aggfn", "query/fn/timefn",
		"query/plan", "storage/files", "storage/value", "query/turn"},
	"query/optarg": {"query/ast", "query/expr", "query/plan", "algo/option", "storage/value"},
	"query/setting": {"query/ast", "query/fault", "query/fn/timefn", "query/optarg", "query/optimise",
		"query/plan", "algo/option", "storage"},
	"query/jobs": {"query/ast", "query/fault", "algo/kind", "storage"},
	"query/engine": {"query/annotate", "query/ast", "query/bind", "query/change", "query/document", "query/exec",
		"query/expr", "query/fault", "query/fn", "query/fn/jsonfn", "query/input", "query/jobs", "query/learn",
		"query/meter", "query/models", "query/operator", "query/optarg", "query/pgcatalog", "query/plan",
		"query/relation", "query/score", "query/setting", "algo/check", "algo/feature", "algo/feature/place",
		"algo/kind", "algo/option", "algo/text", "storage", "query/turn"},
	"query/change": {"query/annotate", "query/ast", "query/bind", "query/document", "query/draft", "query/exec",
		"query/expr", "query/fault", "query/input", "query/models", "query/operator", "query/optarg",
		"query/optimise", "query/plan", "query/progress", "query/relation", "algo/feature", "algo/feature/place",
		"algo/foreign", "algo/kb/logic", "algo/kind", "algo/option", "algo/segment", "algo/stem", "algo/text",
		"storage"},
	"query/input": {"query/annotate", "query/ast", "query/exec", "query/models", "query/operator", "query/plan",
		"algo/check", "algo/kind", "algo/text", "storage"},
	"query/learn": {"query/annotate", "query/ast", "query/document", "query/exec", "query/expr", "query/fault",
		"query/input", "query/jobs", "query/models", "query/operator", "query/optarg", "query/plan", "query/progress",
		"query/relation", "query/score", "algo/check", "algo/feature", "algo/feature/place", "algo/kind",
		"algo/metrics", "algo/option", "algo/text", "storage"},
	"query/relation": {"query/ast", "query/bind", "query/document", "query/exec", "query/expr", "query/fault",
		"query/fn", "query/fn/jsonfn", "query/fn/textfn", "query/operator", "query/optarg", "query/plan",
		"algo/check", "algo/feature", "algo/feature/place", "algo/kind", "algo/option", "algo/text", "storage"},
	"query/score": {"query/annotate", "query/ast", "query/bind", "query/exec", "query/expr", "query/fault",
		"query/input", "query/models", "query/operator", "query/optarg", "query/plan", "query/relation", "algo/check",
		"algo/kind", "algo/metrics", "algo/option", "algo/text", "storage"},
	"query/pgcatalog": {"query/ast", "query/exec", "query/expr", "query/fault", "query/fn", "query/fn/jsonfn",
		"query/fn/textfn", "query/operator", "query/plan", "query/relation", "algo/kind", "storage"},
	"query/document": {"query/ast", "query/draft", "query/fault", "query/plan", "algo/segment", "algo/text",
		"storage"},
	"query/models": {"query/ast", "query/document", "query/expr", "query/fault", "query/optarg",
		"query/plan", "algo/foreign", "algo/gazetteer", "algo/kind", "algo/option", "algo/segment", "algo/text",
		"storage"},
	"query/progress": {"algo/kind"},
	"query/annotate": {"query/document", "query/fault", "query/meter", "query/models", "query/operator", "query/parallel",
		"query/plan", "algo/kind", "algo/text", "storage", "query/turn"},
	"query/parallel": {"storage/guard"},
	"query/lex":      {"query/ast", "github.com/alecthomas/participle"},
	"query/fn/aggfn": {"query/fn", "query/fn/jsonfn", "storage/value"},
	"query/fn/builtin": {"query/fn", "query/fn/aggfn", "query/fn/jsonfn", "query/fn/numfn", "query/fn/textfn",
		"query/fn/timefn"},
	"query/fn/fntest": {"query/fn", "storage/value"},
	"query/fn/jsonfn": {"query/fn", "storage/value"},
	"query/fn/numfn":  {"query/fn", "query/fn/jsonfn", "storage/value"},
	"query/fn/textfn": {"query/fn", "query/fn/jsonfn", "algo/edit", "storage/value", "golang.org/x/text"},
	"query/fn/timefn": {"query/fn", "storage/value"},
	"storage": {"storage/accounts", "storage/catalog", "storage/dbfile", "storage/documents", "storage/knowledge",
		"storage/loading", "storage/metaindex", "storage/predictions", "storage/registry", "storage/table",
		"storage/textindex", "storage/value", "storage/fulltext", "storage/relation", "storage/sealed", "algo/text",
		"storage/guard"},
	"storage/table": {"storage/catalog", "storage/dbfile", "storage/relation", "storage/sealed", "storage/value"},
	"storage/loading": {"storage/catalog", "storage/dbfile", "storage/documents", "storage/guard", "storage/metaindex",
		"storage/sealed", "storage/textindex", "algo/text"},
	"storage/knowledge": {"storage/catalog", "storage/dbfile", "storage/relation", "storage/table", "storage/value",
		"github.com/cespare/xxhash"},
	"storage/relation": {"storage/recent", "storage/value", "github.com/cespare/xxhash",
		"github.com/klauspost/compress"},
	"storage/accounts": {"storage/dbfile", "storage/sealed", "storage/verifier"},
	"storage/block":    {"storage/dbfile", "storage/value", "github.com/klauspost/compress"},
	"storage/catalog":  {"storage/dbfile", "storage/recent", "storage/relation", "storage/sealed", "storage/value"},
	"storage/dbfile":   {"storage/failing", "storage/files", "storage/relation", "storage/sealed"},
	"storage/documents": {"storage/block", "storage/dbfile", "storage/sealed", "storage/value", "algo/stem",
		"algo/text"},
	"storage/metaindex": {"storage/catalog", "storage/dbfile", "storage/documents", "storage/sealed",
		"storage/value", "algo/text"},
	"storage/predictions": {"storage/dbfile", "storage/guard", "storage/recent", "storage/sealed"},
	"storage/registry":    {"storage/dbfile", "storage/sealed"},
	"storage/sealed":      {"go.etcd.io/bbolt"},
	"storage/recent":      nil,
	"storage/guard":       nil,
	"storage/textindex": {"storage/block", "storage/dbfile", "storage/documents", "storage/fulltext",
		"storage/guard", "storage/recent", "storage/sealed", "algo/text"},
	"storage/value":    nil,
	"storage/value/pg": {"storage/value"},
	"storage/failing":  nil,
	"storage/files":    {"storage/failing"},
	"storage/verifier": {"github.com/xdg-go/stringprep"},
	"storage/fulltext": nil,
	"storage/format": {"storage/format/annotation", "storage/format/codec", "storage/format/conll",
		"storage/format/inception", "storage/format/jsonvalue", "storage/format/learner", "storage/format/picture",
		"storage/format/plain", "storage/format/resource", "storage/format/spacy", "storage/format/table",
		"storage/format/treebank", "storage/format/web"},
	"storage/format/annotation": {"storage/format/codec", "storage/format/jsonvalue", "storage/format/layers",
		"storage/format/offset", "storage/format/table", "storage/value", "algo/option", "algo/text"},
	"storage/format/codec": {"storage/files", "storage/guard", "storage/value", "storage/value/pg", "algo/option",
		"algo/text", "github.com/klauspost/compress", "golang.org/x/text"},
	"storage/format/conll": {"storage/format/codec", "storage/format/layers", "storage/format/offset", "storage/value",
		"algo/option", "algo/text"},
	"storage/format/formattest": {"storage/files", "storage/format/codec", "storage/format/layers", "storage/value",
		"algo/option", "algo/testutil/realdata", "algo/text", "github.com/google/go-cmp", "github.com/klauspost/compress",
		"pgregory.net/rapid"},
	"storage/format/inception": {"storage/format/codec", "storage/format/layers", "storage/format/offset",
		"algo/option", "algo/text"},
	"storage/format/jsonvalue": {"storage/format/codec", "storage/format/layers", "storage/value", "algo/text"},
	"storage/format/layers":    {"storage/format/codec", "algo/option", "algo/text"},
	"storage/format/learner":   {"storage/format/codec", "storage/format/layers", "algo/option", "algo/text"},
	"storage/format/offset": {"storage/format/codec", "storage/format/layers", "algo/option", "algo/text",
		"github.com/clipperhouse/uax29"},
	"storage/format/picture": {"storage/format/codec", "storage/format/draw", "storage/format/layers",
		"storage/format/offset", "storage/format/web", "storage/value", "algo/option", "algo/text"},
	"storage/format/plain": {"storage/format/codec", "storage/format/layers", "storage/value", "algo/option",
		"algo/text"},
	"storage/format/resource": {"storage/files", "storage/format/codec", "storage/value", "algo/option", "algo/text"},
	"storage/format/spacy": {"storage/format/codec", "storage/format/jsonvalue", "storage/format/layers",
		"storage/format/offset", "algo/option", "algo/text", "github.com/vmihailenco/msgpack"},
	"storage/format/table": {"storage/files", "storage/format/codec", "storage/format/columnar",
		"storage/format/jsonvalue", "storage/format/layers", "storage/format/offset", "storage/value", "storage/value/pg",
		"algo/option", "algo/text"},
	"storage/format/treebank": {"storage/format/codec", "storage/format/layers", "algo/option", "algo/text"},
	"storage/format/web": {"storage/format/codec", "storage/format/layers", "storage/value", "algo/option",
		"algo/text", "golang.org/x/net/html"},
	"storage/format/columnar": {"storage/value", "github.com/apache/arrow-go", "github.com/klauspost/compress",
		"github.com/pierrec/lz4"},
	"storage/format/draw": {"golang.org/x/text", "github.com/clipperhouse/uax29", "github.com/jedib0t/go-pretty"},
	"algo":                {"algo"},
	"algo/kind/state":     {"algo/kind"},
	"algo/foreign": {"algo/feature", "algo/kind", "algo/option", "algo/seq/bio", "algo/seq/external",
		"storage/value"},
	"algo/foreign/arpa":  {"algo/correct/ngrams", "algo/foreign", "algo/kind", "algo/option", "algo/text"},
	"algo/foreign/crfpp": {"algo/foreign", "algo/kind", "algo/option", "algo/seq/external"},
	"algo/foreign/crfsuite": {"algo/engine/chain", "algo/foreign", "algo/kind", "algo/option",
		"algo/seq/external"},
	"algo/foreign/liblinear": {"algo/classify/sparse", "algo/foreign", "algo/kind", "algo/option"},
	"algo/foreign/libsvm":    {"algo/classify/sparse", "algo/foreign", "algo/option"},
	"algo/classify/sparse": {"algo/engine/chain", "algo/kind", "algo/numeric/buffer", "algo/seq/tagger",
		"algo/text", "storage/value"},
	"algo/foreign/fasttext": {"algo/classify/averaged", "algo/foreign", "algo/option"},
	"algo/classify/averaged": {"algo/kind", "algo/numeric/buffer", "algo/seq/tagger", "algo/text",
		"storage/value"},
	"algo/foreign/trained":     {"algo/foreign", "algo/kind", "algo/option", "storage/value"},
	"algo/foreign/wapiti":      {"algo/foreign", "algo/kind", "algo/option", "algo/seq/external"},
	"algo/foreign/foreigntest": {"algo/foreign", "algo/kind", "algo/option", "algo/text", "storage/value"},
	"algo/seq/external": {"algo/engine/chain", "algo/feature", "algo/kind", "algo/numeric/buffer", "algo/option",
		"algo/seq/bio", "algo/seq/tagger", "algo/text", "storage/value"},
	"algo/kind":                     {"algo/text", "algo/option", "algo/metrics", "storage/value"},
	"algo/numeric":                  nil,
	"algo/engine":                   nil,
	"algo/acquire":                  nil,
	"algo/acquire/classpatterns":    {"algo/lexical/cooccurrence"},
	"algo/acquire/excitation":       {"algo/lexical/cooccurrence"},
	"algo/acquire/template":         {"algo/kind", "algo/metrics", "algo/lexical/cooccurrence", "storage/value"},
	"algo/acquire/relationacquirer": {"algo/acquire/tuples", "algo/classify/svm/solver"},
	"algo/acquire/attributes":       {"algo/acquire/tuples", "algo/metrics/ranking"},
	"algo/acquire/trouble":          {"algo/classify/svm/solver", "algo/metrics/ranking", "algo/lexical/cooccurrence"},
	"algo/acquire/tuples":           {"algo/lexical/cooccurrence"},
	"algo/resolve":                  nil,
	"algo/seq":                      nil,
	"algo/classify":                 nil,
	"algo/parse":                    nil,
	"algo/kb":                       nil,
	"algo/testutil":                 nil,
	"algo/testutil/testtime":        nil,
	"algo/edit":                     nil,
	"algo/option":                   {"algo/edit", "storage/value"},
	"algo/stem":                     {"github.com/blevesearch/snowballstem"},
	"algo/text":                     {"storage/value"},
	"algo/check":                    {"algo/numeric/buffer", "algo/text", "algo/option", "storage/value"},
	"algo/segment":                  {"algo/option", "github.com/clipperhouse/uax29"},
	"algo/metrics": {"algo/text", "algo/metrics/agreement", "algo/metrics/significance", "algo/text/treebank",
		"algo/numeric/assignment"},
	"algo/metrics/agreement":    nil,
	"algo/metrics/ranking":      {"algo/metrics"},
	"algo/numeric/topk":         nil,
	"algo/metrics/significance": {"algo/numeric/parallel"},
	"algo/numeric/fastexp":      nil,
	"algo/numeric/buffer":       nil,
	"algo/numeric/pool":         {"storage/guard"},
	"algo/checkpoint":           {"algo/engine/online", "algo/kind"},
	"algo/numeric/optimize":     {"algo/numeric/parallel"},
	"algo/engine/chain": {"algo/numeric/buffer", "algo/numeric/fastexp", "algo/numeric/optimize",
		"algo/numeric/parallel", "algo/engine/online"},
	"algo/engine/lattice":    {"algo/numeric/buffer", "algo/numeric/fastexp"},
	"algo/engine/partition":  nil,
	"algo/engine/mcmc":       {"algo/engine/partition"},
	"algo/resolve/record":    {"algo/engine/partition", "algo/option"},
	"algo/resolve/pairwise":  {"algo/engine/mcmc", "algo/engine/partition", "algo/resolve/record"},
	"algo/resolve/hierarchy": {"algo/engine/mcmc", "algo/resolve/record"},
	"algo/resolve/layers": {"algo/engine/mcmc", "algo/engine/partition", "algo/numeric/parallel",
		"algo/resolve/pairwise", "algo/resolve/record"},
	"algo/resolve/resolvetest": {"algo/engine/mcmc", "algo/testutil/realdata"},
	"algo/engine/zeroone":      {"algo/engine/partition"},
	"algo/coref/linking":       {"algo/engine/partition", "algo/engine/zeroone"},
	"algo/gazetteer":           {"algo/text"},
	"algo/extract":             {"algo/gazetteer", "algo/kind", "algo/option", "algo/text", "storage/value"},
	"algo/feature":             {"algo/kind", "algo/option", "algo/text"},
	"algo/seq/bio":             {"algo/text", "algo/engine/chain"},
	"algo/testutil/realdata":   {"algo/text", "storage/value"},
	"algo/kindtest": {"algo/kind", "algo/option", "algo/text", "algo/metrics", "storage/value",
		"algo/numeric/parallel", "algo/testutil/testtime"},
	"algo/seq/tagger": {"algo/checkpoint", "algo/seq/bio", "algo/engine/chain", "algo/feature", "algo/kind",
		"algo/kind/state", "algo/option", "algo/text", "storage/value", "gonum.org/v1/gonum"},
	"algo/seq/labelhistory": {"algo/numeric/buffer", "algo/seq/tagger", "algo/engine/chain", "algo/feature",
		"algo/kind"},
	"algo/calibrate": {"algo/kind", "algo/metrics", "algo/option", "algo/text", "algo/numeric/parallel"},
	"algo/classify/logistic": {"algo/numeric/buffer", "algo/engine/chain", "algo/numeric/optimize",
		"algo/numeric/parallel"},
	"algo/classify/maxent": {"algo/seq/tagger", "algo/seq/labelhistory", "algo/seq/bio"},
	"algo/engine/semimarkov": {"algo/engine/lattice", "algo/numeric/buffer", "algo/numeric/optimize",
		"algo/numeric/parallel"},
	"algo/seq/expectation": {"algo/checkpoint", "algo/engine/semimarkov", "algo/kind", "algo/numeric/buffer",
		"algo/numeric/optimize", "algo/numeric/parallel", "algo/option", "storage/value"},
	"algo/seq/svmtagger": {"algo/classify/svm/reduction", "algo/classify/svm/solver"},
	"algo/classify/svm":  {"algo/seq/tagger", "algo/seq/bio"},
	"algo/classify/svm/reduction": {"algo/checkpoint", "algo/classify/svm/solver", "algo/seq/tagger",
		"algo/engine/chain", "algo/feature", "algo/kind", "algo/option", "algo/text", "storage/value",
		"algo/numeric/parallel"},
	"algo/classify/svm/solver": nil,
	"algo/lexical/mrlsa":       {"algo/metrics/ranking"},
	"algo/kb/triples": {"algo/checkpoint", "algo/metrics/ranking", "algo/kind", "algo/metrics", "algo/option",
		"algo/text", "storage/value", "algo/numeric/parallel"},
	"algo/numeric/lowrank":       {"gonum.org/v1/gonum", "algo/numeric/parallel"},
	"algo/lexical":               nil,
	"algo/kb/logic":              {"algo/option"},
	"algo/lexical/cooccurrence":  {"algo/kind", "storage/value"},
	"algo/lexical/similarity":    {"algo/lexical", "algo/metrics/ranking"},
	"algo/lexical/latentclasses": {"algo/lexical"},
	"algo/lexical/lda":           {"algo/lexical"},
	"algo/bitext":                {"algo/kind", "algo/lexical", "algo/text", "algo/text/treebank", "storage/value"},
	"algo/bitext/subtreerules":   {"algo/bitext", "algo/lexical"},
	"algo/bitext/translator":     {"algo/bitext", "algo/correct"},
	"algo/bitext/bitexttest":     {"algo/text", "storage/value"},
	"algo/bitext/aligner":        {"algo/bitext"},
	"algo/answer":                nil,
	"algo/answer/sentences": {"algo/correct/inflect", "algo/kind", "algo/option", "algo/text",
		"algo/text/treebank", "storage/value"},
	"algo/answer/definition": {"algo/classify/svm/solver"},
	"algo/answer/paraphrase": {"algo/bitext", "algo/classify/svm/solver", "algo/metrics/ranking"},
	"algo/answer/whyqa":      {"algo/classify/svm/solver", "algo/metrics/ranking", "storage/fulltext"},
	"algo/correct":           nil,
	"algo/correct/inflect":   nil,
	"algo/correct/confusion": {"algo/correct/inflect", "algo/text"},
	"algo/correct/window":    {"algo/correct", "algo/correct/confusion"},
	"algo/correct/evidence": {"algo/correct", "algo/correct/confusion", "algo/correct/window", "algo/kind",
		"algo/numeric/optimize"},
	"algo/correct/correcttest": {"algo/kind", "algo/option", "algo/text"},
	"algo/correct/gecmodule":   {"algo/correct"},
	"algo/correct/gec":         {"algo/correct/gecmodule"},
	"algo/correct/ngrams":      {"algo/correct"},
	"algo/parse/subtrees":      {"algo/lexical"},
	"algo/numeric/tensor":      {"gonum.org/v1/gonum", "algo/numeric/parallel"},
	"algo/text/treebank":       {"algo/text"},
	"algo/coref":               nil,
	"algo/coref/mention":       {"algo/kind", "algo/text", "algo/text/treebank"},
	"algo/coref/kblink":        {"algo/kind"},
	"algo/parse/tree":          {"algo/numeric/buffer", "algo/numeric/fastexp"},
	"algo/parse/tree/chart":    {"algo/engine/hypergraph", "algo/numeric/buffer", "algo/parse/tree"},
	"algo/engine/belief":       {"algo/numeric/fastexp"},
	"algo/engine/hypergraph":   {"algo/numeric/buffer"},
	"algo/parse/constituent":   {"algo/text", "storage/value"},
	"algo/parse/treefeature":   {"algo/parse/constituent"},
	"algo/seq/spanfeature":     {"algo/text"},
	"algo/parse/candidates": {"algo/kind", "algo/numeric/parallel", "algo/option", "algo/parse/constituent",
		"algo/text"},
	"algo/parse/boosting": {"algo/kind", "algo/option", "algo/parse/candidates", "algo/parse/constituent",
		"algo/parse/rerank", "algo/parse/treefeature", "algo/seq/spanfeature", "algo/text"},
	"algo/parse/rerank":         nil,
	"algo/parse/treekernel":     {"algo/parse/constituent"},
	"algo/parse/treesvm":        {"algo/parse/treekernel", "algo/classify/svm/solver", "algo/kind"},
	"algo/parse/treeclassifier": {"algo/seq/tagger"},
	"algo/parse/frame":          {"algo/feature/place", "algo/kind", "algo/text"},
	"algo/parse/tagparser":      {"algo/parse/depparser"},
	"algo/parse/tree/dual":      {"algo/numeric/buffer", "algo/parse/tree"},
	"algo/parse/tree/treetest":  {"algo/parse/tree"},
	"algo/parse/transition":     {"algo/numeric/buffer", "algo/parse/tree", "algo/kind", "algo/option", "algo/text"},
	"algo/parse/depparser":      {"algo/bitext", "algo/lexical"},
	"algo/seq/lookahead":        {"algo/parse/transition"},
	"algo/lexical/pairrelation": {"algo/metrics/agreement", "algo/classify/logistic"},
	"algo/numeric/packed":       nil,
	"algo/numeric/assignment":   nil,
	"algo/engine/count":         {"storage/guard"},
	"algo/numeric/parallel":     nil,
	"algo/feature/place": {"algo/coref/mention", "algo/feature", "algo/kind", "algo/option", "algo/text",
		"algo/text/treebank", "storage/value"},
	"algo/engine/online": nil,
	"query/turn":         nil,
}

// foundation is what the folder of every kind may import.
var foundation = []string{"algo/kind", "algo/kind/state", "algo/option", "algo/text", "algo/text/treebank",
	"algo/metrics", "algo/feature",
	"algo/feature/place", "algo/segment", "algo/gazetteer", "algo/edit", "algo/checkpoint", "storage/value",
	"storage/guard",
	"gonum.org/v1/gonum", "golang.org/x/text"}

// ofFamily reports whether the folder of a kind may import a package without a line in the table: the foundation, the
// numerics, the engines, and what the kinds of its family share. Kinds do not import each other.
func ofFamily(pkg, name string, kinds map[string]bool) bool {
	if !kinds[pkg] || kinds[name] {
		return false
	}
	for _, f := range foundation {
		if name == f || strings.Contains(f, ".") && strings.HasPrefix(name, f+"/") {
			return true
		}
	}
	return strings.HasPrefix(name, "algo/numeric/") || strings.HasPrefix(name, "algo/engine/") ||
		strings.HasPrefix(name, path.Dir(pkg)+"/")
}

// kindPackages are the folders of kinds, as algo/seq/crf.
func kindPackages(t *testing.T) map[string]bool {
	t.Helper()
	out := map[string]bool{}
	for _, folder := range kindFolders(t) {
		out["algo/"+folder] = true
	}
	return out
}

// testOnly are libraries that tests may use anywhere.
var testOnly = []string{"github.com/cockroachdb/datadriven", "github.com/google/go-cmp",
	"github.com/rogpeppe/go-internal", "go.uber.org/goleak", "pgregory.net/rapid"}

func TestImportsGoOneWay(t *testing.T) {
	files, kinds := 0, kindPackages(t)
	used := map[[2]string]bool{}
	err := filepath.WalkDir(".", func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && p != "." && (strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata") {
			return filepath.SkipDir
		}
		if d.IsDir() || !strings.HasSuffix(p, ".go") || strings.HasSuffix(p, "_test.go") {
			return nil
		}
		files++
		f, err := parser.ParseFile(token.NewFileSet(), p, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		pkg := path.Dir(filepath.ToSlash(p))
		if pkg == "." {
			pkg = ""
		}
		for _, spec := range f.Imports {
			name, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			key, prefix, ok := allowed(pkg, name)
			if ofFamily(pkg, strings.TrimPrefix(name, "parlance/"), kinds) {
				continue
			}
			if !ok {
				t.Errorf("%s imports %s", p, name)
			}
			used[[2]string{key, prefix}] = true
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for key, prefixes := range layers {
		for _, prefix := range prefixes {
			if !used[[2]string{key, prefix}] {
				t.Errorf("%q may import %s, and does not", key, prefix)
			}
		}
	}
	if files < 50 {
		t.Errorf("only %d files seen", files)
	}
}

// TestQueryIsSafe: the memory of statements is never read past Go's types.
func TestQueryIsSafe(t *testing.T) {
	files, err := filepath.Glob("query/*/*.go")
	if err != nil || len(files) < 50 {
		t.Fatalf("%d files seen, %v", len(files), err)
	}
	for _, p := range files {
		f, err := parser.ParseFile(token.NewFileSet(), p, nil, parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		for _, spec := range f.Imports {
			if spec.Path.Value == `"unsafe"` {
				t.Errorf("%s imports unsafe", p)
			}
		}
	}
}

// allowed reports whether the table lets a package import another, and by which entry.
func allowed(pkg, name string) (key, prefix string, ok bool) {
	first, _, _ := strings.Cut(name, "/")
	if !strings.Contains(first, ".") && first != "parlance" {
		return "", "", true // standard library
	}
	name, key = strings.TrimPrefix(name, "parlance/"), pkg
	for _, prefix = range layers[key] {
		whole := !strings.Contains(prefix, "/") || strings.Contains(prefix, ".") // an area of the program, or a module
		if name == prefix || whole && strings.HasPrefix(name, prefix+"/") {
			return key, prefix, true
		}
	}
	return key, "", false
}

// TestImportTableHasPackages: each package has a line of its own, and each line a package.
func TestImportTableHasPackages(t *testing.T) {
	_, packages := tree(t)
	delete(packages, ".")
	kinds := kindPackages(t)
	for p := range packages {
		if _, ok := layers[p]; !ok && !kinds[p] && !strings.Contains(p, "/testdata/") {
			t.Errorf("the import table has no line for %s", p)
		}
	}
	for p := range layers {
		if p != "" && !packages[p] {
			t.Errorf("the import table has a line for %s, which is not there", p)
		}
	}
}

func TestImportTableRefuses(t *testing.T) {
	for _, c := range [][2]string{{"storage", "parlance/query/plan"}, {"algo/seq/crf", "parlance/storage"},
		{"algo/seq/crf", "parlance/algo/classify/maxent"}, {"query/parse", "parlance/query/plan"},
		{"storage/value", "parlance/storage/sealed"}} {
		if _, _, ok := allowed(c[0], c[1]); ok {
			t.Errorf("%s may import %s", c[0], c[1])
		}
	}
	kinds := kindPackages(t)
	for name, want := range map[string]bool{"algo/kind": true, "algo/seq/tagger": true, "algo/numeric/topk": true,
		"gonum.org/v1/gonum/mat": true, "algo/seq/hmm": false, "algo/classify/logistic": false, "algo": false,
		"storage": false, "query/plan": false, "algo/texts": false} {
		if ofFamily("algo/seq/crf", name, kinds) != want {
			t.Errorf("the folder of a kind may import %s: %v", name, !want)
		}
	}
	if ofFamily("algo/seq/tagger", "algo/kind", kinds) {
		t.Error("a shared package needs a line of its own")
	}
	for _, l := range testOnly {
		if _, _, ok := allowed("storage", l); ok {
			t.Errorf("storage may import %s outside tests", l)
		}
	}
}
