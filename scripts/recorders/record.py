"""Makes the recordings of vcrpy: python3 record.py ORIGIN FOLDER. Needs python3-vcr and python3-requests."""
import json
import os
import sys

import requests
import vcr

origin, folder = sys.argv[1:3]
calls = json.load(open(os.path.join(os.path.dirname(__file__), "calls.json")))


def ask(call):
    headers = {"Accept-Encoding": "identity"} if call.get("identity") else {}
    url = origin + call["path"]
    if "form" not in call:
        return requests.get(url, headers=headers)
    headers["Content-Type"] = "application/x-www-form-urlencoded"
    return requests.post(url, data=call["form"], headers=headers)


def record(name, asked, **options):
    path = os.path.join(folder, name)
    if os.path.exists(path):
        os.remove(path)
    with vcr.use_cassette(path, record_mode="all", **options):
        for call in asked:
            ask(call)


record("vcrpy.yaml", calls)
record("vcrpy-decoded.yaml", calls, decode_compressed_response=True)
texts = [call for call in calls if not call["path"].endswith(".png")]
record("vcrpy.json", texts, serializer="json", decode_compressed_response=True)
