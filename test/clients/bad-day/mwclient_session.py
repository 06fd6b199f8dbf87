"""mwclient with its own settings: 25 retries, each 30 seconds later than the last."""
import os
import sys
from urllib.parse import urlsplit

sys.path.insert(0, os.path.join(os.path.dirname(__file__), '../sessions'))
import mwclient  # noqa: E402
from step import step  # noqa: E402

URL = urlsplit(os.environ['WIKITAPE_API_URL'])
PAGE = 'Плохой день mwclient'
found = []


def wiki():
    if not found:
        found.append(mwclient.Site(URL.netloc, path=URL.path.rsplit('/', 1)[0] + '/', scheme=URL.scheme))
    return found[0]


step('read', lambda: wiki().pages['Ёлка'].text())
step('walk', lambda: [page.name for page in wiki().allpages(prefix='Абрикос/', limit=10)])
step('log in', lambda: wiki().login(os.environ['CLIENT_USER'], os.environ['CLIENT_PASSWORD']))
step('edit', lambda: wiki().pages[PAGE].edit('Слово.', 'Так')['result'])
step('read back', lambda: wiki().pages[PAGE].text())
if sys.argv[1:] == ['record']:
    # What it asks after a token was refused.
    wiki().tokens = {'csrf': 'stale+\\'}
    step('stale token', lambda: wiki().pages[PAGE].edit('Другое слово.', 'Так')['result'])
