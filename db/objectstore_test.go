package db_test

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"log"
	"path"
	"slices"
	"strings"
	"testing"
	"time"

	"parlance/db"
)

// objects is a store of objects in memory, as one of a cloud would be reached: it gives and takes whole objects.
type objects map[string][]byte

// object is an object that is read.
type object struct {
	*bytes.Reader
	info objectInfo
}

func (o object) Stat() (fs.FileInfo, error) { return o.info, nil }
func (o object) Close() error               { return nil }

type objectInfo struct {
	name string
	size int64
}

func (i objectInfo) Name() string     { return i.name }
func (i objectInfo) Size() int64      { return i.size }
func (objectInfo) Mode() fs.FileMode  { return 0o644 }
func (objectInfo) ModTime() time.Time { return time.Time{} }
func (objectInfo) IsDir() bool        { return false }
func (objectInfo) Sys() any           { return nil }

// upload is an object that is written; it is there once it is closed.
type upload struct {
	bytes.Buffer
	to   objects
	name string
}

func (u *upload) Close() error { u.to[u.name] = u.Bytes(); return nil }

func (o objects) Open(name string) (db.File, error) {
	b, ok := o[name]
	if !ok {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return object{bytes.NewReader(b), objectInfo{path.Base(name), int64(len(b))}}, nil
}

func (o objects) Create(name string) (db.NewFile, error) { return &upload{to: o, name: name}, nil }

func (o objects) Stat(name string) (fs.FileInfo, error) {
	f, err := o.Open(name)
	if err != nil {
		return nil, err
	}
	return f.Stat()
}

func (o objects) Lstat(name string) (fs.FileInfo, error) { return o.Stat(name) }

func (o objects) Glob(pattern string) (out []string, err error) {
	for name := range o {
		if ok, err := path.Match(pattern, name); err != nil || ok {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out, err
}

func (o objects) Rename(from, to string) error {
	o[to] = o[from]
	delete(o, from)
	return nil
}

func (o objects) Link(_, to string) error {
	return &fs.PathError{Op: "link", Path: to, Err: fs.ErrPermission}
}

func (o objects) Remove(name string) error { delete(o, name); return nil }

// Statements read and write objects of a store in place of files.
func ExampleConn_Files() {
	ctx := context.Background()
	d, err := db.Open(":memory:", db.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer d.Close()
	store := objects{"people/train.conll": []byte(annotated), "in/1.jsonl": []byte(`{"id": "a", "text": "Bob left Rome."}`)}
	c := d.Conn()
	c.Files(store)
	err = c.Script(ctx, `
		CREATE CORPUS docs;
		LOAD 'people/*.conll' INTO docs FORMAT conll WITH (columns = (form, entities));
		TRAIN crf AS ner ON docs;
		ANNOTATE 'in/1.jsonl' FORMAT jsonl USING ner TO 'out/1.conll' FORMAT conll WITH (columns = (form, entities))`, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(string(store["out/1.conll"]))
	// Output:
	// -DOCSTART- O
	//
	// Bob B-PER
	// left O
	// Rome B-LOC
	// . O
}

// TestObjectStore: formats that are read from their end, models, and what is written twice work on a store of objects;
// a backup is refused, and nothing is left beside what is whole.
func TestObjectStore(t *testing.T) {
	d := open(t, "")
	c := d.Conn()
	store := objects{"words.csv": []byte("word,n\na,1\nb,2\n")}
	c.Files(store)
	script(t, c, `CREATE LEXICON w (word TEXT, n INTEGER);
		LOAD 'words.csv' INTO w FORMAT csv;
		COPY w TO 'w.parquet' FORMAT parquet;
		COPY w TO 'w.parquet' FORMAT parquet;
		CREATE LEXICON v (word TEXT, n INTEGER);
		LOAD 'w.parquet' INTO v FORMAT parquet;`)
	got := column(t, c, "SELECT word || n FROM v JOIN w USING (word, n) ORDER BY 1")
	if strings.Join(got, " ") != "a1 b2" {
		t.Errorf("came back as %v", got)
	}
	c.Stdin(strings.NewReader(annotated))
	script(t, c, `CREATE CORPUS docs;
		LOAD STDIN INTO docs FORMAT conll WITH (columns = (form, entities));
		TRAIN crf AS ner ON docs; COPY MODEL ner TO 'ner.model'; LOAD 'ner.model' INTO MODEL again`)
	if _, err := c.Exec(t.Context(), "BACKUP TO 'copy.parlance'"); err == nil ||
		!strings.Contains(err.Error(), "file system only") {
		t.Errorf("BACKUP: %v", err)
	}
	if _, err := c.Exec(t.Context(), "COPY docs TO 'docs.svmlight' FORMAT svmlight WITH (nothing = 1)"); err == nil {
		t.Error("an option that there is not")
	}
	names, _ := store.Glob("*")
	if got := strings.Join(names, " "); got != "ner.model w.parquet words.csv" {
		t.Errorf("objects: %s", got)
	}
}
