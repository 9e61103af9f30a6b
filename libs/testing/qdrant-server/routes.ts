import type { z } from 'zod'
import { answerQuery } from './query'
import {
  addCollection,
  changeAliases,
  collectionOf,
  dropCollection,
  passes,
  pointsWhere,
  Refusal,
  valuesAt,
  type Collection,
  type Id,
  type Point,
  type Store,
} from './store'
import * as shapes from './shapes'

type Wanted = { with_payload?: boolean | string[] | undefined; with_vector?: boolean | undefined }

const pointView = (point: Point, { with_payload: wanted = true, with_vector: vectors = false }: Wanted) => ({
  id: point.id,
  ...(wanted !== false && {
    payload:
      wanted === true
        ? point.payload
        : Object.fromEntries(Object.entries(point.payload).filter(([key]) => wanted.includes(key))),
  }),
  ...(vectors && {
    vector: {
      ...Object.fromEntries(Object.entries(point.dense).map(([name, values]) => [name, Array.from(values)])),
      ...point.sparse,
    },
  }),
})

const unit = (values: number[]): Float32Array => {
  const length = Math.hypot(...values)
  return Float32Array.from(values, (value) => (length === 0 ? value : value / length))
}

const pointFrom = (
  { settings }: Collection,
  { id, vector, payload }: z.infer<typeof shapes.Upsert>['points'][number],
): Point => {
  if (typeof id === 'string' && !/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(id))
    throw new Refusal(400, `Format error in JSON body: value ${id} is not a valid point ID`)
  const point: Point = { id, dense: {}, sparse: {}, payload }
  for (const [name, values] of Object.entries(vector)) {
    const { size } = settings.vectors[name] ?? {}
    if (Array.isArray(values)) {
      if (size === undefined) throw new Refusal(400, `Wrong input: Not existing vector name error: ${name}`)
      if (values.length !== size)
        throw new Refusal(400, `Wrong input: Vector dimension error: expected dim: ${size}, got ${values.length}`)
      point.dense[name] = unit(values)
    } else {
      if (!(name in settings.sparse_vectors))
        throw new Refusal(400, `Wrong input: Not existing vector name error: ${name}`)
      if (new Set(values.indices).size !== values.indices.length || values.indices.length !== values.values.length)
        throw new Refusal(422, 'Validation error in JSON body: [indices: must be unique]')
      point.sparse[name] = values
    }
  }
  return point
}

const upsert = (
  collection: Collection,
  { points, update_filter: condition, update_mode: mode }: z.infer<typeof shapes.Upsert>,
): void => {
  for (const point of points.map((one) => pointFrom(collection, one))) {
    const held = collection.points.get(point.id)
    if (held && (mode === 'insert_only' || (condition && !passes(collection, held, condition)))) continue
    collection.points.set(point.id, point)
  }
}

const inOrder = (a: Point, b: Point): number => (String(a.id) < String(b.id) ? -1 : 1)

const scroll = (collection: Collection, { filter, limit, offset, ...wanted }: z.infer<typeof shapes.Scroll>) => {
  const rest = pointsWhere(collection, filter)
    .sort(inOrder)
    .filter(({ id }) => offset === undefined || String(id) >= String(offset))
  return {
    points: rest.slice(0, limit).map((point) => pointView(point, wanted)),
    next_page_offset: rest[limit]?.id ?? null,
  }
}

const facet = (collection: Collection, { key, filter, limit }: z.infer<typeof shapes.Facet>) => {
  if (!collection.indexes.has(key))
    throw new Refusal(
      400,
      `Bad request: Index required but not found for "${key}" of one of the following types: [keyword, integer]`,
    )
  const counts = new Map<unknown, number>()
  for (const point of pointsWhere(collection, filter))
    for (const value of valuesAt(point, key)) counts.set(value, (counts.get(value) ?? 0) + 1)
  return {
    hits: Array.from(counts, ([value, count]) => ({ value, count }))
      .sort((a, b) => b.count - a.count)
      .slice(0, limit),
  }
}

const completed = { operation_id: 0, status: 'completed' }
const done = (_: unknown) => completed

type Route = { method: string; pattern: RegExp; answer(store: Store, name: string, body: unknown): unknown }

const route = <Shape extends z.ZodType>(
  method: string,
  path: string,
  shape: Shape | null,
  answer: (store: Store, name: string, body: z.infer<Shape>) => unknown,
): Route => ({
  method,
  pattern: new RegExp(`^${path.replace(':name', '([^/]+)')}$`),
  answer: (store, name, body) => {
    if (shape === null) return answer(store, name, undefined as z.infer<Shape>)
    const read = shape.safeParse(body)
    if (!read.success)
      throw new Refusal(
        501,
        `Not here: ${read.error.issues.map(({ path: at, message }) => `/${at.join('/')}: ${message}`).join('; ')}`,
      )
    return answer(store, name, read.data)
  },
})

const onPoints = <Shape extends z.ZodType>(
  method: string,
  path: string,
  shape: Shape,
  answer: (collection: Collection, body: z.infer<Shape>) => unknown,
): Route =>
  route(method, `/collections/:name/${path}`, shape, (store, name, body) => answer(collectionOf(store, name), body))

const where = (collection: Collection, filter: shapes.Filter): Id[] =>
  pointsWhere(collection, filter).map(({ id }) => id)

export const routes: readonly Route[] = [
  route('GET', '/collections', null, (store) => ({
    collections: [...store.collections.keys()].map((name) => ({ name })),
  })),
  route('GET', '/aliases', null, (store) => ({
    aliases: Array.from(store.aliases, ([alias, collection]) => ({ alias_name: alias, collection_name: collection })),
  })),
  route(
    'POST',
    '/collections/aliases',
    shapes.Aliases,
    (store, _, { actions }) => (changeAliases(store, actions), true),
  ),
  route(
    'PUT',
    '/collections/:name',
    shapes.NewCollection,
    (store, name, settings) => (addCollection(store, name, settings), true),
  ),
  route('DELETE', '/collections/:name', null, (store, name) => dropCollection(store, name)),
  onPoints('PUT', 'index', shapes.FieldIndex, (collection, { field_name: field, field_schema: schema }) =>
    done(collection.indexes.set(field, schema)),
  ),
  onPoints('PUT', 'points', shapes.Upsert, (collection, body) => done(upsert(collection, body))),
  onPoints('POST', 'points/delete', shapes.Delete, (collection, { filter }) =>
    done(where(collection, filter).forEach((id) => collection.points.delete(id))),
  ),
  onPoints('POST', 'points/payload', shapes.SetPayload, (collection, { filter, payload }) =>
    done(pointsWhere(collection, filter).forEach((point) => Object.assign(point.payload, payload))),
  ),
  onPoints('POST', 'points', shapes.Retrieve, (collection, { ids, ...wanted }) =>
    ids.flatMap((id) => collection.points.get(id) ?? []).map((point) => pointView(point, wanted)),
  ),
  onPoints('POST', 'points/scroll', shapes.Scroll, scroll),
  onPoints('POST', 'points/count', shapes.Count, (collection, { filter }) => ({
    count: pointsWhere(collection, filter).length,
  })),
  onPoints('POST', 'facet', shapes.Facet, facet),
  onPoints('POST', 'points/query', shapes.Query, (collection, query) => ({
    points: answerQuery(collection, query).map(({ point, score }) => ({
      ...pointView(point, { with_payload: query.with_payload ?? false }),
      score,
      version: 0,
    })),
  })),
]
