package predictions

import "parlance/storage/recent"

// textBytes is the memory for predictions of ad-hoc texts.
const textBytes = 64 << 20

// textCache holds predictions for ad-hoc texts, which belong to no corpus. Most are annotated once, so they stay in
// memory; an entry that is read again is written to the file.
type textCache = recent.Map[cacheKey, textValue]

type textValue struct {
	cacheValue
	kept bool // to be written to the file, or written
}

func newTextCache() textCache {
	return textCache{Limit: textBytes, Cost: func(v textValue) int { return len(v.result) + 64 }}
}

// isAdhoc reports whether a sequence number is the hash of an ad-hoc text.
func isAdhoc(seq uint64) bool { return seq>>63 == 1 }

// text returns the entry of an ad-hoc text in memory, or nil. At its first hit the entry is buffered for the file.
func (c *Cache) text(k cacheKey, hash [16]byte) []byte {
	v, ok := c.texts.Get(k)
	if !ok || v.hash != hash {
		return nil
	}
	if !v.kept {
		v.kept = true
		c.texts.Put(k, v)
		c.addPending(k, v.cacheValue)
	}
	return v.result
}

// dropTexts drops the entries of a model and returns how many of them were in memory only.
func (c *Cache) dropTexts(model [8]byte) int {
	n := 0
	c.texts.Each(func(k cacheKey, v textValue) {
		if k.model == model && !v.kept {
			n++
		}
	})
	c.texts.DeleteFunc(func(k cacheKey, _ textValue) bool { return k.model == model })
	return n
}
