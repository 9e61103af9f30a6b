import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { hasData, skippedWithout, tell } from '@plumbline/skills/eval/data'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { baseline, ours } from './eval/arms'
import { findAll, recallAt, standsBeside } from './eval/measure'
import { fill, sets } from './eval/sets'

describe.skipIf(!hasData)(skippedWithout('what retrieval finds without a model'), () => {
  let folder: string
  beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'plumbline-recall-'))))
  afterAll(() => rm(folder, { recursive: true }))

  it.each(sets.map((set) => [set.name, set] as const))('%s', { timeout: 120_000 }, async (name, set) => {
    const index = await fill(join(folder, `${name}.sqlite`), await set.passages())
    const [found, words] = [await findAll(index, set.queries(), ours), await findAll(index, set.queries(), baseline)]
    await index.close()
    tell(`recall@5 ${name}: ${recallAt(found, 5).toFixed(3)}, BM25 alone ${recallAt(words, 5).toFixed(3)}`)
    expect(recallAt(words, 5)).toBeGreaterThan(0)
    expect(standsBeside(found, words)).toBe(true)
  })
})
