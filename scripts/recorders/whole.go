// Has go-vcr record all of whole.mjs: GO111MODULE=off GOPATH=/usr/share/gocode go run whole.go ORIGIN FOLDER CALLS.
// Needs golang-go and golang-github-dnaeon-go-vcr-dev. Writes whole-go-vcr.yaml and what the client was told.
package main

import (
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/dnaeon/go-vcr/recorder"
)

type call struct {
	Path    string  `json:"path"`
	Form    *string `json:"form,omitempty"`
	Type    string  `json:"type,omitempty"`
	Session bool    `json:"session,omitempty"`
	Walk    bool    `json:"walk,omitempty"`
	Status  int     `json:"status"`
	Base64  []byte  `json:"base64"`
}

var issuedToken = regexp.MustCompile(`"(?:login|csrf)token":"([^"]+)"`)

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func ask(client *http.Client, origin string, one call, token string, jar map[string]string) (*http.Response, []byte) {
	method, body := "GET", ""
	if one.Form != nil {
		method = "POST"
		body = strings.NewReplacer("{token}", url.QueryEscape(token), "{rawtoken}", token).Replace(*one.Form)
	}
	request, err := http.NewRequest(method, origin+one.Path, strings.NewReader(body))
	must(err)
	if one.Form != nil && one.Type == "" {
		one.Type = "application/x-www-form-urlencoded"
	}
	if one.Type != "" {
		request.Header.Set("Content-Type", one.Type)
	}
	if one.Session {
		for name, value := range jar {
			request.AddCookie(&http.Cookie{Name: name, Value: value})
		}
	}
	response, err := client.Do(request)
	must(err)
	content, err := io.ReadAll(response.Body)
	must(err)
	response.Body.Close()
	return response, content
}

// The next request of a walk, if the answer goes on.
func onward(one call, content []byte) []call {
	var answer struct{ Continue struct{ Apcontinue string } }
	if !one.Walk || json.Unmarshal(content, &answer) != nil || answer.Continue.Apcontinue == "" {
		return nil
	}
	first, _, _ := strings.Cut(one.Path, "&apcontinue=")
	one.Path = first + "&apcontinue=" + url.QueryEscape(answer.Continue.Apcontinue) + "&continue=-%7C%7C"
	return []call{one}
}

// Asks all calls, with the token and the cookies that were told last; what was told.
func day(client *http.Client, origin string, waiting []call) (said []call) {
	jar, token := map[string]string{}, ""
	for len(waiting) > 0 {
		one := waiting[0]
		response, content := ask(client, origin, one, token, jar)
		waiting = append(onward(one, content), waiting[1:]...)
		if one.Session {
			for _, cookie := range response.Cookies() {
				jar[cookie.Name] = cookie.Value
			}
		}
		if issued := issuedToken.FindSubmatch(content); issued != nil {
			token = strings.ReplaceAll(string(issued[1]), `\\`, `\`)
		}
		one.Status, one.Base64 = response.StatusCode, content
		said = append(said, one)
	}
	return said
}

func main() {
	origin, folder, callsFile := os.Args[1], os.Args[2], os.Args[3]
	content, err := os.ReadFile(callsFile)
	must(err)
	var calls []call
	must(json.Unmarshal(content, &calls))
	os.Remove(filepath.Join(folder, "whole-go-vcr.yaml"))
	recording, err := recorder.NewAsMode(filepath.Join(folder, "whole-go-vcr"), recorder.ModeRecording, nil)
	must(err)
	client := &http.Client{
		Transport:     recording,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	said, err := json.Marshal(day(client, origin, calls))
	must(err)
	must(recording.Stop())
	must(os.WriteFile(filepath.Join(folder, "whole-go-vcr-told.json"), said, 0o644))
	println("go-vcr:", len(calls), "calls and a walk")
}
