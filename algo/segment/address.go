package segment

import "strings"

// Addresses calls f with the place and length in bytes of every URL and e-mail address in a chunk without white space,
// in order.
func Addresses(chunk string, f func(at, n int)) {
	if strings.ContainsAny(chunk, ":@.") {
		addresses(chunk, f)
	}
}

// addresses calls f with the place and length in bytes of every URL and e-mail address in a
// chunk without white space, in order. A URL begins with a scheme of letters and :// or with
// www. and goes on to an angle bracket or a double quote; an e-mail address has a host with a
// dot. The punctuation that follows an address is no part of it.
func addresses(chunk string, f func(at, n int)) {
	done := 0 // end of the last address
	for i := 0; i < len(chunk); {
		next := strings.IndexAny(chunk[i:], ":@w")
		if next < 0 {
			return
		}
		i += next
		at, n := i, 0
		switch chunk[i] {
		case ':':
			for at > done && letter(chunk[at-1]) {
				at--
			}
			if at < i && strings.HasPrefix(chunk[i:], "://") {
				n = link(chunk[at:], i-at+len("://"))
			}
		case 'w':
			if strings.HasPrefix(chunk[i:], "www.") && (i == done || !addressByte(chunk[i-1])) {
				n = link(chunk[i:], len("www."))
				if strings.Count(chunk[i:i+n], ".") < 2 {
					n = 0
				}
			}
		case '@':
			at, n = mail(chunk, done, i)
		}
		if n == 0 {
			i++
			continue
		}
		f(at, n)
		done = at + n
		i = done
	}
}

// link returns the length of a URL at the start of s, or 0 if it has nothing after its
// first head bytes. A closing bracket at its end belongs to it if the URL opens one.
func link(s string, head int) int {
	if end := strings.IndexAny(s, "<>\""); end >= 0 {
		s = s[:end]
	}
	open := strings.Count(s, "(") - strings.Count(s, ")")
	for len(s) > head {
		t := strings.TrimRight(s, ".,;:!?']}»”’*")
		if open < 0 && strings.HasSuffix(t, ")") {
			t = t[:len(t)-1]
			open++
		}
		if t == s {
			return len(s)
		}
		s = t
	}
	return 0
}

// mail returns the place and length of the e-mail address around the @ at i, looking back
// no further than from; the length is 0 if there is none.
func mail(chunk string, from, i int) (at, n int) {
	at = i
	for at > from && addressByte(chunk[at-1]) {
		at--
	}
	for at < i && punctuation(chunk[at]) {
		at++
	}
	end := i + 1
	for end < len(chunk) && addressByte(chunk[end]) && chunk[end] != '+' {
		end++
	}
	host := strings.TrimRight(chunk[i+1:end], ".-_")
	if dot := strings.LastIndexByte(host, '.'); at == i || dot <= 0 || len(host)-dot < 3 {
		return at, 0
	}
	return at, i + 1 + len(host) - at
}

func letter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

func punctuation(c byte) bool { return c == '.' || c == '-' || c == '_' || c == '+' }

func addressByte(c byte) bool { return c >= '0' && c <= '9' || letter(c) || punctuation(c) }
