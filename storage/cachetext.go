package storage

import "parlance/storage/recent"

// textBytes bounds the answers for ad-hoc texts that are kept in memory.
const textBytes = 64 << 20

// textCache keeps answers for texts that belong to no corpus. Most are asked for once, so they
// stay in memory; one that is asked for again goes to the file with the others.
type textCache = recent.Map[cacheKey, textValue]

type textValue struct {
	cacheValue
	kept bool // goes to the file, or is there
}

func newTextCache() textCache {
	return textCache{Limit: textBytes, Cost: func(v textValue) int { return len(v.result) + 64 }}
}

// isAdhoc reports whether a sequence number stands for an ad-hoc text.
func isAdhoc(seq uint64) bool { return seq>>63 == 1 }

// text returns the answer for an ad-hoc text that is in memory, or nil; when it is found for the
// second time, it goes to the file.
func (c *Cache) text(k cacheKey, hash [16]byte) []byte {
	v, ok := c.texts.Get(k)
	if !ok || v.hash != hash {
		return nil
	}
	if !v.kept {
		v.kept = true
		c.texts.Put(k, v)
		c.keep(k, v.cacheValue)
	}
	return v.result
}

// dropTexts forgets the answers of a model and returns how many of them are nowhere else.
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
