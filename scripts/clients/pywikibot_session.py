"""A session of the real Pywikibot, unpatched, from its source tree (PYWIKIBOT_SOURCE): 132 steps, each printed as a line of
JSON. scripts/pywikibot-proof.ts runs it. Reads without a login, a login, reads, edits of both kinds (waited for, and
`asynchronous=True` beside reads), moves, uploads, a logout, and a login again by the cookies that Pywikibot has kept.

CLIENT_ORDER: `in order`, `reversed` (steps of a group that only reads), or `doubled` (each of them twice)."""
import os
import sys
import tempfile

API = os.environ['WIKITAPE_API_URL']
USER, PASSWORD = os.environ['CLIENT_USER'], os.environ['CLIENT_PASSWORD']
ORDER = os.environ.get('CLIENT_ORDER', 'in order')
HOME = tempfile.mkdtemp(prefix='pywikibot-')
os.environ.update(PYWIKIBOT_NO_USER_CONFIG='2', PYWIKIBOT_DIR=HOME)
sys.path[:0] = [os.environ['PYWIKIBOT_SOURCE'], os.path.join(os.path.dirname(__file__), '../../test/clients/sessions')]

from pywikibot import config  # noqa: E402

config.base_dir = HOME
config.family_files['lab'] = API
config.usernames['lab']['lab'] = USER
config.password_file = os.path.join(HOME, 'passwords.py')
config.put_throttle = config.minthrottle = config.maxthrottle = 0
config.max_retries = 2
config.retry_wait = 1
with open(config.password_file, 'w', encoding='utf-8') as file:
    file.write(repr((USER, PASSWORD)))
os.chmod(config.password_file, 0o600)

import pywikibot  # noqa: E402
from step import step  # noqa: E402

site = pywikibot.Site('lab', 'lab')
PAGES = {'Абрикос', 'Волга', 'Берёза', 'Ёжик', 'Лев', 'AT&T', 'C++', 'Такой страницы нет', 'Hub 00', '東京', 'Узел', 'Вода'}
MINE = 'Испытание бота'
SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="%d" height="9"/></svg>'


def page(title):
    return pywikibot.Page(site, title)


def category(title):
    return pywikibot.Category(site, title)


def upload(name, width, **more):
    path = os.path.join(HOME, 'file.svg')
    with open(path, 'w', encoding='utf-8') as file:
        file.write(SVG % width + ' ' * 3000)
    return pywikibot.FilePage(site, name).upload(path, comment='Файл', text='Описание', ignore_warnings=True, **more)


def titles(found):
    return [one.title() for one in found]


def sorted_titles(found):
    return sorted(titles(found))


def first(found, count=5):
    return [one for one, _ in zip(found, range(count))]


def saved(title, text, **more):
    one = page(title)
    one.text = text
    one.save(summary='Так', quiet=True, **more)
    return page(title).text


def told(title, results):
    return lambda _, error: results.append([title, error and f'{type(error).__name__}: {error}'])


def text_of(title):
    return page(title).text


def preloaded(names, size=5):
    return sorted([one.title(), one.text[:100]] for one in site.preloadpages([page(name) for name in names], groupsize=size))


def watched():
    return sorted_titles(site.watched_pages())


def who():
    del site.userinfo
    return [site.userinfo['name'], site.userinfo['id'], site.logged_in()]


def revisions(title, **more):
    return [[one.user, one.comment, one.size] for one in page(title).revisions(**more)]


def logged_out():
    site.logout()
    return who()


def logged_in():
    site.login()
    return [site.user(), site.logged_in(), site.has_group('sysop')]


def save_beside_reads(names, beside):
    """Asks for pages while others are being saved in a thread of Pywikibot's own; waits for all in the end."""
    results, read = [], []
    for name in names:
        one = page(name)
        one.text = f'Текст {name}'
        one.save(summary='Так', quiet=True, asynchronous=True, callback=told(name, results))
        read.append([beside, text_of(beside)[:40]])
    while len(results) < len(names):
        pywikibot.sleep(0.01)
    return [sorted(results), read]


ANONYMOUS = [
    ('who am I', who),
    ('version', lambda: str(site.mw_version)),
    ('site name', lambda: site.siteinfo['sitename']),
    ('language', lambda: site.siteinfo['lang']),
    ('statistics', lambda: sorted(site.siteinfo['statistics'])),
    ('magic words', lambda: sorted(site.getmagicwords('redirect'))),
    ('namespaces', lambda: [one.canonical_name for one in site.namespaces.values()][:12]),
    ('extensions', lambda: site.has_extension('Gadgets')),
    ('a message', lambda: site.mediawiki_message('mainpage')),
    ('messages', lambda: list(site.mediawiki_messages(['sunday', 'monday', 'january']))),
    ('a page', lambda: text_of('Абрикос')),
    ('a page that is not there', lambda: page('Такой страницы нет').exists()),
    ('page ids', lambda: sorted([one.title(), one.pageid] for one in site.preloadpages([page('Абрикос'), page('Волга')]))),
    ('is it a redirect', lambda: [page(one).isRedirectPage() for one in ('Hub 00', 'Hub 02', 'Узел')]),
    ('where it leads', lambda: page('Hub 00').getRedirectTarget().title()),
    ('pages of a set', lambda: preloaded(PAGES)),
    ('pages of a set in threes', lambda: preloaded(PAGES, 3)),
    ('history', lambda: revisions('Абрикос')),
    ('the oldest revision', lambda: page('Волга').oldest_revision.user),
    ('contributors', lambda: sorted(page('Абрикос').contributors().items())),
    ('how many revisions', lambda: page('Абрикос').revision_count()),
    ('an old revision', lambda: page('Абрикос').getOldVersion(page('Абрикос').oldest_revision.revid)[:60]),
    ('categories of a page', lambda: sorted_titles(page('Абрикос').categories())),
    ('templates of a page', lambda: sorted_titles(page('Абрикос').itertemplates())),
    ('links of a page', lambda: sorted_titles(page('Hub 00').linkedPages())),
    ('links to a page', lambda: sorted_titles(page('Узел').backlinks())),
    ('what includes a template', lambda: sorted_titles(page('Шаблон:Box B').embeddedin())),
    ('images of a page', lambda: sorted_titles(page('Абрикос').imagelinks())),
    ('external links', lambda: sorted(page('Абрикос').extlinks())),
    ('language links', lambda: sorted(str(one) for one in page('Абрикос').iterlanglinks())),
    ('properties', lambda: sorted(page('Абрикос').properties())),
    ('protection', lambda: sorted(page('Берёза').protection())),
    ('all pages of a prefix', lambda: titles(site.allpages(prefix='Абрикос/'))),
    ('the first pages', lambda: titles(site.allpages(total=15))),
    ('redirects', lambda: titles(site.allpages(filterredir=True, total=10))),
    ('all categories', lambda: titles(site.allcategories(total=12))),
    ('members of a category', lambda: titles(category('Природа 0').members())),
    ('articles of a category', lambda: titles(category('Природа 1').articles(total=7))),
    ('subcategories', lambda: titles(category('Всё').subcategories())),
    ('how large a category is', lambda: sorted(category('Природа 0').categoryinfo.items())),
    ('all images', lambda: titles(site.allimages(total=12))),
    ('a file', lambda: pywikibot.FilePage(site, 'Map 00.png').latest_file_info.sha1),
    ('history of a file', lambda: len(pywikibot.FilePage(site, 'Map 00.png').get_file_history())),
    ('who uses a file', lambda: sorted_titles(pywikibot.FilePage(site, 'Map 00.png').using_pages())),
    ('all users', lambda: [one['name'] for one in site.allusers(total=8)]),
    ('some users', lambda: sorted(one['name'] for one in site.users(['Admin', 'Bob', 'Алиса']))),
    ('recent changes', lambda: [one['title'] for one in site.recentchanges(total=5)]),
    ('log events', lambda: [one.type() for one in site.logevents(total=6)]),
    ('search', lambda: sorted_titles(site.search('Волга', total=5))),
    ('prefix search', lambda: titles(site.allpages(prefix='Река', total=6))),
    ('contributions of somebody', lambda: titles(one[0] for one in pywikibot.User(site, 'Bob').contributions(total=5))),
    ('long pages', lambda: [one[1] for one in site.longpages(total=4)]),
    ('lonely pages', lambda: titles(site.lonelypages(total=4))),
    ('uncategorized pages', lambda: titles(site.uncategorizedpages(total=4))),
    ('wanted pages', lambda: titles(site.wantedpages(total=4))),
    ('parsed', lambda: 'mw-parser-output' in page('Волга').get_parsed_page()),
    ('expanded', lambda: site.expand_text('{{ns:6}} {{SITENAME}}')),
    ('compared', lambda: len(site.compare(page('Абрикос').oldest_revision.revid, page('Абрикос').latest_revision_id)) > 0),
]

READS = [
    ('logged in: who am I', who),
    ('logged in: rights', lambda: [site.has_right('delete'), site.has_right('patrol')]),
    ('logged in: groups', lambda: sorted(site.userinfo['groups'])),
    ('logged in: a page', lambda: text_of('Абрикос')),
    ('logged in: pages of a set', lambda: preloaded(PAGES)),
    ('logged in: may I edit', lambda: page('Берёза').has_permission('edit')),
    ('logged in: the watchlist', watched),
    ('logged in: tokens', lambda: len(site.tokens['csrf']) > 30),
    ('logged in: all pages of a prefix', lambda: titles(site.allpages(prefix='Абрикос/'))),
    ('logged in: members of a category', lambda: titles(category('Природа 0').members())),
    ('logged in: history', lambda: revisions('Абрикос', total=3)),
    ('logged in: unwatched pages', lambda: titles(one for one in site.unwatchedpages(total=5))),
    ('logged in: deleted revisions', lambda: [one['title'] for one in site.alldeletedrevisions(total=3)]),
    ('logged in: blocks', lambda: len(list(site.blocks(total=3)))),
    ('logged in: my options', lambda: 'options' in site.simple_request(action='query', meta='userinfo', uiprop='options').submit()['query']['userinfo']),
    ('logged in: parameters of modules', lambda: sorted(site._paraminfo.fetch({'edit', 'move', 'query+info', 'query+revisions'}) or ['ok'])),
]

batch = [f'{MINE}/{at}' for at in range(6)]

WRITES = [
    ('no such page yet', lambda: page(MINE).exists()),
    ('create', lambda: saved(MINE, 'Первое слово.')),
    ('read back', lambda: text_of(MINE)),
    ('edit', lambda: saved(MINE, 'Второе & +.')),
    ('read back again', lambda: text_of(MINE)),
    ('append', lambda: saved(MINE, text_of(MINE) + '\n\n[[Категория:Природа 0]]')),
    ('its categories', lambda: titles(page(MINE).categories())),
    ('the category now', lambda: MINE in titles(category('Природа 0').members())),
    ('a minor edit', lambda: saved(MINE, text_of(MINE) + ' Мало.', minor=True)),
    ('no change', lambda: saved(MINE, text_of(MINE))),
    ('its history', lambda: revisions(MINE)),
    ('another category', lambda: page(MINE).change_category(category('Природа 0'), category('Природа 1'), summary='Иначе')),
    ('its categories again', lambda: titles(page(MINE).categories())),
    ('asynchronous saves beside reads', lambda: save_beside_reads(batch, 'Волга')),
    ('what they saved', lambda: preloaded(batch)),
    ('what they saved, in twos', lambda: preloaded(batch, 2)),
    ('a list after them', lambda: titles(site.allpages(prefix=MINE))),
    ('more of them, beside a page just written', lambda: save_beside_reads([f'{one} снова' for one in batch[:3]], MINE)),
    ('what those saved', lambda: preloaded(f'{one} снова' for one in batch[:3])),
    ('asynchronous edits of old pages', lambda: save_beside_reads(['Жук', 'Утро'], 'Вода')),
    ('the old pages', lambda: [text_of('Жук'), text_of('Утро')]),
    ('watch', lambda: page(MINE).watch()),
    ('watch many', lambda: site.watch([page(one) for one in batch])),
    ('the watchlist now', watched),
    ('unwatch', lambda: page(MINE).watch(unwatch=True)),
    ('the watchlist after that', watched),
    ('move', lambda: page(MINE).move(f'{MINE} (2)', reason='Так лучше').title()),
    ('where it went', lambda: [page(MINE).getRedirectTarget().title(), text_of(f'{MINE} (2)')]),
    ('purge', lambda: page(f'{MINE} (2)').purge()),
    ('touch', lambda: page(f'{MINE} (2)').touch(quiet=True)),
    ('protect', lambda: page(f'{MINE} (2)').protect(reason='Так', protections={'edit': 'sysop', 'move': 'sysop'})),
    ('its protection', lambda: sorted(page(f'{MINE} (2)').protection().items())),
    ('upload', lambda: upload('Испытание бота.svg', 1)),
    ('what was uploaded', lambda: pywikibot.FilePage(site, 'Испытание бота.svg').latest_file_info.sha1),
    ('upload in chunks', lambda: upload('Испытание частями.svg', 2, chunk_size=1500)),
    ('what was uploaded in chunks', lambda: pywikibot.FilePage(site, 'Испытание частями.svg').latest_file_info.sha1),
    ('rollback of nothing', lambda: refused(lambda: site.rollbackpage(page(MINE)))),
    ('delete', lambda: page(f'{MINE}/5').delete(reason='Хватит', prompt=False)),
    ('deleted', lambda: page(f'{MINE}/5').exists()),
    ('undelete', lambda: page(f'{MINE}/5').undelete(reason='Всё же')),
    ('undeleted', lambda: text_of(f'{MINE}/5')),
    ('my contributions', lambda: titles(one[0] for one in pywikibot.User(site, USER).contributions(total=6))),
    ('recent changes now', lambda: [one['title'] for one in site.recentchanges(total=4)]),
]

AGAIN = [
    ('logout', logged_out),
    ('logged out: a page', lambda: text_of('Абрикос')),
    ('login again, by the cookies kept', logged_in),
    ('again: who am I', who),
    ('again: the watchlist', watched),
    ('again: a page just written', lambda: text_of(f'{MINE} (2)')),
    ('again: edit', lambda: saved(f'{MINE}/0', 'После возвращения.')),
    ('again: read back', lambda: text_of(f'{MINE}/0')),
    ('again: asynchronous saves', lambda: save_beside_reads([f'{MINE}/1', f'{MINE}/2'], f'{MINE}/0')),
    ('again: what they saved', lambda: preloaded(batch[:3])),
    ('again: move', lambda: page(f'{MINE}/3').move(f'{MINE}/3 (2)', reason='Так лучше', noredirect=True).title()),
    ('again: contributions', lambda: titles(one[0] for one in pywikibot.User(site, USER).contributions(total=4))),
    ('logout at last', logged_out),
    ('login at last', logged_in),
]


def refused(work):
    try:
        return ['done', work()]
    except pywikibot.exceptions.Error as error:
        return f'{type(error).__name__}'


def read(steps):
    for name, work in steps[::-1] if ORDER == 'reversed' else steps:
        for _ in range(2 if ORDER == 'doubled' else 1):
            step(name, work)


read(ANONYMOUS)
step('login', logged_in)
read(READS)
for name, work in WRITES + AGAIN:
    step(name, work)
