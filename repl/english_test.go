package repl_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// treebanks writes a folder of the shape that scripts/english.sql reads, as the repositories of UD_English-EWT and GUM
// have it: a file of EWT for training and one for dev; of GUM a file for each document below dep, const and
// coref/ontogum/conllu, and the parts of the corpus in splits.md.
func treebanks(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	write := func(name, text string) {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, part := range []string{"train", "dev"} {
		text, err := os.ReadFile("testdata/english/" + part + ".conllu")
		if err != nil {
			t.Fatal(err)
		}
		write("UD_English-EWT/en_ewt-ud-"+part+".conllu", string(text))
	}
	parts := map[string][]string{"train": {"GUM_bio_ann", "GUM_bio_annie", "GUM_news_ben", "GUM_reddit_cy"},
		"dev": {"GUM_bio_dan"}, "test": {"GUM_bio_eve"}, "test2": {"GENTLE_poetry_fay"}}
	splits := "# Splits\n\nThe parts of the corpus.\n\n"
	for _, part := range []string{"dev", "test", "test2", "train"} {
		splits += "## " + part + "\n\n"
		for _, doc := range parts[part] {
			splits += "  * " + doc + "\n"
			name := strings.ToUpper(doc[strings.LastIndex(doc, "_")+1:][:1]) + doc[strings.LastIndex(doc, "_")+2:]
			write("gum/dep/"+doc+".conllu", gumDocument(doc, name, "GRP-etype-infstat-identity", "(1-person-new-%s",
				"(1-person-giv)"))
			write("gum/coref/ontogum/conllu/"+doc+".conllu", gumDocument(doc, name, "GRP", "(1%.0s", "(1)"))
			write("gum/const/"+doc+".ptb", strings.Repeat("(ROOT\n  (S\n    (NP (NNP "+name+") (NNP Lee))\n    (VP (VBD "+
				"met)\n      (NP (NNS friends)))\n    (. .)))\n\n(ROOT\n  (S\n    (NP (PRP She))\n    (VP (VBD left))\n    (. "+
				".)))\n\n", 2))
		}
		splits += "\n"
	}
	write("gum/splits.md", splits)
	return dir
}

// gumDocument is a document of GUM: the fields of its entities, how the first mention begins and what the second is.
func gumDocument(id, name, fields, first, second string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# newdoc id = %s\n# global.Entity = %s\n# meta::genre = bio\n# newpar\n", id, fields)
	for i := range 2 {
		fmt.Fprintf(&b, "# sent_id = %s-%d\n# text = %s Lee met friends.\n", id, 2*i+1, name)
		fmt.Fprintf(&b, "1\t%s\t%[1]s\tPROPN\tNNP\tNumber=Sing\t3\tnsubj\t_\tEntity=%s\n", name, fmt.Sprintf(first, name))
		b.WriteString("2\tLee\tLee\tPROPN\tNNP\tNumber=Sing\t1\tflat\t_\tEntity=1)\n" +
			"3\tmet\tmeet\tVERB\tVBD\t_\t0\troot\t_\t_\n" +
			"4\tfriends\tfriend\tNOUN\tNNS\tNumber=Plur\t3\tobj\t_\tSpaceAfter=No\n5\t.\t.\tPUNCT\t.\t_\t3\tpunct\t_\t_\n\n")
		fmt.Fprintf(&b, "# sent_id = %s-%d\n# text = She left.\n", id, 2*i+2)
		b.WriteString("1\tShe\tshe\tPRON\tPRP\tGender=Fem\t2\tnsubj\t_\tEntity=" + second +
			"\n2\tleft\tleave\tVERB\tVBD\t_\t0\troot\t_\tSpaceAfter=No\n" +
			"3\t.\t.\tPUNCT\t.\t_\t2\tpunct\t_\t_\n\n")
	}
	return b.String()
}

// TestEnglishScripts: scripts/english.sql trains on folders as the treebanks' repositories have them, on the documents
// of GUM for training but those without words, and scripts/english_dev.sql scores on those of dev.
func TestEnglishScripts(t *testing.T) {
	t.Chdir("..")
	file := filepath.Join(t.TempDir(), "english.parlance")
	data := treebanks(t)
	out, errs, code := outcome(t, "", "exec", "-A", "--db", file, "-v", "data="+data, "-f", "scripts/english.sql")
	if code != 0 {
		t.Fatal(errs)
	}
	for _, want := range []string{
		"documents_of_gum\n3\n",            // without dev, test, test2 and Reddit
		"INSERT 54\nDELETE 0\n",            // 3 documents of 4 trees of 5, 4, 5 and 4 phrases
		"INSERT 6\nTRAIN", "TRAIN coref@1", // a name in every second sentence
	} {
		if !strings.Contains(out, want) {
			t.Errorf("it prints\n%s\nwithout %q", out, want)
		}
	}
	got := succeed(t, "", "exec", "-A", "-t", "--db", file, "-c",
		"SELECT text, label FROM entities(TEXT 'Ann Lee met friends.');"+
			"SELECT count(DISTINCT cluster) FROM mentions(TEXT 'Ann Lee met friends. She left.')")
	if got != "Ann Lee|person\n1\n" {
		t.Errorf("the models answer %q", got)
	}
	out, errs, code = outcome(t, "", "exec", "-A", "--db", file, "-v", "data="+data, "-f", "scripts/english_dev.sql")
	if code != 0 || !strings.Contains(out, "\nGUM|16|") || !strings.Contains(out, "\nEWT|") {
		t.Errorf("%s%s", errs, out)
	}
}

// TestEnglishScriptsNeedFolder: without the folder of the treebanks the error names the variable.
func TestEnglishScriptsNeedFolder(t *testing.T) {
	t.Chdir("..")
	for _, script := range []string{"scripts/english.sql", "scripts/english_dev.sql"} {
		_, errs, code := outcome(t, "", "exec", "-f", script)
		if code != 1 ||
			!strings.Contains(errs, "error: variable data is not set: \\set data VALUE sets it, or -v data=VALUE") {
			t.Errorf("%s: exit code %d, %s", script, code, errs)
		}
	}
}
