package predictions

import (
	"encoding/hex"
	"encoding/json"
	"fmt"

	"parlance/storage/dbfile"
	"parlance/storage/sealed"
)

// cacheModel are the statistics of one model key.
type cacheModel struct {
	Label        string `json:"label"`
	Entries      int64  `json:"entries"`
	Bytes        int64  `json:"bytes"`
	Used         uint64 `json:"used"`
	hits, misses int64
}

// readBooks reads the statistics from the file. If they are damaged, it counts the entries.
func (c *Cache) readBooks(tx *sealed.Tx) error {
	var books map[string]*cacheModel
	if json.Unmarshal(tx.Bucket(dbfile.Meta).Get(dbfile.CacheBooks), &books) != nil {
		return tx.Bucket(dbfile.Cache).ForEach(c.enter)
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

// enter counts an entry of the file.
func (c *Cache) enter(k, v []byte) error {
	if len(k) >= 8 {
		m := c.model([8]byte(k))
		m.Entries++
		m.Bytes += int64(len(k) + len(v))
	}
	return nil
}

// growth is the change of a model's number of entries and bytes in the file.
type growth struct{ entries, bytes int64 }

// writeBooks writes the statistics as they are after the growth added.
func (c *Cache) writeBooks(tx *sealed.Tx, added map[[8]byte]growth) error {
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
	return tx.Bucket(dbfile.Meta).Put(dbfile.CacheBooks, raw)
}
