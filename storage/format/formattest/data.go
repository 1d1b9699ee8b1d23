package formattest

import (
	"path/filepath"
	"testing"

	"parlance/algo/testutil/realdata"
)

// DataFiles lists files of real data; without them, and in a short run, the test is skipped.
func DataFiles(t *testing.T, patterns ...string) (files []string) {
	t.Helper()
	dir := realdata.Folder(t)
	for _, p := range patterns {
		names, err := filepath.Glob(filepath.Join(dir, p))
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, names...)
	}
	if len(files) == 0 {
		t.Skipf("%s has no files %v", dir, patterns)
	}
	return files
}
