package tuples

// EnglishLemma is the lemma of an English form by its tags, by rules of spelling and a table of irregular forms, as the
// store has it where a corpus has no lemmas. xpos may be empty.
func EnglishLemma(form, upos, xpos string) string { return englishLemma(form, upos, xpos) }
