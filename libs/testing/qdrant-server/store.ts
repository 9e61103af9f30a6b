import type { AliasAction, Field, Filter, NewCollection, Sparse } from './shapes'

export class Refusal extends Error {
  constructor(
    readonly status: number,
    words: string,
  ) {
    super(words)
    this.name = 'Refusal'
  }
}

export type Id = number | string
export type Point = {
  id: Id
  dense: Record<string, Float32Array>
  sparse: Record<string, Sparse>
  payload: Record<string, unknown>
}
export type Collection = {
  settings: NewCollection
  indexes: Map<string, { type: 'keyword' | 'integer' | 'float'; is_tenant?: boolean | undefined }>
  points: Map<Id, Point>
}

export type Store = { collections: Map<string, Collection>; aliases: Map<string, string> }
export const newStore = (): Store => ({ collections: new Map(), aliases: new Map() })

const forbidden = /[<>:"/\\|?*\0]/

export const collectionOf = ({ collections, aliases }: Store, name: string): Collection => {
  const found = collections.get(name) ?? collections.get(aliases.get(name) ?? '')
  if (!found) throw new Refusal(404, `Not found: Collection \`${name}\` doesn't exist!`)
  return found
}

export const addCollection = ({ collections, aliases }: Store, name: string, settings: NewCollection): void => {
  if (forbidden.test(name) || name.length > 255)
    throw new Refusal(422, `Validation error in path parameters: [collection_name: ${name}]`)
  if (collections.has(name) || aliases.has(name))
    throw new Refusal(409, `Wrong input: Collection \`${name}\` already exists!`)
  collections.set(name, { settings, indexes: new Map(), points: new Map() })
}

export const dropCollection = ({ collections, aliases }: Store, name: string): boolean => {
  for (const [alias, target] of aliases) if (target === name) aliases.delete(alias)
  return collections.delete(name)
}

/** Changes several aliases in one step. If one action fails, no alias is changed. */
export const changeAliases = (store: Store, actions: AliasAction[]): void => {
  const next = new Map(store.aliases)
  for (const action of actions) {
    if ('delete_alias' in action) {
      next.delete(action.delete_alias.alias_name)
      continue
    }
    const { alias_name: alias, collection_name: collection } = action.create_alias
    if (!store.collections.has(collection))
      throw new Refusal(404, `Not found: Collection \`${collection}\` doesn't exist!`)
    if (store.collections.has(alias)) throw new Refusal(409, `Wrong input: Collection \`${alias}\` already exists!`)
    next.set(alias, collection)
  }
  store.aliases = next
}

const listOf = (value: unknown): unknown[] =>
  Array.isArray(value) ? value : value === undefined || value === null ? [] : [value]
const valuesAt = (point: Point, key: string): unknown[] => listOf(point.payload[key])

type MustCondition = NonNullable<Filter['must']>[number]

/** Rejects a filter on a field without an index, as Qdrant does in strict mode. */
const needIndex = (collection: Collection, key: string, isRange: boolean): void => {
  const types = isRange ? ['integer', 'float'] : ['keyword']
  if (types.includes(collection.indexes.get(key)?.type ?? '')) return
  throw new Refusal(
    400,
    `Bad request: Index required but not found for "${key}" of one of the following types: [${types.join(', ')}]. Help: Create an index for this key or use a different filter.`,
  )
}

const fits = (value: unknown, field: Field): boolean => {
  if ('match' in field)
    return 'value' in field.match ? value === field.match.value : field.match.any.includes(value as string)
  const { lt = Infinity, lte = Infinity, gt = -Infinity, gte = -Infinity } = field.range
  return typeof value === 'number' && value < lt && value <= lte && value > gt && value >= gte
}

const holds = (collection: Collection, point: Point, condition: MustCondition): boolean => {
  if ('must_not' in condition) return !condition.must_not.some((one) => holds(collection, point, one))
  if ('nested' in condition) {
    const { key, filter } = condition.nested
    for (const field of filter.must) needIndex(collection, `${key}[].${field.key}`, 'range' in field)
    return valuesAt(point, key).some((element) =>
      filter.must.every((field) =>
        listOf((element as Record<string, unknown>)[field.key]).some((value) => fits(value, field)),
      ),
    )
  }
  needIndex(collection, condition.key, 'range' in condition)
  return valuesAt(point, condition.key).some((value) => fits(value, condition))
}

export const passes = (collection: Collection, point: Point, { must = [], must_not: mustNot = [] }: Filter): boolean =>
  must.every((condition) => holds(collection, point, condition)) &&
  !mustNot.some((condition) => holds(collection, point, condition))

export const pointsWhere = (collection: Collection, filter: Filter = {}): Point[] =>
  [...collection.points.values()].filter((point) => passes(collection, point, filter))
export { valuesAt }
