"""Has a recorder of Python record all of whole.mjs: python3 whole.py TOOL ORIGIN FOLDER CALLS.

TOOL is requests, urllib3, httpx (vcrpy under each, once as YAML and once as JSON), betamax (told to look at bodies:
else it keeps one form of all), or none, through the proxy that http_proxy names. Writes the recording to
FOLDER/whole-TOOL.* and what the client was told to FOLDER/whole-TOOL-*-told.json.
"""
import base64
import contextlib
import json
import os
import re
import sys
from urllib.parse import quote

import betamax
import httpx
import requests
import urllib3
import vcr

tool, origin, folder, calls_file = sys.argv[1:5]
calls = json.load(open(calls_file))
session = requests.Session()
pool = urllib3.PoolManager()


def with_requests(method, url, headers, body):
    session.cookies.clear()
    reply = session.request(method, url, headers=headers, data=body, allow_redirects=False)
    return reply.status_code, reply.content, reply.raw.headers.getlist("set-cookie")


def with_urllib3(method, url, headers, body):
    reply = pool.request(method, url, headers=headers, body=body, redirect=False)
    return reply.status, reply.data, reply.headers.getlist("set-cookie")


def with_httpx(method, url, headers, body):
    reply = httpx.request(method, url, headers=headers, content=body, follow_redirects=False)
    return reply.status_code, reply.content, reply.headers.get_list("set-cookie")


def a_day(via):
    """Asks all calls, with the token and the cookies that were told last; what was told."""
    said, jar, token = [], {}, ""
    waiting = list(calls)
    while waiting:
        call = waiting.pop(0)
        headers = {"Accept-Encoding": "gzip"}
        if call.get("session") and jar:
            headers["Cookie"] = "; ".join(f"{name}={value}" for name, value in jar.items())
        body = None
        if "form" in call:
            body = call["form"].replace("{token}", quote(token, safe="")).replace("{rawtoken}", token).encode()
            headers["Content-Type"] = call.get("type", "application/x-www-form-urlencoded")
        status, content, cookies = via("POST" if body else "GET", origin + call["path"], headers, body)
        said.append({**call, "status": status, "base64": base64.b64encode(content).decode()})
        if call.get("session"):
            jar.update(re.match("([^=]+)=([^;]*)", cookie).groups() for cookie in cookies)
        issued = re.search('"(?:login|csrf)token":"([^"]+)"', content.decode("utf-8", "replace"))
        token = issued[1].replace("\\\\", "\\") if issued else token
        onward = json.loads(content).get("continue", {}).get("apcontinue") if call.get("walk") else None
        if onward:
            first = re.sub("&apcontinue=.*", "", call["path"])
            waiting.insert(0, {**call, "path": f"{first}&apcontinue={quote(onward, safe='')}&continue=-%7C%7C"})
    return said


def recorded(name):
    path = os.path.join(folder, name)
    if os.path.exists(path):
        os.remove(path)
    if tool == "betamax":
        return betamax.Betamax(session, cassette_library_dir=folder).use_cassette(
            "whole-betamax", record="all", match_requests_on=["method", "uri", "body"]
        )
    if tool == "none":
        return contextlib.nullcontext()
    serializer = "json" if name.endswith(".json") else "yaml"
    return vcr.use_cassette(path, record_mode="all", serializer=serializer, decode_compressed_response=serializer == "json")


via = {"urllib3": with_urllib3, "httpx": with_httpx}.get(tool, with_requests)
for ending in ["json"] if tool in ("betamax", "none") else ["json", "yaml"]:
    with recorded(f"whole-{tool}.{ending}"):
        said = a_day(via)
    told = os.path.join(folder, f"whole-{tool}-{ending}-told.json")
    with open(told, "w") as out:
        json.dump(said, out)
    print(f"{tool}, {ending}: {len(said)} calls")
