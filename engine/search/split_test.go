package search

import (
	"slices"
	"strings"
	"testing"
)

func TestWords(t *testing.T) {
	for text, want := range map[string]string{
		"":                             "",
		"Log in":                       "0:log 1:in",
		"real-time bidding":            "0:real 1:time 0:+realtime 2:bidding",
		"getUserName(user_name)":       "0:get 1:user 2:name 0:+getusername 3:user 4:name 3:+username",
		"HTTPServer IDs iPhone":        "0:http 1:server 0:+httpserver 2:ids 3:i 4:phone 3:+iphone",
		"ENG-412, utf-8.":              "0:eng 1:412 0:+eng412 2:utf 3:8 2:+utf8",
		"version 1.2.3":                "0:version 1:1 2:2 3:3 1:+1.2.3",
		"don't, it's the users' l'eau": "0:dont 1:it 2:the 3:users 4:l 5:eau 4:+leau",
		"C++ and f# but not a+b":       "0:c 0:+c++ 1:and 2:f 2:+f# 3:but 4:not 5:a 6:b",
		"Déjà vu, ÅNGSTRÖM straße":     "0:deja 1:vu 2:angstrom 3:strasse",
		"Ёлка Άλφας":                   "0:елка 1:αλφασ",
		"ｆｕｌｌ ﬁne":                     "0:full 1:fine",
		"黒猫が好き":                        "0:黒猫 1:猫が 2:が好 3:好き 4:き",
		"猫 and한국":                      "0:猫 1:and 2:한국 3:국",
		"ไทยดี":                        "0:ไท 1:ทย 2:ยดี 3:ดี",
		"don’t":                        "0:dont",
		"\xff\xfeab\x00c":              "0:ab 1:c",
		"__init__.py":                  "0:init 1:py",
		"½ ² №5":                       "0:12 1:2 2:5",
	} {
		var got []string
		var s splitter
		s.split(text, 0, func(w word) {
			joined := ""
			if w.joined {
				joined = "+"
			}
			got = append(got, string(rune('0'+w.place))+":"+joined+string(w.letters))
		})
		if strings.Join(got, " ") != want {
			t.Errorf("%q:\n got %s\nwant %s", text, strings.Join(got, " "), want)
		}
	}
}

func TestAWordOfAnyLengthIsKeptShort(t *testing.T) {
	var s splitter
	s.split(strings.Repeat("é", 500)+" "+strings.Repeat("Ab-", 100), 0, func(w word) {
		if len(w.letters) > longest || len(w.letters) == 0 {
			t.Errorf("a word of %d bytes", len(w.letters))
		}
	})
}

func TestPhrasesAndKeysOfAQuestion(t *testing.T) {
	q := Parse(`-draft "log in" ENG-412 -"no go" lo`, true)
	if !slices.Equal(q.keys, []string{"log-in", "eng-412", "lo"}) || len(q.phrases) != 1 || len(q.never) != 1 || len(q.not) != 1 {
		t.Errorf("read as %+v", q)
	}
}
