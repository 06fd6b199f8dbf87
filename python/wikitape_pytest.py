"""wikitape for pytest: each test has its own cassette, recorded in its first run and replayed in all later ones.

Written by `wikitape init --pytest`, which also replaces it after an update of wikitape. Documentation: docs/pytest.md.

Requests to the wiki are sent to a wikitape of this machine instead, whatever sends them by `http.client`: urllib,
requests, mwclient, pywikibot. Other clients ask the address of the fixture `wikitape_api_url`.
"""
import hashlib
import http.client
import json
import os
import re
import shlex
import shutil
import socket
import subprocess
import sys
import tempfile
import urllib.parse
from pathlib import Path

import pytest

__all__ = [
    "pytest_addoption",
    "pytest_configure",
    "pytest_runtest_call",
    "pytest_runtest_setup",
    "pytest_runtest_teardown",
    "pytest_sessionfinish",
    "pytest_unconfigure",
    "wikitape_api_url",
    "wikitape_variable",
]

ENTRY_POINT = re.compile(r"/(?:api|rest|index|load)\.php5?(?:[/?#]|$)", re.IGNORECASE)
MODES = ("none", "once", "new_episodes", "all", "update", "passthrough")


class CassetteProblem(Exception):
    """A request that the cassette does not answer, or a wikitape that does not run."""


def in_ci():
    """True where CI has any value but those that say no."""
    return os.environ.get("CI", "").strip().lower() not in ("", "0", "false", "no")


def pytest_addoption(parser):
    parser.addini("wikitape_api_url", "address of the wiki's api.php", default="")
    parser.addini("wikitape_root", "folder of the cassettes", default="cassettes")
    parser.addini("wikitape_allow_other_wikis", "hosts of wikis that CI=true may ask", type="linelist", default=[])


def pytest_configure(config):
    config.addinivalue_line(
        "markers",
        "cassette(name=None, scope='test', api_url=None): the cassette of a test, or of all with this name;"
        " scope='module': one for the module",
    )
    config._wikitape = Tape(config)
    Tape.running = config._wikitape
    patch_http_client()


def pytest_unconfigure(config):
    tape = getattr(config, "_wikitape", None)
    if tape is not None:
        tape.stop_all(False)
        Tape.running = None


@pytest.hookimpl(hookwrapper=True, tryfirst=True)
def pytest_runtest_setup(item):
    tape = item.config._wikitape
    tape.begin(item)
    outcome = yield
    tape.check(outcome, item)


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_call(item):
    outcome = yield
    item.config._wikitape.check(outcome, item)


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_teardown(item):
    outcome = yield
    tape = item.config._wikitape
    tape.check(outcome, item)
    try:
        tape.end()
    except CassetteProblem as problem:
        force_failure(outcome, problem, item)


@pytest.hookimpl(hookwrapper=True)
def pytest_fixture_setup(fixturedef, request):
    """What a fixture for several tests asks is in a cassette of its own, so that any of these tests may be the first."""
    tape = request.config._wikitape
    test = tape.test
    if fixturedef.scope == "function" or test is None or test.is_shared:
        yield
        return
    own = tape.of_fixture(fixturedef, request)

    before_end = []

    def leave():
        if before_end:
            tape.test = before_end.pop()

    def enter():
        before_end.append(tape.test)
        tape.test = own

    # The last one added runs first: the fixture's own end is between these.
    fixturedef.addfinalizer(leave)
    tape.test = own
    outcome = yield
    try:
        tape.check(outcome, request.node)
    finally:
        tape.test = test
    fixturedef.addfinalizer(enter)


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session):
    try:
        session.config._wikitape.stop_all(True)
    except CassetteProblem as problem:
        print("\n%s" % problem)
        session.exitstatus = 1


@pytest.fixture
def wikitape_api_url(request):
    """The address at which this test's cassette answers, for clients that need one."""
    return request.config._wikitape.test.url()


@pytest.fixture
def wikitape_variable(request):
    """A function of a name and a function: its value is kept when the test is recorded, and given back on replay."""
    return request.config._wikitape.test.variable


def error_of(outcome, item):
    """Type, value and traceback of the test's own error. unittest keeps it in a list, which pytest reports in place of others."""
    if outcome.excinfo is None and getattr(item, "_excinfo", None):
        error = item._excinfo[0]
        return (error.type, error.value, error.tb)
    return outcome.excinfo


def force_failure(outcome, problem, item):
    """Fails the phase by the problem, at the place of the test's own error where it has one."""
    own = error_of(outcome, item)
    if outcome.excinfo is None and own is not None:
        item._excinfo.pop(0)
    if own is None:
        problem = pytest.fail.Exception(str(problem), pytrace=False)
    elif isinstance(own[1], Exception):
        text = "%s\n  the test's own error: %s: %s" % (problem, own[0].__name__, own[1])
        problem = CassetteProblem(text).with_traceback(own[2])
        problem.__suppress_context__ = True
    else:
        return
    # `force_exception` came with pluggy 1.1.
    if hasattr(outcome, "force_exception"):
        outcome.force_exception(problem)
    else:
        outcome._excinfo = (type(problem), problem, problem.__traceback__)


class Server:
    """A wikitape that runs: it replays all cassettes of the root, or records one."""

    def __init__(self, args, reads_exit_code):
        self.reads_exit_code = reads_exit_code
        self.failed = False
        self.missed = 0
        self.told = 0
        self.log = tempfile.TemporaryFile()
        try:
            self.process = subprocess.Popen(
                args, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.log, universal_newlines=True
            )
        except OSError as error:
            raise CassetteProblem("wikitape: cannot run %s: %s" % (args[0], error)) from error
        found = re.search(r"https?://\S+", self.process.stdout.readline())
        if found is None:
            self.process.wait()
            raise CassetteProblem("wikitape did not start: %s\n%s" % (self.log_text(), " ".join(args)))
        self.api = urllib.parse.urlsplit(found.group())
        self.address = (self.api.hostname, self.api.port)

    def ask(self, page):
        connection = http.client.HTTPConnection(*self.address, timeout=60)
        try:
            connection.request("GET", "/__wikitape/" + page)
            return json.loads(connection.getresponse().read())
        finally:
            connection.close()

    def stop(self):
        if self.reads_exit_code:
            self.process.communicate("1\n" if self.failed else "0\n", timeout=60)
        else:
            self.process.terminate()
            self.process.communicate(timeout=60)
        if self.reads_exit_code and not self.failed and self.process.returncode != 0:
            raise CassetteProblem("wikitape: the recordings could not be kept:\n" + self.log_text())
        if self.reads_exit_code and not self.failed:
            write_variables(self.folder, self.variables)

    def new_lines(self):
        """What it has told since the last call, but for its first line. Not by seek, which would move where it writes."""
        text = os.pread(self.log.fileno(), 1 << 20, self.told) if hasattr(os, "pread") else b""
        self.told += len(text)
        lines = text.decode("utf-8", "replace").splitlines()
        return [line.replace("wikitape: ", "", 1) for line in lines if not line.startswith("wikitape: recording ")]

    def log_text(self):
        self.log.seek(0)
        return self.log.read().decode("utf-8", "replace").strip()


class Test:
    """The cassette of the test that runs; its wikitape starts at the first request."""

    def __init__(self, tape, name, is_shared, api_url):
        self.tape, self.name, self.is_shared = tape, name, is_shared
        self.api_url = api_url
        self.server = None
        self.fixture = None
        # A client may ignore it; the test must not.
        self.problem = None

    @property
    def folder(self):
        return self.tape.root / self.name

    def start(self):
        __tracebackhide__ = True
        if self.server is None:
            try:
                self.server = self.tape.server_for(self)
            except CassetteProblem as problem:
                self.problem = problem
                raise
            note_opened(self.folder)
        return self.server

    def variable(self, name, make):
        __tracebackhide__ = True
        server = self.start()
        is_recording = server is self.tape.recorders.get(self.name)
        kept = server.variables if is_recording else read_variables(self.folder)
        if name not in kept and not is_recording:
            raise CassetteProblem(
                "wikitape: the cassette %s has no variable %r; record this test again with WIKITAPE_MODE=update"
                % (self.folder, name)
            )
        if name not in kept:
            kept[name] = make()
        return kept[name]

    def url(self):
        api = self.start().api
        return "%s://%s/~%s%s" % (api.scheme, api.netloc, self.name, api.path)


class Tape:
    """All that runs in one session of pytest."""

    running = None

    def __init__(self, config):
        self.root_dir = Path(str(config.rootdir))
        self.root = self.root_dir / config.getini("wikitape_root")
        self.api_url = config.getini("wikitape_api_url") or project_setting(self.root_dir, "apiUrl")
        self.other_wikis = config.getini("wikitape_allow_other_wikis")
        self.given_url = os.environ.get("WIKITAPE_API_URL")
        self.test = None
        self.player = None
        self.recorders = {}

    def begin(self, item):
        mark = item.get_closest_marker("cassette")
        kwargs = mark.kwargs if mark else {}
        scope = kwargs.get("scope", "test")
        unknown = set(kwargs) - {"name", "scope", "api_url"}
        if unknown or scope not in ("test", "module"):
            raise pytest.UsageError(
                "the mark cassette has %s; expected name, scope='test' or 'module', api_url"
                % (", ".join(sorted(unknown)) or "scope=%r" % scope)
            )
        named = kwargs.get("name", mark.args[0] if mark and mark.args else None)
        node = item.nodeid.split("::")[0] if scope == "module" else item.nodeid
        name = cassette_name(named or node)
        is_shared = named is not None or scope == "module"
        self.test = Test(self, name, is_shared, kwargs.get("api_url") or self.api_url)

    def of_fixture(self, fixturedef, request):
        parts = [request.node.nodeid.strip(".") or "session", "fixtures", fixturedef.argname]
        if getattr(request, "param_index", 0):
            parts.append(str(request.param_index))
        test = Test(self, cassette_name("::".join(parts)), True, self.api_url)
        test.fixture = fixturedef.argname
        return test

    def server_for(self, test):
        __tracebackhide__ = True
        if self.given_url:
            return self.replaying(GivenServer, self.given_url)
        mode = os.environ.get("WIKITAPE_MODE") or os.environ.get("VCR_MODE") or "once"
        if mode not in MODES:
            raise CassetteProblem("WIKITAPE_MODE is %r; expected one of %s" % (mode, ", ".join(MODES)))
        if test.name in self.recorders:
            return self.recorders[test.name]
        is_there = (test.folder / "cassette.json").exists()
        if mode == "none" or (mode == "once" and (is_there or in_ci())):
            if not is_there:
                raise CassetteProblem(
                    "wikitape: there is no cassette at %s; to record it, run this test where CI is not true,"
                    " without WIKITAPE_MODE=none, and commit the folder" % test.folder
                )
            command = [*wikitape_command(self.root_dir), "replay", "--cassette", str(test.folder), "--port", "0"]
            return self.replaying(Server, command, False)
        if in_ci():
            raise CassetteProblem(
                "wikitape: CI=true records nothing: run this test without WIKITAPE_MODE=%s, or where CI is not true" % mode
            )
        if not test.api_url:
            raise CassetteProblem(
                "wikitape: which wiki? set wikitape_api_url in the pytest section of pytest.ini or pyproject.toml,"
                " or apiUrl in wikitape.config.json"
            )
        # Cassettes beside this folder share the descriptions of the wiki's modules in it.
        (test.folder.parent / "paraminfo").mkdir(parents=True, exist_ok=True)
        # The exit code of the program that this runs says whether the test has passed: only then recordings are kept.
        wait = "console.log(process.env.WIKITAPE_API_URL);process.stdin.once('data',(code)=>process.exit(Number(code)))"
        command = [*wikitape_command(self.root_dir), "exec", "--record", test.api_url]
        command += ["--cassette", str(test.folder), "--mode", mode]
        command += ["--discard-on-failure", "--allow-none", "--", "node", "-e", wait]
        recorder = self.recorders[test.name] = Server(command, True)
        recorder.folder = test.folder
        recorder.variables = {} if mode in ("all", "update") else read_variables(test.folder)
        return recorder

    def replaying(self, start, *args):
        if self.player is None:
            self.player = start(*args)
        return self.player

    def addresses(self):
        servers = [*self.recorders.values(), self.player]
        return [server.address for server in servers if server is not None]

    def check(self, outcome, item):
        """Fails a test whose requests were missed, with the text of the misses."""
        test = self.test
        if test is None:
            return
        error = error_of(outcome, item)
        failed = error is not None and not issubclass(error[0], pytest.skip.Exception)
        problem, test.problem = test.problem, None
        # Clients repeat a failed request, and raise an error of their own in the end.
        if problem is not None and not (failed and error[1] is problem):
            force_failure(outcome, problem, item)
        if test.server is None:
            return
        test.server.failed = test.server.failed or failed
        lines = test.server.new_lines() if failed and test.server.reads_exit_code else []
        if lines:
            text = "wikitape: %s could not be recorded:\n  %s" % (test.folder, "\n  ".join(lines))
            force_failure(outcome, CassetteProblem(text), item)
            return
        missed = test.server.ask("summary")["missed"]
        count, test.server.missed = missed - test.server.missed, missed
        if count == 0:
            return
        test.server.failed = True
        misses = test.server.ask("misses")[-count:]
        what = "%s (fixture %s)" % (test.folder, test.fixture) if test.fixture else test.folder
        lines = ["wikitape: %s: %d request%s missed:" % (what, count, "" if count == 1 else "s")]
        lines += ["  %s: %s" % (miss["request"], miss["what"]) for miss in misses[-5:]]
        if any(miss["reason"] == "value-changes" for miss in misses):
            lines.append("  for a value that changes with each run, use the fixture wikitape_variable (docs/stable-tests.md)")
            force_failure(outcome, CassetteProblem("\n".join(lines)), item)
            return
        if in_ci():
            lines.append("  CI=true records nothing; where it is not set:")
        lines.append("  to record what is missing, run this test with WIKITAPE_MODE=new_episodes; to record it all")
        lines.append("  again and delete what is no longer requested, with WIKITAPE_MODE=update")
        force_failure(outcome, CassetteProblem("\n".join(lines)), item)

    def end(self):
        test, self.test = self.test, None
        if test is not None and test.server is not None and not test.is_shared:
            recorder = self.recorders.pop(test.name, None)
            if recorder is not None:
                recorder.stop()

    def stop_all(self, is_complete):
        servers = list(self.recorders.values()) + ([self.player] if self.player else [])
        self.recorders, self.player = {}, None
        for server in servers:
            server.failed = server.failed or not is_complete
            server.stop()


class GivenServer(Server):
    """A wikitape that somebody else has started: `wikitape exec -- pytest`, or a container."""

    def __init__(self, url):
        self.api = urllib.parse.urlsplit(url)
        self.address = (self.api.hostname, self.api.port)
        self.failed = self.reads_exit_code = False
        self.missed = self.ask("summary")["missed"]

    def stop(self):
        pass


def cassette_name(text):
    """A plain folder name of at most 80 characters; with a digest where something was lost."""
    plain = re.sub(r"\.py(?=::|$)", "", text).replace("::", ".").replace("/", ".")
    safe = re.sub(r"[^\w.-]+", "_", plain).strip("._")
    if safe == plain and len(safe) <= 80:
        return safe
    return "%s-%s" % (safe[:70].rstrip("._"), hashlib.sha256(text.encode()).hexdigest()[:8])


def note_opened(folder):
    """For `wikitape check --suite`: one cassette a line, relative to the file."""
    suite = os.environ.get("WIKITAPE_SUITE")
    if suite:
        line = os.path.relpath(str(folder), os.path.dirname(os.path.abspath(suite)))
        with open(suite, "a", encoding="utf-8") as file:
            file.write(line.replace(os.sep, "/") + "\n")


def read_variables(folder):
    try:
        return json.loads((folder / "cassette.json").read_text(encoding="utf-8")).get("variables", {})
    except (OSError, ValueError):
        return {}


def write_variables(folder, variables):
    file = folder / "cassette.json"
    if variables and file.exists():
        manifest = json.loads(file.read_text(encoding="utf-8"))
        manifest["variables"] = {**manifest.get("variables", {}), **variables}
        text = json.dumps(manifest, ensure_ascii=False, indent=2)
        file.write_bytes((text + "\n").encode())


def project_setting(folder, name):
    try:
        return json.loads((folder / "wikitape.config.json").read_text(encoding="utf-8")).get(name, "")
    except (OSError, ValueError):
        return ""


def wikitape_command(folder):
    """WIKITAPE_COMMAND, then the project's own wikitape, then the one on PATH."""
    if os.environ.get("WIKITAPE_COMMAND"):
        return shlex.split(os.environ["WIKITAPE_COMMAND"])
    for place in (folder, *folder.parents):
        for name in ("wikitape.cmd", "wikitape") if os.name == "nt" else ("wikitape",):
            if (place / "node_modules/.bin" / name).exists():
                return [str(place / "node_modules/.bin" / name)]
    found = shutil.which("wikitape")
    if found is None:
        raise CassetteProblem(
            "wikitape: the program is not installed; run: npm install --save-dev wikitape,"
            " or set WIKITAPE_COMMAND to the command of a container (docs/pytest.md)"
        )
    return [found]


def patch_http_client():
    """Connections to the wiki lead to wikitape; each request names the cassette of the test that runs."""
    if hasattr(http.client.HTTPConnection, "_wikitape"):
        return
    classes = [http.client.HTTPConnection, http.client.HTTPSConnection]
    try:
        import urllib3.connection

        classes += [urllib3.connection.HTTPConnection, urllib3.connection.HTTPSConnection]
    except ImportError:
        pass
    for one in classes:
        if "connect" in vars(one):
            one.connect = patched_connect(one.connect)
    http.client.HTTPConnection.putrequest = patched_putrequest(http.client.HTTPConnection.putrequest)
    http.client.HTTPConnection._wikitape = None
    sys.addaudithook(refuse_other_client)


def refuse_other_client(event, args):
    """No connection to the wiki itself: a client that is not built on http.client must not reach it unseen."""
    if event not in ("socket.getaddrinfo", "socket.connect"):
        return
    tape = Tape.running
    address = args[1] if event == "socket.connect" else args
    api_url = tape and (tape.test.api_url if tape.test else tape.api_url)
    if not api_url or tape.given_url or not isinstance(address, tuple) or len(address) < 2:
        return
    wiki = urllib.parse.urlsplit(api_url)
    host = address[0].decode("ascii", "replace") if isinstance(address[0], bytes) else address[0]
    if (host, str(address[1])) != (wiki.hostname, str(wiki.port or (443 if wiki.scheme == "https" else 80))):
        return
    problem = CassetteProblem(
        "wikitape: a connection to %s was refused: requests of this client (httpx, aiohttp) cannot be intercepted;"
        " give it the address of the fixture wikitape_api_url" % api_url
    )
    if tape.test is not None:
        tape.test.problem = problem
    raise problem


def test_asking(connection):
    """The running test, if the connection is to its wiki. Refuses requests between tests."""
    __tracebackhide__ = True
    tape = Tape.running
    api_url = tape and (tape.test.api_url if tape.test else tape.api_url)
    if not api_url or tape.given_url:
        return None
    wiki = urllib.parse.urlsplit(api_url)
    port = wiki.port or (443 if wiki.scheme == "https" else 80)
    tunnel = getattr(connection, "_tunnel_host", None)
    asked = (tunnel, connection._tunnel_port) if tunnel else (connection.host, connection.port)
    if asked != (wiki.hostname, port):
        return None
    if tape.test is None:
        raise CassetteProblem("wikitape: this request to %s is made while no test runs, and was not sent" % api_url)
    return tape.test


def refuse_other_wiki(connection, method, url):
    """With CI=true no wiki is asked, also not one that no cassette is of."""
    __tracebackhide__ = True
    tape = Tape.running
    if not tape or tape.given_url or not in_ci() or not ENTRY_POINT.search(url):
        return
    if (connection.host, connection.port) in tape.addresses() or connection.host in tape.other_wikis:
        return
    why = (
        "wikitape: %s %s:%s%s was not sent: CI=true, and no cassette is of this wiki; give the test that wiki by the mark"
        " cassette(api_url=…), or name its host in wikitape_allow_other_wikis"
    ) % (method, connection.host, connection.port, url.split("?")[0])
    problem = CassetteProblem(why)
    if tape.test is not None:
        tape.test.problem = problem
    raise problem


def patched_connect(original):
    def connect(self):
        __tracebackhide__ = True
        test = test_asking(self)
        if test is None:
            return original(self)
        self._wikitape = test.start().address
        self.sock = socket.create_connection(self._wikitape, 60)
        # What urllib3 asks: a connection to this machine needs no certificate.
        self.is_verified = True
        return None

    return connect


def patched_putrequest(original):
    def putrequest(self, method, url, skip_host=False, skip_accept_encoding=False):
        __tracebackhide__ = True
        test = test_asking(self)
        if test is None:
            refuse_other_wiki(self, method, url)
            return original(self, method, url, skip_host, skip_accept_encoding)
        address = test.start().address
        if self.sock is not None and self._wikitape != address:
            # Kept from an earlier test, or from before the first: another wikitape, or the wiki itself.
            self.close()
        original(self, method, url, True, skip_accept_encoding)
        if not skip_host:
            self.putheader("Host", "%s:%d" % address)
        self.putheader("X-Cassette", test.name)
        return None

    return putrequest
