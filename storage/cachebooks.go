package storage

import (
	"encoding/hex"
	"encoding/json"
	"fmt"

	"parlance/storage/bbolt"
)

var cacheBooks = []byte("cache")

// cacheModel is the books of one key of models.
type cacheModel struct {
	Label        string `json:"label"`
	Entries      int64  `json:"entries"`
	Bytes        int64  `json:"bytes"`
	Used         uint64 `json:"used"`
	hits, misses int64
}

// readBooks takes the statistics over from the file; where they are damaged it counts anew.
func (c *Cache) readBooks(tx *bbolt.Tx) error {
	var books map[string]*cacheModel
	if json.Unmarshal(tx.Bucket(bucketMeta).Get(cacheBooks), &books) != nil {
		return tx.Bucket(bucketCache).ForEach(c.enter)
	}
	for k, m := range books {
		b, err := hex.DecodeString(k)
		if err != nil || len(b) != 8 || m == nil {
			continue
		}
		key := [8]byte(b)
		c.models[key] = m
		c.order = max(c.order, m.Used)
	}
	return nil
}

// enter counts an answer of the file.
func (c *Cache) enter(k, v []byte) error {
	if len(k) >= 8 {
		m := c.model([8]byte(k))
		m.Entries++
		m.Bytes += int64(len(k) + len(v))
	}
	return nil
}

// growth is what the part of a model in the file has more than before.
type growth struct{ entries, bytes int64 }

// writeBooks keeps the statistics as they are after added.
func (c *Cache) writeBooks(tx *bbolt.Tx, added map[[8]byte]growth) error {
	c.mu.Lock()
	books := map[string]cacheModel{}
	for k, m := range c.models {
		x := *m
		x.Entries += added[k].entries
		x.Bytes += added[k].bytes
		if x.Entries > 0 {
			books[fmt.Sprintf("%x", k)] = x
		}
	}
	c.mu.Unlock()
	raw, err := json.Marshal(books)
	if err != nil {
		return err
	}
	return tx.Bucket(bucketMeta).Put(cacheBooks, raw)
}
