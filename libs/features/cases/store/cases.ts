import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { Case, type CaseSummary, type CaseTry } from '@plumbline/contracts'
import { type RedisClient, withScripts } from '@plumbline/adapters/redis/client/client'
import { answerWithinMs, throughCall, withTimeout } from '@plumbline/adapters/redis/client/errors'
import { keys } from '@plumbline/adapters/redis/client/keys'
import { type Page, type Position, readPage, walk } from '@plumbline/adapters/redis/client/sorted-sets'
import putCase from './lua/put-case.lua'
import removeCase from './lua/remove-case.lua'

export type CaseRow = CaseSummary & {
  access?: Case['access']
  tries: CaseTry[]
  /** True if the answer was held for review only because of its score. */
  byScore: boolean
}
export type KeptCase = { row: CaseRow; value: Case }

const dayMs = 86_400_000
const pieceSize = 200

const packed = (value: Case): Buffer => deflateRawSync(Buffer.from(JSON.stringify(value)))
const unpacked = (bytes: Buffer): Case => Case.parse(JSON.parse(inflateRawSync(bytes).toString('utf8')))

export const openCases = (redis: RedisClient, keptDays: number) => {
  const scripts = withScripts(redis, {
    casePut: { lua: putCase, numberOfKeys: 3 },
    caseRemove: { lua: removeCase, numberOfKeys: 3 },
  })
  const keysOf = (tenant: string, id: string): [string, string, string] => [
    keys.case(tenant, id),
    keys.cases(tenant),
    keys.caseRows(tenant),
  ]
  const rowsOf = async (tenant: string, piece: Position[]): Promise<(CaseRow | null)[]> => {
    const texts = await redis.hmget(keys.caseRows(tenant), ...piece.map(({ id }) => id))
    const oldest = Date.now() - keptDays * dayMs
    return texts.map((text, at) => (text && (piece[at]?.score ?? 0) > oldest ? (JSON.parse(text) as CaseRow) : null))
  }
  const call = withTimeout(answerWithinMs)
  const stored = throughCall(call, {
    put: async (tenant: string, { row, value }: KeptCase): Promise<boolean> =>
      (await scripts.casePut(
        ...keysOf(tenant, value.id),
        value.id,
        Date.parse(value.decidedAt),
        JSON.stringify(row),
        packed(value),
        keptDays * dayMs,
        keys.parked(tenant, 'rows'),
      )) === 1,
    has: async (tenant: string, id: string): Promise<boolean> => (await redis.exists(keys.case(tenant, id))) === 1,
    get: async (tenant: string, id: string): Promise<Case | null> => {
      const bytes = await redis.getBuffer(keys.case(tenant, id))
      return bytes && bytes.length > 0 ? unpacked(bytes) : null
    },
    remove: async (tenant: string, id: string): Promise<boolean> =>
      (await scripts.caseRemove(...keysOf(tenant, id), id)) === 1,
    list: (tenant: string, page: Page<CaseRow>) =>
      readPage(redis, keys.cases(tenant), (piece) => rowsOf(tenant, piece), page),
  })
  return {
    keptDays,
    ...stored,
    async *rows(tenant: string): AsyncGenerator<CaseRow[]> {
      for await (const piece of walk(redis, keys.cases(tenant), null, pieceSize))
        yield (await rowsOf(tenant, piece)).filter((row) => row !== null)
    },
  }
}
export type CaseStore = ReturnType<typeof openCases>
