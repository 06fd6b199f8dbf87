"""`named.py LIBRARY`: as named.mjs, with libraries of Python. CLIENTS_PYTHON has the source trees of those that Debian does not have."""
import json
import os
import sys
import tempfile

sys.path[:0] = [part for part in os.environ.get("CLIENTS_PYTHON", "").split(":") if part]
AGENT = "session/1 (you@example.org)"


def step(name, work):
    try:
        told = work()
    except Exception as error:
        told = "failed: %s: %s" % (type(error).__name__, error)
    print("%s: %s" % (name, json.dumps(told, ensure_ascii=False, default=str)[:2000]), flush=True)


def mwclient():
    import mwclient

    for host in ("en.wikipedia.org", "commons.wikimedia.org", "www.wikidata.org"):
        site = mwclient.Site(host, clients_useragent=AGENT)
        step("site " + host, lambda: (site.site["sitename"], site.version))
        step("pages", lambda: [one.name for one, _ in zip(site.allpages(), range(12))])
        step("text", lambda: site.pages["Alpha"].text())
        step("search", lambda: [one["title"] for one, _ in zip(site.search("Alpha"), range(3))])


def wikipedia():
    import wikipedia

    step("search", lambda: wikipedia.search("Alpha", results=3))
    step("page", lambda: wikipedia.page("Alpha", auto_suggest=False).content)
    step("links", lambda: wikipedia.page("AT&T", auto_suggest=False).links)
    wikipedia.set_lang("en")
    step("summary", lambda: wikipedia.summary("C++", auto_suggest=False))


def pywikibot():
    os.environ.update(PYWIKIBOT_NO_USER_CONFIG="2", PYWIKIBOT_DIR=tempfile.mkdtemp())
    from pywikibot import config

    config.put_throttle = config.minthrottle = config.maxthrottle = config.max_retries = 0
    import pywikibot

    for family, code in (("wikipedia", "en"), ("commons", "commons"), ("wikidata", "wikidata")):
        site = pywikibot.Site(code, family)
        step("site %s" % site.hostname(), lambda: (site.mw_version.version, site.siteinfo["sitename"]))
        step("text", lambda: pywikibot.Page(site, "Alpha").text)
        step("pages", lambda: [one.title() for one in site.allpages(total=12)])
        step("preloaded", lambda: [one.text for one in site.preloadpages([pywikibot.Page(site, name) for name in ("Alpha", "C++")])])
        step("search", lambda: [one.title() for one in site.search("Alpha", total=3)])
        step("categories", lambda: [one.title() for one in pywikibot.Page(site, "Alpha").categories()])
    step("file", lambda: pywikibot.FilePage(pywikibot.Site("commons", "commons"), "File:Example.png").exists())


globals()[sys.argv[1]]()
