package main

import (
	"strconv"
	"strings"
	"unicode"

	"parlance/db"
	"parlance/storage/value"
)

// alignedTable writes rows with their columns under each other, numbers to the right and NULL as
// nothing; "" for a statement without columns.
func alignedTable(rows *db.Rows) (string, error) {
	if len(rows.Columns()) == 0 {
		return "", rows.Err()
	}
	var grid [][]string
	var right []bool
	var head []string
	for _, c := range rows.Columns() {
		head = append(head, c.Name)
		right = append(right, c.Type == "integer" || c.Type == "float")
	}
	grid = append(grid, head)
	for rows.Next() {
		var line []string
		for _, v := range rows.Values() {
			line = append(line, shownValue(v))
		}
		grid = append(grid, line)
	}
	if err := rows.Err(); err != nil {
		return "", err
	}
	return aligned(grid, right), nil
}

// aligned writes the lines of a grid, the first being the header.
func aligned(grid [][]string, right []bool) string {
	widths := make([]int, len(right))
	for _, line := range grid {
		for i, s := range line {
			widths[i] = max(widths[i], shownWidth(s))
		}
	}
	var b strings.Builder
	for k, line := range grid {
		text := ""
		for i, s := range line {
			pad := strings.Repeat(" ", widths[i]-shownWidth(s))
			if i > 0 {
				text += " | "
			}
			if right[i] {
				text += pad + s
			} else {
				text += s + pad
			}
		}
		b.WriteString(strings.TrimRight(text, " ") + "\n")
		if k == 0 {
			for i, w := range widths {
				if i > 0 {
					b.WriteString("-+-")
				}
				b.WriteString(strings.Repeat("-", w))
			}
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// shownWidth is the number of columns that a text takes where letters have one width, Chinese,
// Japanese and Korean ones taking two.
func shownWidth(s string) int {
	n := 0
	for _, r := range s {
		n++
		if r >= 0x3000 && r <= 0x303e || r >= 0xff01 && r <= 0xff60 ||
			unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul) {
			n++
		}
	}
	return n
}

// shownValue is a value as examples show it: floats with at most four digits after the point,
// so that they are the same on every machine.
func shownValue(v value.Value) string {
	switch v.T {
	case value.Null:
		return ""
	case value.Float:
		return shownFloat(v.Float())
	}
	return strings.ReplaceAll(v.String(), "\n", "⏎")
}

func shownFloat(f float64) string {
	if f != 0 && f < 1e-3 && f > -1e-3 {
		return strconv.FormatFloat(f, 'g', 3, 64)
	}
	s := strconv.FormatFloat(f, 'f', 4, 64)
	return strings.TrimSuffix(strings.TrimRight(s, "0"), ".")
}
