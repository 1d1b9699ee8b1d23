package main

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"parlance/algo"
	"parlance/algo/kind"
	"parlance/algo/option"
)

// kindUse is a kind in a cell of the table of systems, with the options in brackets behind it.
var kindUse = regexp.MustCompile("`(\\w+)`(?: \\(((?:`\\w+`(?:, )?)+)\\))?")

// setting is an option with some of its values: `measure` = bcb.
var setting = regexp.MustCompile("`(\\w+)` = (\\w+(?:, \\w+)*)")

// TestSystems: docs/systems.md has every paper once, in order, and the kinds, options and values that it names exist.
func TestSystems(t *testing.T) {
	kinds := map[string]*option.Set{}
	for _, k := range algo.Kinds() {
		kinds[k.Name] = optionsOf(k)
	}
	papers := 0
	for line := range strings.Lines(read(t, "docs/systems.md")) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		if !strings.HasPrefix(line, "| ") || len(cells) != 5 || strings.Contains(line, "| no. |") {
			continue
		}
		papers++
		if number := strings.TrimSpace(cells[0]); number != fmt.Sprint(papers) {
			t.Errorf("paper %s stands at place %d", number, papers)
		}
		for _, fault := range faultsOfSystem(kinds, cells[2], cells[3], cells[4]) {
			t.Errorf("paper %d: %s", papers, fault)
		}
	}
	if papers != 48 {
		t.Errorf("%d papers", papers)
	}
}

func optionsOf(k kind.Kind) *option.Set {
	var set option.Set
	k.New().Options(&set)
	return &set
}

// faultsOfSystem tells which kinds, options and values of a row do not exist, and what it lacks.
func faultsOfSystem(kinds map[string]*option.Set, use, deviations, results string) (faults []string) {
	if strings.TrimSpace(use) == "-" {
		if strings.TrimSpace(results) != "" {
			faults = append(faults, "results of what is not built")
		}
		return faults
	}
	if !strings.Contains(results, "RESULTS.md") {
		faults = append(faults, "no results")
	}
	var sets []*option.Set
	for _, m := range kindUse.FindAllStringSubmatch(use, -1) {
		set := kinds[m[1]]
		if set == nil {
			faults = append(faults, "no kind "+m[1])
			continue
		}
		sets = append(sets, set)
		for _, o := range quoted.FindAllStringSubmatch(m[2], -1) {
			if set.Lookup(o[1]) == nil {
				faults = append(faults, m[1]+" has no option "+o[1])
			}
		}
	}
	for _, m := range setting.FindAllStringSubmatch(deviations, -1) {
		for _, v := range strings.Split(m[2], ", ") {
			if !takes(sets, m[1], v) {
				faults = append(faults, "no kind of the row takes "+m[1]+" = "+v)
			}
		}
	}
	return faults
}

// takes reports whether an option of one of the sets lists the value among its choices, or is a number or text.
func takes(sets []*option.Set, name, val string) bool {
	for _, s := range sets {
		if d := s.Lookup(name); d != nil {
			for _, choice := range strings.Split(d.Range, " | ") {
				if choice == val || !strings.Contains(d.Range, "|") {
					return true
				}
			}
		}
	}
	return false
}

// TestSystemsRefuses: rows that name what does not exist are found.
func TestSystemsRefuses(t *testing.T) {
	kinds := map[string]*option.Set{}
	for _, k := range algo.Kinds() {
		kinds[k.Name] = optionsOf(k)
	}
	for _, row := range [][3]string{
		{"`nothing`", "", "RESULTS.md"},
		{"`maxent` (`nothing`)", "", "RESULTS.md"},
		{"`maxent` (`optimizer`)", "`optimizer` = nothing", "RESULTS.md"},
		{"`maxent`", "", ""},
		{"-", "", "RESULTS.md"},
	} {
		if faultsOfSystem(kinds, row[0], row[1], row[2]) == nil {
			t.Errorf("%q passes", row)
		}
	}
}
