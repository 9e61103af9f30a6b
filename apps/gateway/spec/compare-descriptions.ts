type Json = Record<string, unknown>
type Side = 'sent' | 'answered'
type Document = { paths?: Record<string, Record<string, Json>>; components?: Record<string, Record<string, Json>> }
type Pair = { before: Json; after: Json }

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)
const objectAt = (value: unknown, ...names: string[]): Json => {
  const found = names.reduce<unknown>((inner, name) => (isObject(inner) ? inner[name] : undefined), value)
  return isObject(found) ? found : {}
}
const listAt = (value: Json, name: string): unknown[] => (Array.isArray(value[name]) ? value[name] : [])
const methods = ['get', 'put', 'post', 'delete', 'patch', 'options', 'head']

const resolved = (document: Document, value: Json): Json => {
  const { $ref: ref, ...beside } = value
  if (typeof ref !== 'string') return value
  const [, , kind = '', name = ''] = ref.split('/')
  return { ...resolved(document, objectAt(document.components, kind, name)), ...beside }
}

class Comparison {
  readonly found = new Set<string>()
  private readonly done = new Set<string>()
  constructor(
    private readonly before: Document,
    private readonly after: Document,
  ) {}

  private say(where: string, what: string): void {
    this.found.add(`${where}: ${what}`)
  }

  /**
   * Compares two versions of a schema. A schema that is used several times is compared only at its first use, once for
   * requests and once for responses.
   */
  private compare(pair: Pair, side: Side, where: string): void {
    const refs = `${side} ${String(pair.before.$ref)} ${String(pair.after.$ref)}`
    if (pair.before.$ref !== undefined && this.done.has(refs)) return
    this.done.add(refs)
    const [old, now] = [resolved(this.before, pair.before), resolved(this.after, pair.after)]
    this.compareTypes(old, now, side, where)
    this.compareValues(old, now, side, where)
    this.compareFields(old, now, side, where)
    if (isObject(old.items) && isObject(now.items))
      this.compare({ before: old.items, after: now.items }, side, `${where}[]`)
    this.compareKinds(old, now, side, where)
  }

  private compareTypes(old: Json, now: Json, side: Side, where: string): void {
    const [was, is] = [old.type, now.type].map((type) => [type].flat().filter((one) => one !== undefined))
    if (!was || !is || was.length === 0 || is.length === 0) return
    const [needed, given] = side === 'sent' ? [was, is] : [is, was]
    if (needed.some((type) => !given.includes(type) && !(type === 'integer' && given.includes('number'))))
      this.say(where, `was of type ${was.join(' or ')} and is of type ${is.join(' or ')}`)
  }

  private compareValues(old: Json, now: Json, side: Side, where: string): void {
    const [was, is] = [valuesOf(old), valuesOf(now)]
    if (!is) return
    if (!was) return void (side === 'sent' && this.say(where, `now accepts only ${is.map(String).join(', ')}`))
    const [gone, news] = [was.filter((value) => !is.includes(value)), is.filter((value) => !was.includes(value))]
    if (side === 'sent' && gone.length > 0) this.say(where, `no longer accepts ${gone.map(String).join(', ')}`)
    if (side === 'answered' && news.length > 0) this.say(where, `may now be ${news.map(String).join(', ')}`)
  }

  private compareFields(old: Json, now: Json, side: Side, where: string): void {
    const [was, is] = [objectAt(old, 'properties'), objectAt(now, 'properties')]
    const [needed, needs] = [listAt(old, 'required'), listAt(now, 'required')]
    for (const [name, schema] of Object.entries(was)) {
      const next = is[name]
      const field = `${where}.${name}`
      if (next === undefined) this.say(field, side === 'sent' ? 'is no longer accepted' : 'is gone')
      else if (isObject(schema) && isObject(next)) this.compare({ before: schema, after: next }, side, field)
    }
    if (side === 'sent')
      for (const name of needs) if (!needed.includes(name)) this.say(`${where}.${String(name)}`, 'is now required')
    if (side === 'answered')
      for (const name of needed)
        if (!needs.includes(name) && is[String(name)] !== undefined)
          this.say(`${where}.${String(name)}`, 'may now be missing')
  }

  /** Compares the variants of a union. Pairs them by the constant that identifies a variant, or else by position. */
  private compareKinds(old: Json, now: Json, side: Side, where: string): void {
    const [was, is] = [kindsOf(this.before, old), kindsOf(this.after, now)]
    if (was.size === 0 || is.size === 0) return
    for (const [kind, schema] of was) {
      const next = is.get(kind)
      if (next) this.compare({ before: schema, after: next }, side, `${where}(${kind})`)
      else if (side === 'sent') this.say(`${where}(${kind})`, 'is no longer accepted')
    }
  }

  private compareParameters(old: Json, now: Json, where: string): void {
    const inOrder = (document: Document, of: Json) =>
      new Map(
        listAt(of, 'parameters')
          .filter(isObject)
          .map((one) => resolved(document, one))
          .map((one) => [`${String(one.in)} ${String(one.name)}`, one]),
      )
    const [was, is] = [inOrder(this.before, old), inOrder(this.after, now)]
    for (const [name, parameter] of was) {
      const next = is.get(name)
      if (!next) this.say(`${where} ${name}`, 'is no longer accepted')
      else
        this.compare(
          { before: objectAt(parameter, 'schema'), after: objectAt(next, 'schema') },
          'sent',
          `${where} ${name}`,
        )
    }
    for (const [name, parameter] of is)
      if (parameter.required === true && was.get(name)?.required !== true)
        this.say(`${where} ${name}`, 'is now required')
  }

  private compareContent(old: Json, now: Json, side: Side, where: string): void {
    for (const type of Object.keys(old)) {
      if (now[type] === undefined)
        this.say(`${where} ${type}`, side === 'sent' ? 'is no longer accepted' : 'is no longer returned')
      else
        this.compare(
          { before: objectAt(old, type, 'schema'), after: objectAt(now, type, 'schema') },
          side,
          `${where} ${type}`,
        )
    }
  }

  private compareOperations(old: Json, now: Json, where: string): void {
    this.compareParameters(old, now, where)
    const [was, is] = [objectAt(old, 'requestBody'), objectAt(now, 'requestBody')]
    if (is.required === true && was.required !== true) this.say(where, 'now needs a body')
    this.compareContent(objectAt(was, 'content'), objectAt(is, 'content'), 'sent', where)
    for (const status of Object.keys(objectAt(old, 'responses')).filter((one) => one.startsWith('2'))) {
      const answer = objectAt(now, 'responses', status)
      if (Object.keys(answer).length === 0) this.say(where, `no longer returns ${status}`)
      else
        this.compareContent(
          objectAt(old, 'responses', status, 'content'),
          objectAt(answer, 'content'),
          'answered',
          `${where} → ${status}`,
        )
    }
  }

  compareAll(): void {
    for (const [path, operations] of Object.entries(this.before.paths ?? {}))
      for (const method of methods.filter((one) => operations[one] !== undefined)) {
        const where = `${method.toUpperCase()} ${path}`
        const now = this.after.paths?.[path]?.[method]
        if (!now) this.say(where, 'is gone')
        else this.compareOperations(operations[method] ?? {}, now, where)
      }
  }
}

export const breakingChanges = (before: Document, after: Document): string[] => {
  const comparison = new Comparison(before, after)
  comparison.compareAll()
  return [...comparison.found]
}

const valuesOf = (schema: Json): unknown[] | undefined =>
  schema.const === undefined ? (Array.isArray(schema.enum) ? (schema.enum as unknown[]) : undefined) : [schema.const]

const nameOf = (schema: Json, written: Json): string | undefined => {
  for (const field of ['type', 'kind', 'by']) {
    const value = objectAt(schema, 'properties', field).const
    if (typeof value === 'string') return value
  }
  if (typeof written.$ref === 'string') return written.$ref.split('/').at(-1)
  return typeof schema.type === 'string' && schema.type !== 'object' ? schema.type : undefined
}

const kindsOf = (document: Document, schema: Json): Map<string, Json> => {
  const kinds = [...listAt(schema, 'oneOf'), ...listAt(schema, 'anyOf')].filter(isObject)
  return new Map(kinds.map((kind, at) => [nameOf(resolved(document, kind), kind) ?? `${at + 1}`, kind]))
}
