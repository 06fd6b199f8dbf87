"""What Pywikibot 11.8 does on the wire, with Python's library alone: everything posted, sets in the order of the hash
seed, whatever modules are not known yet described together, uploads with bare LF, saves in a thread of their own
beside reads, cookies in a file that the next run begins with, and that log in again after a logout."""
import json
import os
import queue
import sys
import threading
from email.mime.multipart import MIMEMultipart
from email.mime.nonmultipart import MIMENonMultipart
from http.cookiejar import LWPCookieJar
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, Request, build_opener

from step import step

API = os.environ['WIKITAPE_API_URL']
BATCH = int(os.environ.get('CLIENT_BATCH', '10'))
SHORT_BATCH = int(os.environ.get('CLIENT_SHORT_BATCH', '2'))
COOKIES = os.environ.get('CLIENT_COOKIES', 'pywikibot.lwp')
PAGE = 'Испытание Pywikibot'
PAGES = {'Абрикос', 'Волга', 'Берёза', 'Ёжик', 'Лев', 'AT&T', 'C++', 'Такой страницы нет', 'И такой нет', 'Hub 00'}
MODULES = {'edit', 'parse', 'upload', 'purge', 'query+info', 'query+revisions', 'query+allpages', 'query+siteinfo', 'query+tokens', 'main'}
SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="%d" height="9"/></svg>'


class Refused(Exception):
    pass


def some(values, size):
    """In groups, as they come out of a set: which stand together, and in which order, the hash seed says."""
    values = list(values)
    return [values[at : at + size] for at in range(0, len(values), size)]


class Site:
    def __init__(self):
        self.jar = LWPCookieJar(COOKIES)
        self.opener = build_opener(HTTPCookieProcessor(self.jar))
        self.user = None
        self.queue = queue.Queue()
        self.saved = {}
        self.known = {}

    def send(self, request):
        request.add_header('User-Agent', 'like Pywikibot/11.8')
        with self.opener.open(request) as reply:
            answer = json.load(reply)
        if 'error' in answer:
            raise Refused(f"{answer['error']['code']}: {answer['error'].get('info')}")
        return answer

    def post(self, action, **params):
        asserted = {'assert': 'user'} if self.user else {}
        body = urlencode({**params, 'maxlag': '5', 'format': 'json', 'action': action, **asserted})
        return self.send(Request(API, body.encode(), {'Content-Type': 'application/x-www-form-urlencoded'}))

    def query(self, **params):
        who = {'meta': 'userinfo', 'uiprop': 'blockinfo|hasmsg'} if self.user and 'meta' not in params else {}
        return self.post('query', **{**params, **who})

    def walk(self, what, **params):
        found, more = [], {}
        while more is not None:
            answer = self.query(**params, **more)
            found += answer.get('query', {}).get(what, [])
            more = answer.get('continue')
        return found

    def multipart(self, file, **params):
        """The body as Python's email package writes it: lines end with LF."""
        whole = MIMEMultipart(_subtype='form-data')
        for name, value in {**params, 'maxlag': '5', 'format': 'json'}.items():
            whole.attach(part(name, str(value)))
        name, kind, content = file
        whole.attach(part(name, content, kind, {'filename': 'FAKE-NAME'}))
        text = whole.as_bytes()
        return self.send(Request(API, text[text.find(b'\n\n') + 2 :], {'Content-Type': whole['Content-Type'].replace('\n', '')}))

    def describe(self, modules):
        """Asks for the modules that are not known yet, some at a time."""
        for group in some({one for one in modules if one not in self.known}, 4):
            answer = self.post('paraminfo', modules='|'.join(group))['paraminfo']
            self.known.update((one['path'], one) for one in answer['modules'])
        return [told(self.known[one]) for one in sorted(modules)]

    def limit_of(self, module, prefix):
        """500, or 5000 for those who may."""
        self.describe({module})
        found = [one for one in self.known[module]['parameters'] if one['name'] == 'limit']
        return found[0]['highmax' if self.user else 'max'] if found else prefix

    def token(self, kind='csrf'):
        return self.post('query', meta='tokens', type=kind)['query']['tokens'][kind + 'token']

    def login(self, name, password):
        token = self.token('login')
        result = self.post('login', lgname=name, lgpassword=password, lgtoken=token)['login']
        self.user = result.get('lgusername')
        self.jar.save(ignore_discard=True)
        return result['result']

    def logout(self):
        self.post('logout', token=self.token())
        self.user = None

    def load_cookies(self):
        self.jar.load(ignore_discard=True)
        self.user = self.post('query', meta='userinfo')['query']['userinfo']['name']
        return self.user

    def preload(self, titles, size=5):
        """Texts and ids of pages, by title."""
        pages = {}
        for group in some(set(titles), size):
            answer = self.query(
                prop='revisions|info|categoryinfo', titles='|'.join(group), indexpageids='', rvslots='main',
                rvprop='ids|flags|timestamp|user|comment|content', inprop='protection')['query']
            pages.update((answer['pages'][number]['title'], brief(answer['pages'][number])) for number in answer['pageids'])
        return dict(sorted(pages.items()))

    def by_ids(self, ids):
        pages = {}
        for group in some({str(one) for one in ids}, 4):
            answer = self.query(prop='info', pageids='|'.join(group), indexpageids='')['query']
            pages.update((number, answer['pages'][number]['title']) for number in answer['pageids'])
        return dict(sorted(pages.items()))

    def save(self, title, text):
        token = self.token()
        edit = self.post('edit', title=title, text=text, summary='Так', token=token, bot='', recreate='')['edit']
        return [edit['result'], edit['title'], 'newrevid' in edit]

    def save_later(self):
        """The thread that saves, one page after the other."""
        while (job := self.queue.get()) is not None:
            title, text = job
            try:
                self.saved[title] = self.save(title, text)
            except Exception as error:  # told in the end
                self.saved[title] = f'{type(error).__name__}: {error}'

    def upload(self, name, content):
        answer = self.multipart(
            ('file', ('image', 'svg+xml'), content), action='upload', token=self.token(), text='Описание',
            filename=name, comment='Файл', ignorewarnings='True')
        return [answer['upload']['result'], answer['upload']['filename']]

    def upload_chunks(self, name, content, size):
        token, key, results = self.token(), {}, []
        for offset in range(0, len(content), size):
            chunk = content[offset : offset + size]
            answer = self.multipart(
                ('chunk', ('application', 'octet-stream'), chunk), action='upload', token=token, stash='True',
                filesize=len(content), offset=offset, filename=name, ignorewarnings='True', **key)['upload']
            key = {'filekey': answer['filekey']}
            results.append(answer['result'])
        last = self.post('upload', token=token, filename=name, comment='Частями', text='', ignorewarnings='1', **key)
        return [*results, last['upload']['result']]


def part(name, content, kind=None, more=None):
    if kind is None:
        kind = ('text', 'plain') if content.isascii() else ('application', 'octet-stream')
    one = MIMENonMultipart(*kind)
    one.add_header('Content-disposition', 'form-data', name=name, **(more or {}))
    if kind != ('text', 'plain'):
        one['Content-Transfer-Encoding'] = 'binary'
    one.set_payload(content if isinstance(content, bytes) or content.isascii() else content.encode())
    return one


def told(module):
    return [module['path'], [[one['name'], one.get('limit')] for one in module['parameters']]]


def without_ids(pages):
    """In which order pages were made the hash seed says, and the ids with it."""
    return {title: page[1:] for title, page in pages.items()}


def brief(page):
    revision = page.get('revisions', [{}])[0]
    text = revision.get('slots', {}).get('main', {}).get('*')
    return [page.get('pageid'), page['ns'], 'missing' in page, 'redirect' in page, text and text[:200]]


def read(site):
    step('site', lambda: site.query(meta='siteinfo', siprop='general|namespaces|namespacealiases|extensions')['query']['general']['sitename'])
    step('modules', lambda: site.describe(MODULES))
    step('pages of a set', lambda: site.preload(PAGES))
    step('pages of a part of it', lambda: site.preload(sorted(PAGES)[1:8:2], 3))
    step('a page', lambda: site.preload(['Ёлка']))
    step('by ids of a set', lambda: site.by_ids(range(3, 14)))
    step('all pages of a prefix', lambda: [one['title'] for one in site.walk('allpages', list='allpages', apprefix='Абрикос/', aplimit=BATCH)])
    step('as many as may be', lambda: len(site.walk('allpages', list='allpages', aplimit=site.limit_of('query+allpages', 500))))
    step('members of a category', lambda: [one['title'] for one in site.walk('categorymembers', list='categorymembers', cmtitle='Category:Природа 0', cmprop='ids|title|sortkey', cmlimit=BATCH)])
    step('history', lambda: [[one['revid'], one['user']] for one in site.query(prop='revisions', titles='Абрикос', rvprop='ids|user', rvlimit='500')['query']['pages'].popitem()[1]['revisions']])


def write(site):
    new = [f'{PAGE} {at}' for at in range(4)]
    step('login', lambda: site.login(os.environ['CLIENT_USER'], os.environ['CLIENT_PASSWORD']))
    step('who am I', lambda: site.query(meta='userinfo', uiprop='groups|blockinfo|hasmsg')['query']['userinfo']['name'])
    step('modules', lambda: site.describe(MODULES | {'query+logevents', 'watch'}))
    step('pages of a set', lambda: site.preload(PAGES))
    step('no such page yet', lambda: site.preload([PAGE]))
    step('create', lambda: site.save(PAGE, 'Первое слово.'))
    step('read back', lambda: site.preload([PAGE]))
    step('edit', lambda: site.save(PAGE, 'Второе & +.'))
    step('read back again', lambda: site.preload([PAGE, 'Волга']))
    save_beside(site, [(title, f'Текст {title}') for title in set(new)], lambda: step(
        'read while others are saved', lambda: [site.preload([one]) for one in [*sorted(PAGES), PAGE]]))
    step('list beside what was saved', lambda: [one['title'] for one in site.walk('allpages', list='allpages', apprefix='Абрикос/', aplimit=BATCH)])
    step('saved meanwhile', lambda: dict(sorted(site.saved.items())))
    step('read what was saved', lambda: without_ids(site.preload(new)))
    # Which of them stand together the hash seed says.
    step('read some of it at a time', lambda: without_ids(site.preload(new, 2)))
    step('read it by ids', lambda: sorted(site.by_ids([3, 4, *(page[0] for page in site.preload(new, 3).values())]).values()))
    step('an upload', lambda: site.upload('Pywikibot целиком.svg', (SVG % 1).encode()))
    step('another upload', lambda: site.upload('Pywikibot целиком 2.svg', (SVG % 2).encode()))
    step('an upload in chunks', lambda: site.upload_chunks('Pywikibot частями.svg', (SVG % 3).encode() + b' ' * 3000, 1600))
    step('what was uploaded', lambda: site.query(prop='imageinfo', iiprop='size|sha1', titles='Файл:Pywikibot частями.svg')['query']['pages'].popitem()[1]['imageinfo'][0]['sha1'])
    step('purge a set', lambda: sorted(one['title'] for one in site.post('purge', titles='|'.join(set(new)))['purge']))
    step('watch a set', lambda: sorted(one['title'] for one in site.post('watch', titles='|'.join({*new, PAGE}), token=site.token('watch'))['watch']))
    step('move', lambda: site.post('move', **{'from': PAGE, 'to': f'{PAGE} (2)', 'token': site.token(), 'reason': 'Так лучше'})['move']['to'])
    step('where it went', lambda: site.preload([PAGE, f'{PAGE} (2)']))
    step('contributions', lambda: [one['title'] for one in site.query(list='usercontribs', ucuser=site.user, uclimit=SHORT_BATCH)['query']['usercontribs']][:2])
    step('logout', site.logout)
    step('nobody', lambda: site.query(meta='userinfo')['query']['userinfo']['id'])
    step('a page as nobody', lambda: site.preload(['Волга']))
    # The cookies of before the logout: the token in them logs in again.
    step('logged in again by cookies', site.load_cookies)
    step('a token again', lambda: len(site.token()))
    step('who am I again', lambda: site.query(meta='userinfo', uiprop='groups|blockinfo|hasmsg')['query']['userinfo']['name'])
    step('what is watched', lambda: len(site.query(list='watchlistraw', wrlimit='500')['watchlistraw']))
    step('edit again', lambda: site.save(f'{PAGE} 0', 'Снова здесь.'))
    step('read it again', lambda: without_ids(site.preload([f'{PAGE} 0', 'Волга'])))
    save_beside(site, [(new[1], 'Ещё раз.'), (new[2], 'И ещё.')], lambda: step(
        'read while others are saved again', lambda: [without_ids(site.preload([one])) for one in (*sorted(PAGES), f'{PAGE} 0')]))
    step('saved meanwhile again', lambda: dict(sorted(site.saved.items())))
    step('read what was saved again', lambda: without_ids(site.preload(new[:3])))


def save_beside(site, pages, work):
    """Saves in a thread of its own, and works meanwhile."""
    saver = threading.Thread(target=site.save_later, daemon=True)
    saver.start()
    for page in pages:
        site.queue.put(page)
    work()
    site.queue.put(None)
    saver.join()


def kept(site):
    """The next run: the cookies of the last one, and no login."""
    step('logged in already', site.load_cookies)
    step('site', lambda: site.query(meta='siteinfo', siprop='general|namespaces|namespacealiases|extensions')['query']['general']['sitename'])
    step('modules', lambda: site.describe(MODULES))
    step('pages of a set', lambda: site.preload(PAGES))
    # Its cookies are one session however often it runs, so that a write would be another one each time.
    step('a token', lambda: len(site.token()))


{'read': read, 'write': write, 'kept': kept}[sys.argv[1]](Site())
