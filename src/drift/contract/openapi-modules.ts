/**
 * Operations of an OpenAPI description as modules, in the form of `paraminfo`: what a client sends, and in a module of its
 * own (`GET /w/rest.php/v1/page/{} answers`) the members of the answers. Source: OpenAPI 3.0 and 3.1
 */
import {
  isPlainObject,
  type PlainObject,
  plainItems,
  plainText,
  plainTexts
} from '../../recorder/json/plain-json.ts'
import type { CanonicalRequest } from '../../recorder/request/request-key.ts'

/** The `group` of a module that lists members of answers in place of parameters. */
export const answersGroup = 'answers'

/** Schemas inside of others, and parts of one document: a reference may lead to itself. */
const maxDepth = 24
const maxSchemas = 200_000

const methods = ['get', 'post', 'put', 'patch', 'delete', 'head']

/** By path; undefined if the value is no description, or too large a one. */
export function modulesOfOpenApi(
  value: unknown
): readonly (readonly [path: string, module: PlainObject])[] | undefined {
  if (!isPlainObject(value) || plainText(value['openapi']) === '') return undefined
  const reader = new OpenApiReader(value)
  const base = pathnameOf(plainText(asObject(plainItems(value['servers'])[0])['url']))
  const found = Object.entries(asObject(value['paths'])).flatMap(([route, item]) => {
    const operations = reader.resolve(item)
    return methods.flatMap((method) => {
      const operation = operations[method]
      if (!isPlainObject(operation)) return []
      const shared = plainItems(operations['parameters'])
      return reader.modulesOf(
        `${method.toUpperCase()} ${base}${route.replace(/\{[^}]*\}/g, '{}')}`,
        route,
        shared,
        operation
      )
    })
  })
  return reader.isExhausted ? undefined : found
}

const asObject = (value: unknown) => (isPlainObject(value) ? value : {})

/** `http://wiki/w/rest.php` and `/w/rest.php` are one. */
const pathnameOf = (address: string) =>
  URL.canParse(address, 'http://wiki') ? new URL(address, 'http://wiki').pathname : ''

/** Paths of modules by what a request of theirs looks like. */
export type Routes = readonly (readonly [path: string, pattern: RegExp])[]

/** Those with fewer variable parts first, as a wiki chooses between them. */
export function routesOf(modules: ReadonlyMap<string, unknown>): Routes {
  const paths = [...modules.keys()].filter((path) => /^[A-Z]+ \/\S+$/.test(path))
  const variables = (path: string) => path.split('{}').length
  const pattern = (path: string) =>
    new RegExp(`^${path.split('{}').map(escaped).join('[^/]+')}$`)
  return paths
    .sort((a, b) => variables(a) - variables(b))
    .map((path) => [path, pattern(path)])
}

const escaped = (text: string) => text.replace(/[^\w/ -]/g, '\\$&')

/** The module that a request uses, and that of its answers. */
export function pathsOfRoute(
  request: CanonicalRequest,
  target: string,
  routes: Routes
): readonly string[] {
  const sent = request.has('plain body') ? 'POST' : 'GET'
  const method = request.get('plain method') ?? sent
  const [pathname] = target.split('?')
  const [route] = routes.find(([, one]) => one.test(`${method} ${pathname}`)) ?? []
  return route === undefined ? [] : [route, `${route} ${answersGroup}`]
}

interface Member extends PlainObject {
  readonly name: string
}

class OpenApiReader {
  readonly #document: PlainObject
  #schemas = 0

  constructor(document: PlainObject) {
    this.#document = document
  }

  get isExhausted(): boolean {
    return this.#schemas > maxSchemas
  }

  /** The object, or that which its `$ref` names. */
  resolve(value: unknown): PlainObject {
    let found = asObject(value)
    for (let step = 0; step < maxDepth && typeof found['$ref'] === 'string'; step += 1) {
      const names = found['$ref'].replace(/^#\/?/, '').split('/')
      const target = names.reduce<unknown>(
        (at, name) => asObject(at)[name.replaceAll('~1', '/').replaceAll('~0', '~')],
        this.#document
      )
      found = asObject(target)
    }
    return found
  }

  modulesOf(
    path: string,
    route: string,
    shared: readonly unknown[],
    operation: PlainObject
  ): readonly (readonly [string, PlainObject])[] {
    const places = [...route.matchAll(/\{([^}]*)\}/g)].map(([, name]) => name)
    const sent = [...shared, ...plainItems(operation['parameters'])].map((one) =>
      this.#parameter(this.resolve(one), places)
    )
    const { deprecated } = operation
    const answers = `${path} ${answersGroup}`
    const parameters = [...sent, ...this.#body(operation)]
    return [
      [path, { path, deprecated, parameters }],
      [
        answers,
        { path: answers, group: answersGroup, parameters: this.#answers(operation) }
      ]
    ]
  }

  /** Of the path by its place, as its name is nobody's concern. */
  #parameter(one: PlainObject, places: readonly (string | undefined)[]) {
    const name = plainText(one['name'])
    const where = plainText(one['in'])
    const schema = this.resolve(one['schema'])
    const isOfPath = where === 'path'
    return {
      ...this.#described(schema, isOfPath || where === 'query' ? '' : `${where} `),
      name: isOfPath ? `{${places.indexOf(name) + 1}}` : name,
      required: one['required'] === true,
      deprecated: one['deprecated'] === true
    }
  }

  #body(operation: PlainObject) {
    const body = this.resolve(operation['requestBody'])
    const content = asObject(body['content'])
    const type = Object.keys(content).sort().join(' or ')
    if (type === '') return []
    const required = body['required'] === true
    return [{ name: 'body', type, required }, ...this.#contentMembers('body', content)]
  }

  /** All that succeed as one, as the status may be another with the same answer. */
  #answers(operation: PlainObject) {
    return Object.entries(asObject(operation['responses'])).flatMap(([status, one]) => {
      const answer = this.resolve(one)
      const content = asObject(answer['content'])
      const name = status.startsWith('2') ? 'success' : status
      const type = [status, ...Object.keys(content).sort()].join(' ')
      const headers = Object.keys(asObject(answer['headers'])).map((header) => ({
        name: `${name}.header ${header}`
      }))
      return [{ name, type }, ...headers, ...this.#contentMembers(name, content)]
    })
  }

  /** Of several schemas that have one member, each says something of it. */
  #contentMembers(name: string, content: PlainObject) {
    const members = new Map<string, PlainObject>()
    for (const media of Object.values(content))
      for (const one of this.#members(name, asObject(media)['schema'], 0)) {
        const known = members.get(one.name)
        const required = one.required === true || known?.['required'] === true
        members.set(one.name, { ...known, ...one, required })
      }
    // What is required and described nowhere is no member.
    return [...members.values()].filter((one) => one['type'] !== undefined)
  }

  /** All members below a schema, `body.item.labels.*`; of alternatives and parts all. */
  #members(name: string, value: unknown, depth: number): Member[] {
    this.#schemas += 1
    if (depth > maxDepth || this.isExhausted) return []
    const schema = this.resolve(value)
    const inner = (part: string, one: unknown) => {
      const below = `${name}.${part}`
      const described = this.#described(this.resolve(one), '')
      return [{ name: below, ...described }, ...this.#members(below, one, depth + 1)]
    }
    const properties = Object.entries(asObject(schema['properties']))
    const needed = plainTexts(schema['required'])
    const alternatives = ['allOf', 'anyOf', 'oneOf'].flatMap((part) =>
      plainItems(schema[part])
    )
    const unnamed = [schema['items'], schema['additionalProperties']].filter(
      isPlainObject
    )
    return [
      ...properties.flatMap(([part, one]) => inner(part, one)),
      ...unnamed.flatMap((one) => inner('*', one)),
      ...alternatives.flatMap((one) => this.#members(name, one, depth + 1)),
      ...needed.map((part) => ({ name: `${name}.${part}`, required: true }))
    ]
  }

  /** Type, default and bounds. @param where what precedes the type: the place of a parameter that is not in the query */
  #described(schema: PlainObject, where: string) {
    const isList = schema['type'] === 'array'
    const one = isList ? this.resolve(schema['items']) : schema
    const allowed = [...plainItems(one['enum']), ...plainTexts([one['const']])].map(
      String
    )
    const nullable = one['nullable'] === true ? 'null' : ''
    const named = [one['type'], nullable].flat().map(plainText).filter(Boolean).sort()
    const parts = [
      named.join(' or '),
      plainText(one['format']),
      plainText(one['pattern'])
    ]
    const type = where + (allowed.join(' or ') || parts.filter(Boolean).join(' '))
    const standard = schema['default']
    const bound = (...names: readonly string[]) =>
      names.map((name) => one[name]).find((found) => typeof found === 'number')
    return {
      type: allowed.length > 0 && where === '' ? allowed : type,
      multi: isList,
      default: isPlainObject(standard) ? undefined : (standard ?? undefined)?.toString(),
      min: bound('minimum', 'minLength'),
      max: bound('maximum', 'maxLength')
    }
  }
}
