/** What a store answers from memory, wherever its files are: from the index, the manifest and the descriptions. */
import type { Manifest } from '../cassette/format/manifest.ts'
import type { Interaction } from '../cassette/interaction.ts'
import { interactionPath } from '../cassette/interaction-path.ts'
import type { RequestKey } from '../request/request-key.ts'
import type { ModuleDescription } from '../wiki/modules/module-descriptions.ts'
import type { DescriptionFiles } from './contents/description-files.ts'
import type { InteractionIndex } from './contents/interaction-index.ts'
import type { InteractionReadResult } from './store.ts'

interface IndexedContents {
  readonly manifest: { readonly value: Manifest }
  readonly index: InteractionIndex
  readonly descriptions: DescriptionFiles
}

export abstract class IndexedStore<Contents extends IndexedContents> {
  readonly dir: string
  protected readonly contents: Contents

  constructor(dir: string, contents: Contents) {
    this.dir = dir
    this.contents = contents
  }

  abstract readFolder(folder: string, max?: number): IterableIterator<InteractionReadResult>

  get manifest(): Manifest {
    return this.contents.manifest.value
  }

  get size(): number {
    return this.contents.index.size
  }

  has(key: RequestKey): boolean {
    return this.contents.index.has(key)
  }

  paths(): IterableIterator<readonly [RequestKey, string]> {
    return this.contents.index.entries().values()
  }

  folders(): readonly string[] {
    return this.contents.index.folders()
  }

  countIn(folder: string): number {
    return this.contents.index.countIn(folder)
  }

  pathFor({ key, request }: Pick<Interaction, 'key' | 'request'>): string {
    return this.contents.index.get(key) ?? interactionPath(request, key)
  }

  *interactionsIn(folder: string): IterableIterator<Interaction> {
    for (const found of this.readFolder(folder)) if (found.kind === 'found') yield found.interaction
  }

  module(modulePath: string): ModuleDescription | undefined {
    return this.contents.descriptions.module(modulePath)
  }

  moduleText(modulePath: string): string | undefined {
    return this.contents.descriptions.text(modulePath)
  }
}
