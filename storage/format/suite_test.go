package format

var suite = Suite(formats)
