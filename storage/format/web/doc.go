// Package web reads pages of HTML and dumps of wikis as plain text.
package web
