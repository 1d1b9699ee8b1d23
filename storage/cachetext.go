package storage

// textBytes bounds the answers for ad-hoc texts that are kept in memory.
const textBytes = 64 << 20

// textCache keeps answers for texts that belong to no corpus. Most are asked for once, so they
// stay in memory; one that is asked for again goes to the file with the others.
//
// Two generations stand for recency: when the young one is full it becomes the old one, and what
// is found in the old one moves to the young one.
type textCache struct {
	young, old map[cacheKey]textValue
	bytes      int // of the young ones
}

type textValue struct {
	cacheValue
	kept bool // goes to the file, or is there
}

// isAdhoc reports whether a sequence number stands for an ad-hoc text.
func isAdhoc(seq uint64) bool { return seq>>63 == 1 }

// get returns an answer and whether it is found for the second time.
func (t *textCache) get(k cacheKey, hash [16]byte, limit int) (v textValue, again, ok bool) {
	v, young := t.young[k]
	if !young {
		if v, ok = t.old[k]; !ok {
			return v, false, false
		}
	}
	if v.hash != hash {
		return v, false, false
	}
	again = !v.kept
	if again || !young {
		v.kept = true
		t.put(k, v, limit)
	}
	return v, again, true
}

func (t *textCache) put(k cacheKey, v textValue, limit int) {
	if old, ok := t.young[k]; ok {
		t.bytes -= len(old.result) + 64
	}
	if t.young == nil || t.bytes+len(v.result)+64 > limit/2 {
		t.old, t.young, t.bytes = t.young, map[cacheKey]textValue{}, 0
	}
	t.young[k] = v
	t.bytes += len(v.result) + 64
}

// drop forgets the answers of a model and returns how many of them are nowhere else.
func (t *textCache) drop(model [8]byte) int {
	n := 0
	t.each(func(k cacheKey, v textValue) {
		if k.model == model && !v.kept {
			n++
		}
	})
	for k, v := range t.young {
		if k.model == model {
			t.bytes -= len(v.result) + 64
			delete(t.young, k)
		}
	}
	for k := range t.old {
		if k.model == model {
			delete(t.old, k)
		}
	}
	return n
}

// each calls f for every answer once.
func (t *textCache) each(f func(cacheKey, textValue)) {
	for k, v := range t.young {
		f(k, v)
	}
	for k, v := range t.old {
		if _, ok := t.young[k]; !ok {
			f(k, v)
		}
	}
}
