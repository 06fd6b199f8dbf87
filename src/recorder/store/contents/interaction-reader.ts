/** Reader of interaction files, with their bodies in separate files. Reads nothing outside the cassette. */
import { isUtf8 } from 'node:buffer'
import { statSync } from 'node:fs'
import path from 'node:path'
import { decodeInteraction } from '../../cassette/format/decode-interaction.ts'
import type { Interaction } from '../../cassette/interaction.ts'
import type { JsonFault } from '../../json/read-json.ts'
import { errorText } from '../../text/error-text.ts'
import {
  type FileSignature,
  type FileSignatures,
  isOutsideRacyWindow,
  signatureIn,
  signatureOf
} from '../files/change-detector.ts'
import {
  bytesInside,
  isInside,
  leadsOutMessage,
  statInside
} from '../files/paths-inside.ts'
import { notUtf8, readBytes } from '../files/whole-files.ts'
import { rethrowSystemFault } from '../store-error.ts'

/** The outcome of reading a key: an interaction, nothing, or a file that cannot be read. */
export type InteractionReadResult =
  | { readonly kind: 'found'; readonly interaction: Interaction; readonly path: string }
  | { readonly kind: 'absent'; readonly interaction?: undefined }
  | BrokenRecording

export interface BrokenRecording {
  readonly kind: 'broken'
  readonly path: string
  readonly fault: JsonFault
  readonly interaction?: undefined
}

export class InteractionReader {
  readonly #dir: string
  /** The cassette's folder as messages name it. */
  readonly #name: string
  /** Files of bodies, by the interaction's file. */
  readonly #bodyFiles = new Map<string, readonly string[]>()
  /** The file read last, with its signature from before it was read. */
  #lastRead: readonly [file: string, signature: FileSignature | undefined] | undefined

  constructor(dir: string, name: string) {
    this.#dir = dir
    this.#name = path.dirname(path.join(name, 'file'))
  }

  /**
   * @param file relative to the cassette's folder
   * @param maxBodyBytes limit of bodies in separate files: an interaction of an untrusted cassette may name any file
   */
  read(
    file: string,
    maxBodyBytes: number = Number.POSITIVE_INFINITY
  ): InteractionReadResult {
    const namedPath = `${this.#name}/${file}`
    try {
      const stat = statInside(this.#dir, file)
      if (stat === 'outside') throw new Error(leadsOutMessage)
      this.#lastRead = [file, stat?.isFile() ? signatureIn(stat) : undefined]
      const source = readBytes(`${this.#dir}/${file}`)
      if (!source) return { kind: 'absent' }
      if (!isUtf8(source)) throw new Error(notUtf8)
      const bodyFiles: string[] = []
      const folder = path.posix.dirname(file)
      const reading = decodeInteraction(source, (name) =>
        this.#readBody(
          path.posix.join(folder, path.basename(name)),
          bodyFiles,
          maxBodyBytes
        )
      )
      if (!reading.ok) return { kind: 'broken', path: namedPath, fault: reading.fault }
      if (bodyFiles.length > 0) this.#bodyFiles.set(file, bodyFiles)
      else this.#bodyFiles.delete(file)
      return { kind: 'found', interaction: reading.interaction, path: namedPath }
    } catch (error) {
      rethrowSystemFault(namedPath, error)
      return {
        kind: 'broken',
        path: namedPath,
        fault: { line: 1, column: 1, message: errorText(error) }
      }
    }
  }

  /**
   * Signatures of an interaction's files, by which a later change shows.
   * @param readAt before it was read, in milliseconds since 1970. @returns undefined where a change could go unnoticed
   */
  signaturesOf(file: string, readAt: number): FileSignatures | undefined {
    const signatures: (readonly [string, FileSignature])[] = []
    for (const name of [file, ...(this.#bodyFiles.get(file) ?? [])]) {
      const signature =
        this.#lastRead?.[0] === name
          ? this.#lastRead[1]
          : signatureOf(path.join(this.#dir, name))
      if (!signature || !isOutsideRacyWindow(signature, readAt)) return undefined
      signatures.push([name, signature])
    }
    return signatures
  }

  #readBody(file: string, bodyFiles: string[], maxBytes: number) {
    if (!isInside(this.#dir, file)) return undefined
    bodyFiles.push(file)
    const sizes = bodyFiles.map(
      (one) => statSync(path.join(this.#dir, one), { throwIfNoEntry: false })?.size ?? 0
    )
    if (sizes.reduce((sum, size) => sum + size, 0) > maxBytes)
      throw new Error(`its body files have more than ${maxBytes} bytes`)
    return bytesInside(this.#dir, file)
  }
}
