/** Reads the files of interactions, each with the bodies beside it. What leads out of the cassette is not read. */
import { isUtf8 } from 'node:buffer'
import { statSync } from 'node:fs'
import path from 'node:path'
import { decodeInteraction } from '../../cassette/format/decode-interaction.ts'
import { errorText } from '../../text/error-text.ts'
import {
  type FileSignature,
  type FileSignatures,
  isOutsideRacyWindow,
  signatureOf,
} from '../changes/file-signature.ts'
import { bytesInside, isInside } from '../files/paths-inside.ts'
import { notUtf8 } from '../files/whole-files.ts'
import type { InteractionReadResult } from '../store.ts'

export class InteractionReader {
  readonly #dir: string
  /** The cassette's folder as messages name it. */
  readonly #name: string
  /** Bodies in files of their own, by the interaction's file. */
  readonly #bodyFiles = new Map<string, readonly string[]>()
  /** Signature of the file that was read last, taken before it was read. */
  #lastRead: readonly [file: string, signature: FileSignature | undefined] | undefined

  constructor(dir: string, name: string) {
    this.#dir = dir
    this.#name = name
  }

  /**
   * @param file relative to the cassette's folder
   * @param maxBodyBytes of bodies in files of their own: a stranger's interaction may name any file
   */
  read(file: string, maxBodyBytes: number = Number.POSITIVE_INFINITY): InteractionReadResult {
    const namedPath = path.join(this.#name, file)
    try {
      this.#lastRead = [file, signatureOf(path.join(this.#dir, file))]
      const source = bytesInside(this.#dir, file)
      if (source === undefined) return { kind: 'absent' }
      if (!isUtf8(source)) throw new Error(notUtf8)
      const bodyFiles: string[] = []
      const reading = decodeInteraction(
        Buffer.from(source.buffer, source.byteOffset, source.byteLength).toString(),
        {
          read: (name) =>
            this.#readBody(
              path.posix.join(path.posix.dirname(file), path.basename(name)),
              bodyFiles,
              maxBodyBytes,
            ),
        },
      )
      if (!reading.ok) return { kind: 'broken', path: namedPath, fault: reading.fault }
      if (bodyFiles.length > 0) this.#bodyFiles.set(file, bodyFiles)
      else this.#bodyFiles.delete(file)
      return { kind: 'found', interaction: reading.interaction, path: namedPath }
    } catch (error) {
      return { kind: 'broken', path: namedPath, fault: { line: 1, column: 1, message: errorText(error) } }
    }
  }

  /**
   * Signatures of an interaction's files, by which a later change shows; of the one read last from before it was read.
   * @param readAt before it was read, in milliseconds since 1970. @returns undefined where a change could not be told
   */
  signaturesOf(file: string, readAt: number, windowMs: number): FileSignatures | undefined {
    const signatures: (readonly [string, FileSignature])[] = []
    for (const name of [file, ...(this.#bodyFiles.get(file) ?? [])]) {
      const signature =
        this.#lastRead?.[0] === name ? this.#lastRead[1] : signatureOf(path.join(this.#dir, name))
      if (signature === undefined || !isOutsideRacyWindow(signature, readAt, windowMs)) return undefined
      signatures.push([name, signature])
    }
    return signatures
  }

  #readBody(file: string, bodyFiles: string[], maxBytes: number): Uint8Array | undefined {
    if (!isInside(this.#dir, file)) return undefined
    bodyFiles.push(file)
    const sizes = bodyFiles.map(
      (one) => statSync(path.join(this.#dir, one), { throwIfNoEntry: false })?.size ?? 0,
    )
    if (sizes.reduce((sum, size) => sum + size, 0) > maxBytes)
      throw new Error(`the bodies beside it have more than ${maxBytes} bytes`)
    return bytesInside(this.#dir, file)
  }
}
