package storage

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"hash/crc32"

	"parlance/storage/sealed"
	"parlance/storage/value"
)

// CheckDatabase verifies pages, corpora, tables, knowledge bases, indexes, weights, cache and users, and reports each
// fault. It returns an error if there is any.
func (s *Store) CheckDatabase(ctx context.Context, report func(string)) error {
	bad := 0
	say := func(format string, args ...any) {
		bad++
		report(fmt.Sprintf(format, args...))
	}
	if err := s.checkPages(ctx, say); err != nil {
		return err
	}
	if err := s.CheckCorpora(ctx, func(m string) { say("%s", m) }); err != nil && ctx.Err() != nil {
		return err
	}
	for _, o := range s.tableObjects() {
		if o.Kind == CorpusObject || o.Kind == ModelObject || o.Kind == FeaturesObject {
			continue
		}
		if err := s.checkTable(ctx, o, say); err != nil {
			return err
		}
	}
	for _, o := range s.Objects(KBObject) {
		if err := s.checkKB(ctx, o, say); err != nil {
			return err
		}
	}
	if err := s.checkWeights(ctx, say); err != nil {
		return err
	}
	if err := s.checkCache(say); err != nil {
		return err
	}
	if err := s.checkUsers(say); err != nil {
		return err
	}
	if bad > 0 {
		return fmt.Errorf("%w: %d faults", ErrCorrupt, bad)
	}
	return nil
}

// triesForAState bounds how often checkPages tries again since a later state has overwritten the description of one.
const triesForAState = 100

// checkPages verifies the pages of the file, as one transaction sees them. Writers are not blocked.
func (s *Store) checkPages(ctx context.Context, say func(string, ...any)) error {
	for range triesForAState {
		ok := false
		err := s.view(func(tx *sealed.Tx) error {
			if err := s.checkSize(tx); err != nil {
				return err
			}
			var err error
			ok, err = tx.Check(ctx, func(d *sealed.Damage) { say("pages: %v; it has %s", d, s.contents(d)) })
			return err
		})
		if ok || err != nil {
			return err
		}
	}
	return fmt.Errorf("%w: no description of the present state", ErrCorrupt)
}

func (s *Store) checkTable(ctx context.Context, o *Object, say func(string, ...any)) error {
	o, unlock, err := s.lockTable(ctx, o)
	if errors.Is(err, ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	defer unlock()
	st := s.tableState(o)
	n, sum := 0, [32]byte{}
	sn := s.Snapshot()
	defer sn.Close()
	err = sn.ScanTable(ctx, o, nil, func(ids []uint64, b *value.Batch) error {
		n += b.N
		return s.view(func(tx *sealed.Tx) error {
			v, err := sn.rowsIn(tx, o)
			if err != nil {
				return err
			}
			for i, id := range ids {
				rowSum(&sum, v.row(id), true)
				row := b.Row(nil, i)
				for _, cols := range o.Indexes {
					k := binary.BigEndian.AppendUint64(indexKey(o, cols, row), id)
					if tx.Bucket(bucketIndex).Get(k) == nil {
						say("table %s: row %d is missing from the index on %v", o.Name, id, cols)
					}
				}
			}
			return nil
		})
	})
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		say("%v", err)
		return nil
	}
	if n != st.Count || sum != st.Sum {
		say("table %s has %d rows, its state says %d; or their hashes differ", o.Name, n, st.Count)
	}
	entries, err := s.countEntries(o, st.Next)
	isPending := len(s.pendingOf(o)) > 0 // in a read-only file
	if want := n * len(o.Indexes); err == nil && entries != want && !isPending {
		say("table %s has %d index entries, %d are expected", o.Name, entries, want)
	}
	return err
}

func (s *Store) checkWeights(ctx context.Context, say func(string, ...any)) error {
	for _, o := range s.Objects(ModelObject) {
		for _, v := range s.ModelVersions(o.Name) {
			if err := ctx.Err(); err != nil {
				return err
			}
			if err := s.checkVersion(v, say); err != nil {
				return err
			}
		}
	}
	return nil
}

// checkVersion compares the weights of a version with their checksums, size and hash.
func (s *Store) checkVersion(v ModelVersion, say func(string, ...any)) error {
	size, sound, name := int64(0), true, ""
	sum, section := sha256.New(), hash.Hash(nil)
	err := s.view(func(tx *sealed.Tx) error {
		return eachChunk(tx, v.WeightsID, func(at string, _ int, p []byte) error {
			if section == nil || at != name {
				if section != nil {
					sumSection(sum, name, section)
				}
				name, section = at, sha256.New()
			}
			if len(p) < 4 || crc32.Checksum(p[4:], castagnoli) != binary.LittleEndian.Uint32(p) {
				say("model %s@%d: checksum of its weights", v.Name, v.Version)
				sound = false
				return nil
			}
			size += int64(len(p) - 4)
			_, err := section.Write(p[4:])
			return err
		})
	})
	if err != nil {
		return err
	}
	if section != nil {
		sumSection(sum, name, section)
	}
	switch {
	case !sound:
	case size != v.WeightsBytes:
		say("model %s@%d has %d bytes of weights, %d are expected", v.Name, v.Version, size, v.WeightsBytes)
	case hex.EncodeToString(sum.Sum(nil)) != v.WeightsHash:
		say("model %s@%d: hash of its weights", v.Name, v.Version)
	}
	return nil
}

func (s *Store) checkCache(say func(string, ...any)) error {
	return s.view(func(tx *sealed.Tx) error {
		return tx.Bucket(bucketCache).ForEach(func(k, v []byte) error {
			if len(k) != 16 || len(v) < 20 || crc32.Checksum(v[20:], castagnoli) != binary.LittleEndian.Uint32(v[16:]) {
				say("cache: a damaged entry; CLEAR CACHE mends it")
			}
			return nil
		})
	})
}

// countEntries counts the entries of all indexes of a table for rows with numbers below next.
func (s *Store) countEntries(o *Object, next uint64) (n int, err error) {
	err = s.view(func(tx *sealed.Tx) error {
		for _, cols := range o.Indexes {
			prefix := indexPrefix(o, cols)
			c := tx.Bucket(bucketIndex).Cursor()
			for k, _ := c.Seek(prefix); bytes.HasPrefix(k, prefix); k, _ = c.Next() {
				if binary.BigEndian.Uint64(k[len(k)-8:]) < next {
					n++
				}
			}
		}
		return nil
	})
	return n, err
}
