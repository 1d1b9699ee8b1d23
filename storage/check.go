package storage

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"hash/crc32"

	"parlance/storage/relation"
	"parlance/storage/sealed"
)

// CheckDatabase verifies pages, corpora, tables, knowledge bases, indexes, weights, cache and users, and reports each
// fault. It returns an error if there is any.
func (s *Store) CheckDatabase(ctx context.Context, report func(string)) error {
	bad := 0
	say := func(format string, args ...any) {
		bad++
		report(fmt.Sprintf(format, args...))
	}
	if err := s.Check(ctx, say); err != nil {
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
	if err := s.cache.Check(say); err != nil {
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

// checkTable reads all blocks of a table. It compares the rows with the state, and the entries of each index with the
// rows.
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
	v := s.relation(o, st)
	v.Cache = relation.NewCache(0) // what is in memory is not what is checked
	n, sum, err := v.Count(ctx, s.readBlocks)
	if err == nil && (n != st.Count || sum != st.Sum) {
		say("table %s has %d rows, its state says %d; or their hashes differ", o.Name, n, st.Count)
	}
	for i, x := range o.indexes() {
		same := true
		if err == nil {
			same, err = v.CheckIndex(ctx, s.readBlocks, x)
		}
		if !same && err == nil {
			say("table %s: the index on %v does not match the rows", o.Name, o.Indexes[i])
		}
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		say("table %s: %v", o.Name, err)
	}
	return nil
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
	err := s.View(func(tx *sealed.Tx) error {
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
