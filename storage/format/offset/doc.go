// Package offset counts characters of a text as annotation tools do, each in units of its own, and carries spans and
// relations between such offsets and the layers, which have bytes.
package offset
