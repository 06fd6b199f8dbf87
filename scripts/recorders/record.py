"""Makes the recordings of vcrpy (under requests, urllib3 and httpx) and of betamax: python3 record.py ORIGIN FOLDER.

Needs python3-vcr, python3-requests, python3-urllib3, python3-httpx and python3-betamax.
"""
import base64
import json
import os
import sys

import betamax
import httpx
import requests
import urllib3
import vcr

origin, folder = sys.argv[1:3]
calls = json.load(open(os.path.join(os.path.dirname(__file__), "calls.json")))
texts = [call for call in calls if not call["path"].endswith(".png")]


def fresh(name):
    path = os.path.join(folder, name)
    if os.path.exists(path):
        os.remove(path)
    return path


def parts(call):
    headers = {"Accept-Encoding": "identity"} if call.get("identity") else {"Accept-Encoding": "gzip"}
    if "form" in call:
        headers["Content-Type"] = "application/x-www-form-urlencoded"
    return "POST" if "form" in call else "GET", origin + call["path"], headers, call.get("form")


def with_requests(call):
    method, url, headers, body = parts(call)
    requests.request(method, url, headers=headers, data=body, allow_redirects=False)


pool = urllib3.PoolManager()


def with_urllib3(call):
    method, url, headers, body = parts(call)
    pool.request(method, url, headers=headers, body=body, redirect=False)


def with_httpx(call):
    method, url, headers, body = parts(call)
    httpx.request(method, url, headers=headers, content=body, follow_redirects=False)


def record(name, ask, asked, **options):
    with vcr.use_cassette(fresh(name), record_mode="all", **options):
        for call in asked:
            ask(call)


record("vcrpy.yaml", with_requests, calls)
record("vcrpy-decoded.yaml", with_requests, calls, decode_compressed_response=True)
record("vcrpy.json", with_requests, texts, serializer="json", decode_compressed_response=True)
record("vcrpy-urllib3.yaml", with_urllib3, calls)
record("vcrpy-httpx.yaml", with_httpx, texts)

fresh("betamax.json")
session = requests.Session()
with betamax.Betamax(session, cassette_library_dir=folder).use_cassette("betamax", record="all"):
    for call in calls:
        method, url, headers, body = parts(call)
        session.request(method, url, headers=headers, data=body, allow_redirects=False)


def told(reply, said):
    said.append({"status": reply.status_code, "base64": base64.b64encode(reply.content).decode()})
    return reply


def login_edit_upload(api, said):
    """A login, an edit that is read back, an upload; what the wiki said to each."""
    client = requests.Session()

    def get(**params):
        return told(client.get(api, params={"format": "json", "formatversion": "2", **params}), said).json()

    def post(files=None, **params):
        return told(client.post(api, data={"format": "json", "formatversion": "2", **params}, files=files), said).json()

    token = get(action="query", meta="tokens", type="login")["query"]["tokens"]["logintoken"]
    post(action="login", lgname="Admin", lgpassword=os.environ["WIKI_PASSWORD"], lgtoken=token)
    get(action="query", meta="userinfo")
    token = get(action="query", meta="tokens")["query"]["tokens"]["csrftoken"]
    title = "Переезд"
    read = {"action": "query", "prop": "revisions", "rvprop": "content", "rvslots": "main", "titles": title}
    for text in ["one", "two"]:
        post(action="edit", title=title, text=text, token=token)
        get(**read)
    picture = ('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>').encode()
    post(
        files={"file": ("Переезд.svg", picture, "image/svg+xml")},
        action="upload",
        filename="Moving-in.svg",
        ignorewarnings="1",
        token=token,
    )
    get(action="query", prop="imageinfo", iiprop="size|sha1", titles="File:Moving-in.svg")


said = []
with vcr.use_cassette(fresh("vcrpy-session.yaml"), record_mode="all"):
    login_edit_upload(origin + "/w/api.php", said)
with open(fresh("session-answers.json"), "w") as out:
    json.dump(said, out, indent=1)
    out.write("\n")
