package mention

import (
	"embed"
	"strings"
	"sync"
)

//go:embed english/*.txt
var english embed.FS

// pronoun is a row of the table of pronouns.
type pronoun struct {
	form    string
	person  uint8
	number  Number
	gender  Gender
	animacy Animacy
	kase    Case
}

// determiner is a row of the table of determiners.
type determiner struct {
	definite Definiteness
	number   Number
}

// person is what a noun for people says.
type person struct {
	gender Gender
	group  bool // of people, such as team
}

// tables are what the product knows of words, by form in small letters.
type tables struct {
	pronouns    map[string]pronoun
	determiners map[string]determiner
	titles      map[string]Gender
	people      map[string]person
	names       map[string]Gender
	saying      map[string]bool // lemmas
	things      map[string]bool // that names of other things than persons end with
}

// words are the tables of English.
var words = sync.OnceValue(func() *tables {
	t := &tables{map[string]pronoun{}, map[string]determiner{}, map[string]Gender{}, map[string]person{},
		map[string]Gender{}, map[string]bool{}, map[string]bool{}}
	for _, f := range rows("pronouns") {
		t.pronouns[f[0]] = pronoun{f[1], f[2][0] - '0', named[Number](f[3], Singular, Plural),
			named[Gender](f[4], Male, Female, Neuter), named[Animacy](f[5], Animate, Inanimate),
			named[Case](f[6], Personal, PossessiveCase, Reflexive, DemonstrativeCase, Relative, Adverbial)}
	}
	for _, f := range rows("determiners") {
		t.determiners[f[0]] = determiner{
			named[Definiteness](f[1], Definite, Demonstrative, Indefinite, Quantified), named[Number](f[2], Singular, Plural)}
	}
	for _, f := range rows("titles") {
		t.titles[f[0]] = named[Gender](f[1], Male, Female)
	}
	listed("people", func(key, word string) {
		t.people[word] = person{named[Gender](key, Male, Female), key == "group"}
	})
	listed("names", func(key, word string) { t.names[word] = named[Gender](key, Male, Female) })
	for table, set := range map[string]map[string]bool{"saying": t.saying, "things": t.things} {
		for _, f := range rows(table) {
			for _, w := range f {
				set[w] = true
			}
		}
	}
	return t
})

// named is the value with the name, the zero value where none has it.
func named[T interface{ String() string }](name string, all ...T) (out T) {
	for _, v := range all {
		if v.String() == name {
			return v
		}
	}
	return out
}

// rows returns the lines of a table as fields, without comments.
func rows(table string) (out [][]string) {
	b, err := english.ReadFile("english/" + table + ".txt")
	if err != nil {
		panic(err) // the table is part of the program
	}
	for line := range strings.Lines(string(b)) {
		if f := strings.Fields(line); len(f) > 0 && f[0] != "#" {
			out = append(out, f)
		}
	}
	return out
}

// listed calls add for the words of a table of lists: key: word word …, over several lines.
func listed(table string, add func(key, word string)) {
	key := ""
	for _, f := range rows(table) {
		for _, w := range f {
			if k, ok := strings.CutSuffix(w, ":"); ok {
				key = k
				continue
			}
			add(key, w)
		}
	}
}
