/** Builds python/: an sdist, and the wheel out of it. */
import { copyFileSync, mkdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { must, place, root } from '../peers/project.ts'

/** Debian's own has what builds packages; another one before it on the PATH may not. */
export const python: string = process.env['PYTHON'] ?? '/usr/bin/python3'

const manifest = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
  readonly version: string
}
export const version: string = manifest.version

export const wheelName: string = `pytest_wikitape-${version}-py3-none-any.whl`

/** @param out the folder of both files */
export function buildPythonPackage(out: string): void {
  const source = path.join(place, 'python')
  mkdirSync(source)
  // The builder leaves files beside what it builds.
  for (const name of ['pyproject.toml', 'README.md', 'LICENSE', 'wikitape_pytest.py'])
    copyFileSync(path.join(root, 'python', name), path.join(source, name))
  must(source, python, ['-m', 'build', '--no-isolation', '--outdir', out, '.'])
}
