"""The real Pywikibot from its source tree (PYWIKIBOT_SOURCE) with its own settings: 15 retries, 5 to 120 seconds apart."""
import os
import sys
import tempfile

HOME = tempfile.mkdtemp(prefix='pywikibot-')
os.environ.update(PYWIKIBOT_NO_USER_CONFIG='2', PYWIKIBOT_DIR=HOME)
sys.path[:0] = [os.environ['PYWIKIBOT_SOURCE'], os.path.join(os.path.dirname(__file__), '../sessions')]

from pywikibot import config  # noqa: E402

USER = os.environ['CLIENT_USER']
config.base_dir = HOME
config.family_files['lab'] = os.path.join(HOME, 'lab_family.py')
config.usernames['lab']['lab'] = USER
config.password_file = os.path.join(HOME, 'passwords.py')
config.put_throttle = config.minthrottle = config.maxthrottle = 0
with open(config.password_file, 'w', encoding='utf-8') as file:
    file.write(repr((USER, os.environ['CLIENT_PASSWORD'])))
os.chmod(config.password_file, 0o600)

with open(os.path.join(HOME, 'lab_family.py'), 'w', encoding='utf-8') as file:
    file.write('''
import os
from urllib.parse import urlsplit
from pywikibot import family

url = urlsplit(os.environ['WIKITAPE_API_URL'])

class Family(family.Family):
    name = 'lab'
    langs = {'lab': url.netloc}
    def protocol(self, code): return 'http'
    def scriptpath(self, code): return url.path.rsplit('/', 1)[0]
    def apipath(self, code): return url.path
''')

import pywikibot  # noqa: E402
from step import step  # noqa: E402

PAGE = 'Плохой день Pywikibot'


def page(title):
    return pywikibot.Page(pywikibot.Site('lab', 'lab'), title)


def site():
    return pywikibot.Site('lab', 'lab')


def save(text):
    one = page(PAGE)
    one.text = text
    one.save(summary='Так', quiet=True)
    return one.text


def log_in():
    site().login()
    return site().logged_in()


step('read', lambda: page('Ёлка').text)
step('walk', lambda: [one.title() for one in site().allpages(prefix='Абрикос/')])
step('log in', log_in)
step('edit', lambda: save('Слово.'))
step('read back', lambda: page(PAGE).text)
if sys.argv[1:] == ['record']:
    site().tokens.update_tokens(['csrf'])
    site().tokens._tokens['csrf'] = 'stale+\\'
    step('stale token', lambda: save('Другое слово.'))
