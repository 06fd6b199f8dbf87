/** One project as a page of the documentation tells it: its files and commands, word for word, and what three runs give. */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { must, place, root, type Tally } from '../project.ts'
import { runBeside, standIn } from '../stand-in.ts'

const publicWiki = 'https://ru.wikipedia.org/w/api.php'

export interface Life {
  readonly name: string
  /** Of docs/. */
  readonly page: string
  /** What stands before its files in an empty folder. */
  readonly manifest: object
  /** Files that the page shows, by the comment that they begin with. */
  readonly files: readonly string[]
  /** What their text has in place of words of the page. */
  readonly edits?: readonly (readonly [from: string, to: string])[]
  /** Its line of the page, and words to put in for those that differ on Debian, in all commands. */
  readonly command: string
  readonly words?: Readonly<Record<string, readonly string[]>>
  /** Commands of the page before the first run. */
  readonly setUp: readonly string[]
  /** The cassette of the first run. */
  readonly cassette: string
  /** In a test's file: a request that was not recorded. */
  readonly mistake: {
    readonly file: string
    readonly before: string
    readonly after: string
  }
  /** What the failed test says of it. */
  readonly says: RegExp
}

export class Project {
  readonly #life: Life
  readonly #text: string
  readonly #folder: string

  constructor(life: Life, tarball: string) {
    this.#life = life
    this.#text = readFileSync(path.join(root, 'docs', life.page), 'utf8')
    this.#folder = path.join(place, `life-${life.name}`)
    mkdirSync(this.#folder)
    this.#write('package.json', JSON.stringify(life.manifest))
    for (const line of life.setUp) {
      const [command = '', ...args] = this.#typed(line).map((word) =>
        word === 'wikitape' ? tarball : word
      )
      // The second word is the name of an installed program, not of a package.
      if (command === 'npx') args[0] = 'wikitape'
      const quiet =
        command === 'npm' ? ['--no-audit', '--no-fund', '--loglevel=error'] : []
      must(this.#folder, command, [...args, ...quiet])
    }
  }

  /** Records, replays without the wiki, and makes the mistake; each counts as one test. @param bin where node is */
  async live(node: string, bin: string | undefined, tally: Tally): Promise<void> {
    const { cassette, command, mistake, name, says } = this.#life
    const label = `${name}, node ${node}: ${command}`
    const env =
      bin === undefined
        ? {}
        : { PATH: `${bin}${path.delimiter}${process.env['PATH'] ?? ''}` }
    const wiki = await standIn()
    this.#begin(wiki.api)
    const recorded = await this.#run(env)
    const isThere = existsSync(path.join(this.#folder, cassette, 'cassette.json'))
    tally.count(
      `${label}: recorded in ${recorded.seconds} s`,
      recorded.code === 0 && isThere,
      recorded.text
    )
    await wiki.close()
    const replayed = await this.#run({ ...env, CI: 'true' })
    tally.count(
      `${label}: without the wiki in ${replayed.seconds} s`,
      replayed.code === 0,
      replayed.text
    )
    const right = this.#textOf(mistake.file, wiki.api)
    this.#write(mistake.file, right.replace(mistake.before, mistake.after))
    const failed = await this.#run(env)
    const line = failed.text.split('\n').find((one) => says.test(one))
    tally.count(
      `${label}: ${mistake.after}: ${line?.trim() ?? ''}`,
      failed.code !== 0 && line !== undefined,
      failed.text
    )
  }

  /** Its files for this wiki, and no cassettes. */
  #begin(api: string): void {
    for (const file of this.#life.files) this.#write(file, this.#textOf(file, api))
    rmSync(path.join(this.#folder, 'cassettes'), { recursive: true, force: true })
  }

  #textOf(file: string, api: string): string {
    return [[publicWiki, api] as const, ...(this.#life.edits ?? [])].reduce(
      (text, [from, to]) => text.replaceAll(from, to),
      this.#shown(file)
    )
  }

  /** One more test in place of those of a file, which fails in CI and says why. */
  async fails(
    tally: Tally,
    label: string,
    file: string,
    text: string,
    says: RegExp
  ): Promise<void> {
    this.#write(file, text)
    const failed = await this.#run({ CI: 'true' })
    tally.count(
      `${this.#life.name}: ${label}`,
      failed.code !== 0 && says.test(failed.text),
      failed.text
    )
  }

  /** One more test in place of those of a file: its summary has the time, and the settings ignore summaries. */
  async ignores(
    tally: Tally,
    file: string,
    textFor: (api: string) => string
  ): Promise<void> {
    const wiki = await standIn()
    this.#begin(wiki.api)
    this.#write(file, textFor(wiki.api))
    this.#write(
      'wikitape.config.json',
      '{"ignore":[{"module":"edit","param":"summary"}]}'
    )
    const recorded = await this.#run({})
    await wiki.close()
    const replayed = await this.#run({ CI: 'true' })
    tally.count(
      `${this.#life.name}: a summary with the time is ignored`,
      recorded.code === 0 && replayed.code === 0,
      recorded.text + replayed.text
    )
  }

  /** One more test in place of those of a file, which passes. */
  async passes(tally: Tally, label: string, file: string, text: string): Promise<void> {
    this.#write(file, text)
    const passed = await this.#run({})
    tally.count(`${this.#life.name}: ${label}`, passed.code === 0, passed.text)
  }

  async #run(
    env: Readonly<Record<string, string>>
  ): Promise<Awaited<ReturnType<typeof runBeside>> & { readonly seconds: string }> {
    const [program = '', ...args] = this.#typed(this.#life.command)
    const startedAt = performance.now()
    const done = await runBeside(this.#folder, program, args, env)
    return { ...done, seconds: ((performance.now() - startedAt) / 1000).toFixed(1) }
  }

  /** A file that the page shows, by the comment that it begins with. @throws Error where it shows none */
  #shown(name: string): string {
    const block = [...this.#text.matchAll(/^```\w+\n([\s\S]*?)^```/gm)].find(
      ([, text = '']) =>
        [`// ${name}\n`, `# ${name}\n`].some((head) => text.startsWith(head))
    )?.[1]
    if (block === undefined) throw new Error(`docs/${this.#life.page} shows no ${name}`)
    return block
  }

  /** A line of a shell that the page shows, as words, with those of this life. @throws Error where it shows none */
  #typed(line: string): readonly string[] {
    const found = this.#text.split('\n').find((one) => one.replace(/ +#.*/, '') === line)
    if (found === undefined)
      throw new Error(`docs/${this.#life.page} has no line ${line}`)
    const { words = {} } = this.#life
    return line.split(' ').flatMap((word) => words[word] ?? [word])
  }

  #write(name: string, text: string): void {
    const file = path.join(this.#folder, name)
    mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
}
