package operator

import "parlance/storage/files"

// RecordFile stores byte strings that are read again in any order: the last ones in memory, the others in a temporary
// file without a name.
type RecordFile struct {
	f    *files.Unnamed // nil for few
	base int64          // size of the file
	tail []byte
}

// Record is the place of a byte string.
type Record struct {
	at   int64
	size int32
}

// recordBytes is about the most bytes of records in memory.
const recordBytes = 1 << 20

// Add stores a record.
func (r *RecordFile) Add(b []byte) (Record, error) {
	at := Record{r.base + int64(len(r.tail)), int32(len(b))}
	r.tail = append(r.tail, b...)
	if len(r.tail) < recordBytes {
		return at, nil
	}
	if r.f == nil {
		f, err := files.NewUnnamed()
		if err != nil {
			return at, err
		}
		r.f = f
	}
	if _, err := r.f.WriteAt(r.tail, r.base); err != nil {
		return at, fileFault(err)
	}
	r.base += int64(len(r.tail))
	r.tail = r.tail[:0]
	return at, nil
}

// Read returns a record, in buf if that has room.
func (r *RecordFile) Read(at Record, buf []byte) ([]byte, error) {
	if at.at >= r.base {
		from := at.at - r.base
		return append(buf[:0], r.tail[from:from+int64(at.size)]...), nil
	}
	if cap(buf) < int(at.size) {
		buf = make([]byte, at.size)
	}
	buf = buf[:at.size]
	if _, err := r.f.ReadAt(buf, at.at); err != nil {
		return nil, fileFault(err)
	}
	return buf, nil
}

func (r *RecordFile) Close() error {
	if r.f == nil {
		return nil
	}
	return r.f.Close()
}
