package check

import (
	"encoding/binary"
	"errors"
	"math"
	"slices"
	"strconv"
)

// sampleSize is how many texts a sample holds at most.
const sampleSize = 512

// Sampler gathers a sample of the texts of a set of documents, or of the documents themselves: those whose hashes are
// the least, so that a text is in the samples of all sets that hold it or in none, but for their thresholds
// (bottom-k sketch; Cohen and Kaplan 2007). It takes memory for 1,024 hashes, whatever it is given.
type Sampler struct {
	hashes []uint64
	folder folder
}

// Add adds a text. Texts shorter than the usual length of the option same are left out.
func (s *Sampler) Add(text string) {
	if h, ok := s.folder.of(text); ok {
		s.add(h)
	}
}

// AddDocument adds a document, whatever the length of its text. A sample is of texts or of documents.
func (s *Sampler) AddDocument(id, text string) { s.add(identity(id, text)) }

func (s *Sampler) add(h uint64) {
	if s.hashes = append(s.hashes, h); len(s.hashes) == 2*sampleSize {
		s.least()
	}
}

func (s *Sampler) least() {
	slices.Sort(s.hashes)
	s.hashes = slices.Compact(s.hashes)
	s.hashes = s.hashes[:min(len(s.hashes), sampleSize)]
}

// Sample returns the hashes, ascending, of eight bytes each; empty for no texts.
func (s *Sampler) Sample() []byte {
	s.least()
	var out []byte
	for _, h := range s.hashes {
		out = binary.BigEndian.AppendUint64(out, h)
	}
	return out
}

// Overlap counts texts that are in the set that a sample is of.
type Overlap struct {
	hashes []uint64
	most   uint64 // hashes above it are in no sample
	folder folder

	Compared int // texts whose presence the sample tells
	Held     int // those that the set holds
	Short    int // texts that are too short to be compared
}

// NewOverlap reads a sample.
func NewOverlap(sample []byte) (*Overlap, error) {
	if len(sample)%8 != 0 || len(sample) > 8*sampleSize {
		return nil, errors.New("a sample of texts is damaged")
	}
	o := &Overlap{most: math.MaxUint64}
	for ; len(sample) > 0; sample = sample[8:] {
		o.hashes = append(o.hashes, binary.BigEndian.Uint64(sample))
	}
	if len(o.hashes) == sampleSize {
		o.most = o.hashes[sampleSize-1]
	}
	return o, nil
}

// Whole reports whether the sample is the whole set, so that the counts are those of all texts added.
func (o *Overlap) Whole() bool { return len(o.hashes) < sampleSize }

// Add counts a text.
func (o *Overlap) Add(text string) {
	h, ok := o.folder.of(text)
	if !ok {
		o.Short++
		return
	}
	o.count(h)
}

// AddDocument counts a document, in a sample of documents.
func (o *Overlap) AddDocument(id, text string) { o.count(identity(id, text)) }

func (o *Overlap) count(h uint64) {
	if h > o.most {
		return
	}
	o.Compared++
	if _, held := slices.BinarySearch(o.hashes, h); held {
		o.Held++
	}
}

// identity is a hash of what makes a document the same as another: its id, and its text to the letter. Other documents
// may have the same id in another corpus, or the same short text in any.
func identity(id, text string) uint64 {
	return spread(extend(extend(hash(strconv.Itoa(len(id))+":"), id), text))
}

// folder hashes folded texts.
type folder struct{ buf []byte }

func (f *folder) of(text string) (h uint64, ok bool) {
	length := 0
	if f.buf, length = fold(f.buf[:0], text); length < usualSame {
		return 0, false
	}
	return spread(hash(f.buf)), true
}

// spread makes each bit depend on all others, for FNV-1a leaves the order of similar texts' hashes
// alike (the finaliser of MurmurHash3).
func spread(h uint64) uint64 {
	h = (h ^ h>>33) * 0xff51afd7ed558ccd
	h = (h ^ h>>33) * 0xc4ceb9fe1a85ec53
	return h ^ h>>33
}
