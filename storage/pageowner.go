package storage

import (
	"encoding/binary"
	"io"
)

// pageContents describes the content of a page of the file, for a message.
func (s *Store) pageContents(page uint64) string {
	f := pageSearch{file: s.opened, size: int64(s.bolt.Info().PageSize), page: page}
	bucket, key := f.run()
	if name := s.pageOwner(bucket, key); name != "" {
		return name
	}
	if of := bucketContents[bucket]; of != "" {
		return of
	}
	return "what leads to the data, or to free space"
}

// bucketContents describes the content of buckets whose keys contain no object.
var bucketContents = map[string]string{
	string(bucketMeta): "settings", string(bucketCatalog): "the catalog", string(bucketModel): "versions of models",
	string(bucketWeights): "weights of models", string(bucketCache): "the cache", string(bucketJob): "jobs",
	string(bucketUser): "users", string(bucketSegment): "documents or rows", string(bucketDir): "names of documents",
	string(bucketDead): "marks of deleted documents", string(bucketIndex): "index entries",
}

// pageOwner names the object that a key belongs to; "" if there is none.
func (s *Store) pageOwner(bucket string, key []byte) string {
	switch bucket {
	case string(bucketSegment), string(bucketDir), string(bucketDead), string(bucketIndex):
	default:
		return ""
	}
	if len(key) < 4 || s.cat == nil || !s.mu.TryRLock() { // the goroutine that reads the page may hold it
		return ""
	}
	defer s.mu.RUnlock()
	o := s.cat.byID(binary.BigEndian.Uint32(key))
	if o == nil {
		return ""
	}
	return bucketContents[bucket] + " of " + o.Name
}

// pageSearch finds a page by searching the tree, in a file that is known to be damaged.
type pageSearch struct {
	file io.ReaderAt
	size int64
	page uint64
}

func (f *pageSearch) run() (bucket string, key []byte) {
	var newest []byte
	for i := range int64(2) {
		meta := make([]byte, metaSize)
		if _, err := f.file.ReadAt(meta, i*f.size+pageHeader); err != nil {
			return "", nil
		}
		if newest == nil || word64(meta, metaTransaction) > word64(newest, metaTransaction) {
			newest = meta
		}
	}
	bucket, key, _ = f.below(word64(newest, metaRoot), 0, "", nil)
	return bucket, key
}

// below searches the subtree of a page whose least key is low.
func (f *pageSearch) below(id uint64, depth int, bucket string, low []byte) (string, []byte, bool) {
	if id == f.page {
		return bucket, low, true
	}
	p := make([]byte, f.size)
	if _, err := f.file.ReadAt(p, int64(id)*f.size); err != nil || depth == deepest {
		return "", nil, false
	}
	flags := binary.NativeEndian.Uint16(p[8:])
	if flags != branchPage && (flags != leafPage || bucket != "") { // buckets are in the leaves of the first tree alone
		return "", nil, false
	}
	for i := range min(int(binary.NativeEndian.Uint16(p[10:])), int(f.size-pageHeader)/pageElement) {
		k, to, ok := element(p, i, flags)
		if !ok || to.child < 2 {
			continue
		}
		of, from := bucket, k
		if flags == leafPage {
			of, from = string(k), nil
		}
		if b, key, found := f.below(to.child, depth+1, of, from); found {
			return b, key, true
		}
	}
	return "", nil, false
}
