"""Prints what a page links to, and says how the page starts, with mwclient (Debian: python3-mwclient).

Run it: wikitape exec --cassette examples/cassettes/ru-1.43 -- /usr/bin/python3 examples/python/links.py Волга
"""
import os
import sys
from urllib.parse import urlsplit

import mwclient

url = urlsplit(os.environ['WIKITAPE_API_URL'])
site = mwclient.Site(url.netloc, path=url.path.removesuffix('api.php'), scheme=url.scheme)
page = site.pages[sys.argv[1] if len(sys.argv) > 1 else 'Волга']

print(f'{page.name}, {page.length} bytes, on {site.site["sitename"]}')
for link in page.links():
    print(f'  {link.name}{"" if link.exists else " (missing)"}')
