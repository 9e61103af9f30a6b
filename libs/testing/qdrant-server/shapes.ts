import { z } from 'zod'

/** The parts of a request. Any other field is rejected, so that no field is silently ignored. */
const id = z.union([z.int().min(0), z.string()])
const numbers = z.array(z.number())
export const Sparse = z.strictObject({ indices: z.array(z.int()), values: numbers })
export type Sparse = z.infer<typeof Sparse>

const range = z.strictObject({
  lt: z.number().optional(),
  lte: z.number().optional(),
  gt: z.number().optional(),
  gte: z.number().optional(),
})
const match = z.union([z.strictObject({ value: z.string() }), z.strictObject({ any: z.array(z.string()) })])
const Field = z.union([z.strictObject({ key: z.string(), match }), z.strictObject({ key: z.string(), range })])
export type Field = z.infer<typeof Field>
/** A filter whose conditions must all match the same element of a list. */
const Nested = z.strictObject({
  nested: z.strictObject({ key: z.string(), filter: z.strictObject({ must: z.array(Field) }) }),
})
const Not = z.strictObject({ must_not: z.array(Field) })
const Condition = z.union([Field, Nested, Not])
export const Filter = z.strictObject({ must: z.array(Condition).optional(), must_not: z.array(Condition).optional() })
export type Filter = z.infer<typeof Filter>

const keyword = z.strictObject({
  type: z.literal('keyword'),
  is_tenant: z.boolean().optional(),
  enable_hnsw: z.boolean().optional(),
})
const number = z.strictObject({ type: z.enum(['integer', 'float']), enable_hnsw: z.boolean().optional() })
export const FieldIndex = z.strictObject({ field_name: z.string(), field_schema: z.union([keyword, number]) })

const memory = z.enum(['cold', 'cached', 'pinned'])
const vectors = z.record(
  z.string(),
  z.strictObject({ size: z.int().min(1), distance: z.literal('Cosine'), memory: memory.optional() }),
)
const quantisation = z.union([
  z.strictObject({ scalar: z.strictObject({ type: z.literal('int8'), quantile: z.number(), memory }) }),
  z.strictObject({ binary: z.strictObject({ memory }) }),
])
export const NewCollection = z.strictObject({
  vectors,
  sparse_vectors: z.record(z.string(), z.strictObject({ modifier: z.literal('idf') })).default({}),
  hnsw_config: z.strictObject({ m: z.int(), payload_m: z.int() }).optional(),
  quantization_config: quantisation.nullish(),
})
export type NewCollection = z.infer<typeof NewCollection>

export const Aliases = z.strictObject({
  actions: z.array(
    z.union([
      z.strictObject({ create_alias: z.strictObject({ collection_name: z.string(), alias_name: z.string() }) }),
      z.strictObject({ delete_alias: z.strictObject({ alias_name: z.string() }) }),
    ]),
  ),
})
export type AliasAction = z.infer<typeof Aliases>['actions'][number]

const point = z.strictObject({
  id,
  vector: z.record(z.string(), z.union([numbers, Sparse])),
  payload: z.record(z.string(), z.unknown()).default({}),
})
export const Upsert = z.strictObject({
  points: z.array(point),
  update_filter: Filter.optional(),
  update_mode: z.literal('insert_only').optional(),
})
export const Delete = z.strictObject({ filter: Filter })
export const SetPayload = z.strictObject({ payload: z.record(z.string(), z.unknown()), filter: Filter })

const wanted = { with_payload: z.union([z.boolean(), z.array(z.string())]).optional() }
export const Retrieve = z.strictObject({ ids: z.array(id), ...wanted, with_vector: z.boolean().optional() })
export const Scroll = z.strictObject({
  filter: Filter.optional(),
  limit: z.int().min(1).default(10),
  offset: id.optional(),
  ...wanted,
  with_vector: z.boolean().optional(),
})
export const Count = z.strictObject({ filter: Filter.optional(), exact: z.boolean().optional() })
export const Facet = z.strictObject({
  key: z.string(),
  filter: Filter.optional(),
  limit: z.int().min(1).default(10),
  exact: z.literal(true),
})

export const Expression = z.union([
  z.number(),
  z.string().regex(/^\$score\[\d+\]$/),
  z.strictObject({
    get sum() {
      return z.array(Expression)
    },
  }),
  z.strictObject({
    get mult() {
      return z.array(Expression)
    },
  }),
])
export type Expression = number | string | { sum: Expression[] } | { mult: Expression[] }

const nearest = z.union([numbers, Sparse])
export const PointQuery = z.union([
  z.strictObject({
    nearest,
    mmr: z
      .strictObject({ diversity: z.number().min(0).max(1), candidates_limit: z.int().min(0).max(16_384) })
      .optional(),
  }),
  z.strictObject({ rrf: z.strictObject({ k: z.int().min(1).default(2), weights: numbers.optional() }) }),
  z.strictObject({ formula: Expression }),
])
export type PointQuery = z.infer<typeof PointQuery>

const params = z.strictObject({
  quantization: z.strictObject({ rescore: z.boolean(), oversampling: z.number().min(1) }).optional(),
  idf: z.strictObject({ corpus: Filter }).optional(),
})
const searching = {
  query: PointQuery,
  using: z.string().optional(),
  filter: Filter.optional(),
  params: params.optional(),
  limit: z.int().min(1).default(10),
}
export type Prefetch = z.infer<z.ZodObject<typeof searching>> & { prefetch: Prefetch[] }
export const Prefetch: z.ZodType<Prefetch> = z.strictObject({
  ...searching,
  prefetch: z.lazy(() => z.array(Prefetch)).default([]),
})
export const Query = z.strictObject({ ...searching, ...wanted, prefetch: z.array(Prefetch).default([]) })
