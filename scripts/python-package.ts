/**
 * `npm run test:python`: python/ as people get it. Builds the sdist and the wheel, installs the wheel into environments
 * that have only a pytest of Debian's, one for each release, and does there what docs/pytest.md shows. Needs Debian's
 * python3-build, python3-setuptools, python3-wheel and python3-venv, and its registry.
 */
import { cpSync, readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { type Life, Project } from './peers/lives/life.ts'
import { must, place, reportSums, root, Tally } from './peers/project.ts'
import { buildPythonPackage, python, version, wheelName } from './python/build-package.ts'
import { type Release, releases, unpackPytest } from './python/debian-pytest.ts'

/** @returns the wheel, which is built out of the sdist */
function build(tally: Tally): string {
  const out = path.join(place, 'built')
  buildPythonPackage(out)
  const built = readdirSync(out).sort()
  const expected = [wheelName, `pytest-wikitape-${version}.tar.gz`]
  // Newer versions of setuptools spell the sdist as the wheel.
  const isExpected = built.join() === expected.join().replace('pytest-', 'pytest_')
  tally.count(
    `built: ${built.join(', ')}`,
    isExpected || built.toSorted().join() === expected.toSorted().join(),
    `expected: ${expected.join(', ')}`
  )
  const wheel = path.join(out, wheelName)
  const held = must(out, python, ['-m', 'zipfile', '--list', wheel])
  const names = ['wikitape_pytest.py', 'entry_points.txt', 'LICENSE', 'METADATA']
  tally.count(
    'the wheel holds the module, its entry point and the licence',
    names.every((name) => held.includes(name)),
    held
  )
  return wheel
}

/** A fresh environment. @returns its folder of programs */
function environment(release: Release): string {
  const folder = path.join(place, `venv-${release.name}`)
  must(place, python, ['-m', 'venv', folder])
  const lib = path.join(folder, 'lib')
  const packages = path.join(lib, readdirSync(lib)[0] ?? '', 'site-packages')
  writeFileSync(path.join(packages, 'debian.pth'), `${unpackPytest(release)}\n`)
  return path.join(folder, 'bin')
}

function lifeOf(release: Release, bin: string, wheel: string): Life {
  return {
    name: `pytest-${release.name}`,
    page: 'pytest.md',
    manifest: { name: 'user', private: true },
    files: ['pytest.ini', 'test_pages.py'],
    setUp: ['pip install pytest-wikitape'],
    command: 'pytest',
    words: {
      pip: [path.join(bin, 'python'), '-m', 'pip', '--quiet'],
      'pytest-wikitape': ['--no-index', wheel],
      // Debian's program names Debian's Python.
      pytest: [path.join(bin, 'python'), '-m', 'pytest']
    },
    cassette: 'cassettes/test_pages.test_lists_pages',
    mistake: { file: 'test_pages.py', before: 'apfrom=B', after: 'apfrom=D' },
    says: /could not be answered|1 request missed/
  }
}

await reportSums(async (add) => {
  const tally = new Tally()
  const wheel = build(tally)
  process.env['WIKITAPE_COMMAND'] = `node ${path.join(root, 'dist/cli/start.cjs')}`
  for (const release of releases) {
    const bin = environment(release)
    const version = must(place, path.join(bin, 'python'), ['-m', 'pytest', '--version'])
    const isIt = version.includes(`pytest ${release.pytest}.`)
    tally.count(`${release.name}: ${version.trim()}`, isIt, release.pytest)
    const life = lifeOf(release, bin, wheel)
    const project = new Project(life, '')
    await project.live(process.versions.node, undefined, tally)
    // What `wikitape init --pytest` has written stays there when somebody installs the package.
    const folder = path.join(place, `life-${life.name}`)
    cpSync(
      path.join(root, 'python/wikitape_pytest.py'),
      path.join(folder, 'wikitape_pytest.py')
    )
    writeFileSync(
      path.join(folder, 'conftest.py'),
      'pytest_plugins = ["wikitape_pytest"]\n'
    )
    const loads = 'def test_is_loaded_once(wikitape_api_url):\n    pass\n'
    await project.passes(tally, 'beside the file of init', 'test_pages.py', loads)
  }
  add(tally)
})
