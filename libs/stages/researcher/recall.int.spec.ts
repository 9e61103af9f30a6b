import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { hasData, skippedWithout, tell } from '@plumbline/skills/eval/data'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { whole } from './eval/arms'
import { find, recallAt, type Found } from './eval/measure'
import { fill, sets } from './eval/sets'

describe.skipIf(!hasData)(skippedWithout('what retrieval finds without a model'), () => {
  let folder: string
  beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'plumbline-recall-'))))
  afterAll(() => rm(folder, { recursive: true }))

  it.each(sets.map((set) => [set.name, set] as const))('%s', { timeout: 120_000 }, async (name, set) => {
    const index = await fill(join(folder, `${name}.sqlite`), set.passages())
    const found: Found[] = []
    for (const query of set.queries()) found.push(await find(index, query, whole))
    await index.close()
    tell(`recall@5 ${name}: ${recallAt(found, 5).toFixed(3)} (${set.floor} asked)`)
    expect(recallAt(found, 5)).toBeGreaterThanOrEqual(set.floor)
  })
})
