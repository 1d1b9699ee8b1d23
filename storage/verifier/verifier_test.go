package verifier_test

import (
	"encoding/base64"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"parlance/storage/verifier"
)

// The verifier that PostgreSQL 15 keeps of the password "pencil" with the salt of RFC 7677.
func TestDeriveIsThatOfPostgreSQL(t *testing.T) {
	salt, err := base64.StdEncoding.DecodeString("W22ZaJ0SNY7soEsUEjb6gQ==")
	if err != nil {
		t.Fatal(err)
	}
	v, err := verifier.Derive("pencil", salt, 4096)
	if err != nil {
		t.Fatal(err)
	}
	want := "SCRAM-SHA-256$4096:W22ZaJ0SNY7soEsUEjb6gQ==$" +
		"WG5d8oPm3OtcPnkdi4Uo7BkeZkBFzpcXkuLmtbsT4qY=:wfPLwcE6nTWhTAmQ7tl2KeoiWGPlZqQxSrmfPwDl2dU="
	if v.String() != want {
		t.Errorf("got %s", v)
	}
	back, err := verifier.Parse(want)
	if err != nil || !cmp.Equal(back, v) {
		t.Errorf("read back %v, %v", back, err)
	}
}

func TestPreparedPasswordsAreEqual(t *testing.T) {
	salt := []byte("0123456789abcdef")
	for _, pair := range [][2]string{{"I\u00adX", "IX"}, {"\u2168", "IX"}, {"a\u00a0b", "a b"}, {"\u0007", "\u0007"}} {
		a, err := verifier.Derive(pair[0], salt, 1)
		b, other := verifier.Derive(pair[1], salt, 1)
		if err != nil || other != nil || !cmp.Equal(a, b) {
			t.Errorf("%q and %q differ: %v %v", pair[0], pair[1], err, other)
		}
	}
	for _, empty := range []string{"", "\u00ad"} {
		if _, err := verifier.New(empty); !errors.Is(err, verifier.ErrEmpty) {
			t.Errorf("%q: %v", empty, err)
		}
	}
}

func TestMockDependsOnSecretAndName(t *testing.T) {
	a, b := verifier.Mock([]byte("s"), "ann"), verifier.Mock([]byte("s"), "ann")
	if !cmp.Equal(a, b) {
		t.Error("the same name has two mocks")
	}
	for _, o := range []verifier.Verifier{verifier.Mock([]byte("s"), "bob"), verifier.Mock([]byte("t"), "ann")} {
		if cmp.Equal(a.Salt, o.Salt) || cmp.Equal(a.StoredKey, o.StoredKey) {
			t.Error("two mocks are alike")
		}
	}
	if _, err := verifier.Parse(a.String()); err != nil {
		t.Error(err)
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"", "SCRAM-SHA-256$", "SCRAM-SHA-256$1:YQ==$:", "SCRAM-SHA-256$0:YQ==$YQ==:YQ==", "md5abc",
		verifier.Mock(nil, "x").String()} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		v, err := verifier.Parse(s)
		if err != nil {
			return
		}
		back, err := verifier.Parse(v.String())
		if err != nil || !cmp.Equal(v, back) {
			t.Errorf("%q: %v, %v", s, back, err)
		}
	})
}
