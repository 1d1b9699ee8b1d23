package dbfile

// Names of the top-level buckets. Numbers in keys are big-endian.
var (
	Meta    = []byte("meta")    // header, settings, the books of the cache, the secret of accounts
	Catalog = []byte("cat")     // entries of objects; states of corpora, generations, tables and models
	Segment = []byte("seg")     // blocks of documents, full-text indexes and rows, by object and generation
	Dir     = []byte("dir")     // places of documents, by corpus, generation and id
	Dead    = []byte("dead")    // bitmaps of deleted documents, by segment
	Index   = []byte("index")   // entries of indexes of metadata
	Model   = []byte("model")   // versions of models
	Weights = []byte("weights") // chunks of weights
	Cache   = []byte("cache")   // predictions
	Job     = []byte("job")     // trainings and their checkpoints
	User    = []byte("user")    // accounts
)

var allBuckets = [][]byte{Meta, Catalog, Segment, Dir, Dead, Index, Model, Weights, Cache, Job, User}

// contents describes the content of buckets.
var contents = map[string]string{
	string(Meta): "settings", string(Catalog): "the catalog", string(Model): "versions of models",
	string(Weights): "weights of models", string(Cache): "the cache", string(Job): "jobs",
	string(User): "users", string(Segment): "documents or rows", string(Dir): "names of documents",
	string(Dead): "marks of deleted documents", string(Index): "index entries",
}

// ofObject reports whether the keys of a bucket begin with the identifier of an object.
func ofObject(bucket string) bool {
	return bucket == string(Segment) || bucket == string(Dir) || bucket == string(Dead) || bucket == string(Index)
}

// CacheBooks is the key in Meta of the statistics of the cache.
var CacheBooks = []byte("cache")
