// Makes the recording of go-vcr: GO111MODULE=off GOPATH=/usr/share/gocode go run record.go ORIGIN FOLDER.
// Needs golang-go and golang-github-dnaeon-go-vcr-dev.
package main

import (
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"

	"github.com/dnaeon/go-vcr/recorder"
)

type call struct {
	Path     string
	Form     *string
	Identity bool
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func main() {
	origin, folder := os.Args[1], os.Args[2]
	content, err := os.ReadFile("calls.json")
	must(err)
	var calls []call
	must(json.Unmarshal(content, &calls))
	os.Remove(filepath.Join(folder, "go-vcr.yaml"))
	recording, err := recorder.NewAsMode(filepath.Join(folder, "go-vcr"), recorder.ModeRecording, nil)
	must(err)
	client := &http.Client{
		Transport:     recording,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	for _, one := range calls {
		method, body := "GET", ""
		if one.Form != nil {
			method, body = "POST", *one.Form
		}
		request, err := http.NewRequest(method, origin+one.Path, strings.NewReader(body))
		must(err)
		if one.Form != nil {
			request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		}
		if one.Identity {
			request.Header.Set("Accept-Encoding", "identity")
		}
		response, err := client.Do(request)
		must(err)
		_, err = io.ReadAll(response.Body)
		must(err)
		response.Body.Close()
	}
	must(recording.Stop())
}
