package storage

import (
	"parlance/storage/dbfile"
	"parlance/storage/sealed"
)

var settingPrefix = []byte("setting/")

func (s *Store) readSettings() error {
	s.settings = map[string]string{}
	return s.View(func(tx *sealed.Tx) error {
		c := tx.Bucket(dbfile.Meta).Cursor()
		for k, v := c.Seek(settingPrefix); len(k) > len(settingPrefix) &&
			string(k[:len(settingPrefix)]) == string(settingPrefix); k, v = c.Next() {
			s.settings[string(k[len(settingPrefix):])] = string(v)
		}
		return nil
	})
}

// Setting returns a setting of the database.
func (s *Store) Setting(name string) (string, bool) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	v, ok := s.settings[name]
	return v, ok
}

// Settings returns all settings of the database.
func (s *Store) Settings() map[string]string {
	s.mu.RLock()
	defer s.mu.RUnlock()
	out := make(map[string]string, len(s.settings))
	for k, v := range s.settings {
		out[k] = v
	}
	return out
}

// SetSetting stores a setting of the database.
func (s *Store) SetSetting(name, v string) error {
	err := s.Update(func(tx *sealed.Tx) error {
		return tx.Bucket(dbfile.Meta).Put(append(append([]byte{}, settingPrefix...), name...), []byte(v))
	})
	if err != nil {
		return err
	}
	s.mu.Lock()
	s.settings[name] = v
	s.mu.Unlock()
	return nil
}

// DropSetting removes a setting, so that its default applies.
func (s *Store) DropSetting(name string) error {
	err := s.Update(func(tx *sealed.Tx) error {
		return tx.Bucket(dbfile.Meta).Delete(append(append([]byte{}, settingPrefix...), name...))
	})
	if err != nil {
		return err
	}
	s.mu.Lock()
	delete(s.settings, name)
	s.mu.Unlock()
	return nil
}
