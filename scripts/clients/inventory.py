"""mwclient, as a tool that goes through all pages; and requests as careless scripts send them: passwords, tokens and writes by
GET, cache busters, an unknown format, a mistyped module. `inventory.py ROUNDS`"""
import os
import sys
from urllib.parse import urlsplit

import mwclient
import requests

API = os.environ['WIKITAPE_API_URL']
URL = urlsplit(API)
AGENT = 'InventoryTool/3.1 (https://tools.example.org/inventory; inventory@example.org)'
site = mwclient.Site(URL.netloc, path=URL.path.rsplit('/', 1)[0] + '/', scheme=URL.scheme, clients_useragent=AGENT)
script = requests.Session()
script.headers['User-Agent'] = 'inventory-script/2.3'


def ask(**params):
    script.get(API, params={'action': 'query', 'format': 'json', **params})


for turn in range(int(sys.argv[1])):
    for page in site.allpages(limit='max', generator=False):
        found = site.pages[page]
        if found.exists:
            found.text()
            [one.name for one in found.categories()]
        ask(action='parse', page=page, prop='text|links|sections')
        ask(list='backlinks', bltitle=page, bllimit='max', formatversion='2')
        if turn == 0:
            ask(titles=page, prop='info', _=str(len(page)))
    for number in range(40):
        ask(meta='userinfo', uiprop='rights|options', requestid=str(number))
        ask(action='purge', titles=f'P{number}')
        ask(action='login', lgname='Bob', lgpassword='Hunter2-in-a-log')
        ask(action='edit', title='A', text='b', token='0123456789abcdef0123456789abcdef01234567+\\')
        ask(action='nosuch')
        ask(meta='siteinfo', format='json2')
