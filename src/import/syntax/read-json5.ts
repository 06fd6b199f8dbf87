/** JSON as people write it, with comments and bare names: tapes of talkback. Source: https://spec.json5.org/ */
import JSON5 from 'json5'
import type { ParsedText } from './read-yaml.ts'

export function readJson5(text: string): ParsedText {
  try {
    return { ok: true, value: JSON5.parse(text) }
  } catch (error) {
    const [, message = String(error), line = '1', column = '1'] =
      /^JSON5: (.*) at (\d+):(\d+)$/s.exec(error instanceof Error ? error.message : '') ?? []
    return { ok: false, fault: { line: Number(line), column: Number(column), message } }
  }
}
