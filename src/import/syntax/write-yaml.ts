/** YAML that programs of YAML 1.1 (PyYAML, libyaml) and of 1.2 read alike. */
import { Document, Scalar, visit } from 'yaml'

/**
 * Texts as JSON spells them, on one line each; bytes as `!!binary`.
 * @param value of objects, lists, texts, numbers, null and bytes
 */
export function writeYaml(value: unknown): string {
  const document = new Document(value, {
    version: '1.1',
    // Of itself the library writes the text `<<` as what merges maps, in no quotes.
    customTags: (tags) =>
      tags.filter((tag) => typeof tag === 'string' || tag.tag !== 'tag:yaml.org,2002:merge'),
    aliasDuplicateObjects: false,
  })
  visit(document, {
    Scalar(key, node) {
      if (key !== 'key' && typeof node.value === 'string') node.type = Scalar.QUOTE_DOUBLE
    },
  })
  return document
    .toString({ lineWidth: 0, doubleQuotedAsJSON: true })
    .replace(ambiguousCharacters, escapeCharacter)
}

/** All but ASCII stands in quotes; these break lines in YAML 1.1, or are no characters there. */
const ambiguousCharacters = /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g
const escapeCharacter = (character: string): string =>
  `\\u${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`
