"""mwclient: one connection, `continue=` first, `meta=userinfo` on every query; a login, edits, a move, a logout."""
import os
import sys
from hashlib import sha1
from urllib.parse import urlsplit

import mwclient
from step import step

# CLIENT_WIKI is the wiki itself, for a session that reaches it through a forward proxy.
URL = urlsplit(os.environ.get('CLIENT_WIKI') or os.environ['WIKITAPE_API_URL'])
BATCH = int(os.environ.get('CLIENT_BATCH', '10'))
SHORT_BATCH = int(os.environ.get('CLIENT_SHORT_BATCH', '2'))
PAGE = 'Испытание mwclient'
LONG = "'''Длинная страница'''\n\n" + 'Волга впадает в море & течёт + дальше.\n' * 270


def names(pages):
    return [page.name for page in pages]


def read(site):
    step('site', lambda: [site.site['sitename'], site.version])
    step('a page', lambda: site.pages['Ёлка'].text())
    step('awkward names', lambda: [site.pages[name].text()[:200] for name in ('AT&T', 'C++', 'абрикос')])
    step('a missing page', lambda: [site.pages['Такой страницы нет'].exists, site.pages['Такой страницы нет'].text()])
    step('all pages of a prefix, walked', lambda: names(site.allpages(prefix='Абрикос/', limit=BATCH)))
    step('members of a category', lambda: names(site.categories['Природа 0']))
    step('links to a page', lambda: names(site.pages['Абрикос'].backlinks(limit=BATCH)))
    step('links of a page', lambda: names(site.pages['AT&T'].links()))
    step('categories of a page', lambda: names(site.pages['Ёлка'].categories()))
    step('a redirect', lambda: site.pages['Hub 00'].resolve_redirect().name)
    step('history, walked', lambda: [[one['revid'], one['user']] for one in site.pages['Абрикос'].revisions(limit=SHORT_BATCH)])
    step('users', lambda: list(site.users(['Bob', 'Алиса', 'Такого нет'])))
    step('contributions, walked', lambda: [one['title'] for one in site.usercontributions('Bob', limit=BATCH)])
    step('search', lambda: [one['title'] for one in site.search('река', limit=BATCH)])
    step('an image', lambda: [site.images['Map 00.png'].imageinfo['sha1'], names(site.images['Map 00.png'].imageusage())])
    step('log', lambda: [one['title'] for one in site.logevents(type='move', limit=BATCH)])
    step('parsed', lambda: site.parse("'''Ёлка''' [[Лес]]")['text']['*'])
    step('an unknown module', lambda: site.api('nosuch'))


def files(site):
    """The image is fetched by an absolute URL out of an answer."""
    step('a page', lambda: site.pages['Ёлка'].text())
    step('all pages of a prefix, walked', lambda: names(site.allpages(prefix='Абрикос/', limit=BATCH)))
    step('an image, downloaded', lambda: sha1(site.images['Map 00.png'].download()).hexdigest())


def short(edit):
    return {name: edit.get(name) for name in ('result', 'title', 'oldrevid', 'newrevid')}


def write(site):
    page = site.pages[PAGE]
    step('login', lambda: site.login(os.environ['CLIENT_USER'], os.environ['CLIENT_PASSWORD']))
    step('who am I', lambda: site.api('query', meta='userinfo')['query']['userinfo']['name'])
    step('no such page yet', lambda: page.exists)
    step('create', lambda: short(site.pages[PAGE].edit('Первое слово.', 'Создано')))
    step('read back', lambda: site.pages[PAGE].text())
    step('edit', lambda: short(site.pages[PAGE].edit('Второе & +.', 'Ещё')))
    step('append', lambda: short(site.pages[PAGE].append('\n\nКонец.', 'И ещё')))
    step('read back again', lambda: [site.pages[PAGE].text(), site.pages[PAGE].text()])
    step('a long text', lambda: short(site.pages[PAGE].edit(LONG, 'Длинно')))
    step('read the long text', lambda: site.pages[PAGE].text() == LONG.rstrip())
    step('history, walked', lambda: [[one['revid'], one['comment']] for one in site.pages[PAGE].revisions(limit=SHORT_BATCH)])
    step('move', lambda: site.pages[PAGE].move(PAGE + ' (2)', 'Так лучше', no_redirect=False))
    step('where it went', lambda: site.pages[PAGE].resolve_redirect().name)
    step('purge', lambda: site.pages[PAGE + ' (2)'].purge())
    step('contributions', lambda: [one['title'] for one, _ in zip(site.usercontributions(os.environ['CLIENT_USER'], limit=BATCH), range(5))])


SITE = mwclient.Site(URL.netloc, path=URL.path.rsplit('/', 1)[0] + '/', scheme=URL.scheme)
{'read': read, 'write': write, 'proxied': files, 'rewritten': files}[sys.argv[1]](SITE)
