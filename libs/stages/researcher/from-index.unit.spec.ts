import { lexicalEmbedder } from '@plumbline/adapters/offline/lexical-embedder'
import type { Run, StartAsk, Step } from '@plumbline/flow'
import { admitted, after, asking, routed } from '@plumbline/flow/spec/run-fixtures.spec'
import type { Lookup } from '@plumbline/ports/lookup'
import type { PassageIndex } from '@plumbline/ports/passage-index/passage-index'
import { offlineSkills } from '@plumbline/skills/offline'
import type { FillLookup } from '@plumbline/skills/skill/skill'
import { indexed } from '@plumbline/testing/indexed'
import { describe, expect, it } from 'vitest'
import { workOn } from '../work.spec'
import { filled, handler, idsOf, never, passageOf, researching } from './research-fixtures.spec'

describe('research for a summary', () => {
  const long = async (length: number): Promise<PassageIndex> => {
    const index = await filled()
    const passages = Array.from({ length }, (_, position) => ({
      passage: {
        ...passageOf('mars'),
        id: `h${position}`,
        documentId: 'handbook',
        title: 'Handbook of moons',
        text: `Part ${position} of the handbook.`,
        position,
      },
      vector: new Float32Array(512),
    }))
    await index.write('default', indexed('handbook', 'planets', lexicalEmbedder), passages, never)
    return index
  }
  const summary = async (title: string, question = `Summarise ${title}`, length = 90) => {
    const toSumUp = routed({ outcome: 'summarise', logic: 'A summary.', collections: ['planets'], title })
    const given = after(asking({}, { question }), admitted, toSumUp)
    return (await handler({ index: await long(length) }))(workOn(given, 'research'))
  }

  it.each(['Handbook of moons', 'the moons handbook', 'the handbook'])(
    'reads the whole of the document the router named: %s',
    async (title) => {
      const result = await summary(title)
      const ids = idsOf(result)
      expect(ids).toHaveLength(90)
      expect(result.queries).toEqual([`Summarise ${title}`])
    },
  )

  it('reads 96 passages of a longer document, from the first to the last', async () => {
    const ids = idsOf(await summary('the handbook', undefined, 240))
    expect(ids).toHaveLength(96)
    expect([ids[0], ids.at(-1)]).toEqual(['h0', 'h239'])
  })

  it('searches as ever where no document has such a title', async () => {
    const result = await summary('the almanac', 'What is the mass of Mars?')
    expect(idsOf(result)[0]).toBe('mars')
    expect(result.queries).toEqual(['What is the mass of Mars?'])
  })

  it('searches as ever for a question that is to be researched', async () => {
    const given = researching({}, 'Summarise the handbook of moons')
    const result = await (await handler({ index: await long(30) }))(workOn(given, 'research'))
    expect(idsOf(result).length).toBeLessThan(24)
  })
})

describe('research: lookups beside the documents', () => {
  const moons = (more: Partial<Lookup> = {}): Lookup => ({
    name: 'moons-of-planets',
    description: 'The moons of a planet.',
    tenants: ['default'],
    collections: ['planets'],
    params: [{ name: 'planet', description: 'The planet.', values: ['Mars', 'Venus'] }],
    look: ({ planet = '' }) =>
      Promise.resolve({ kind: 'rows', columns: ['moon', 'of'], rows: [['Phobos | one', planet]], cut: false }),
    ...more,
  })
  const asked = 'Which moons does Mars have?'
  const look = async (lookups: Lookup[], ask: Partial<StartAsk> = {}) =>
    (await handler({ lookups }))(workOn(researching(ask, asked), 'research'))
  const told = (result: Awaited<ReturnType<typeof look>>): string[] =>
    (result.outcome === 'found' ? result.passages : [])
      .filter(({ documentId }) => documentId === 'lookup:moons-of-planets')
      .map(({ text }) => text)

  it('brings what a lookup says as a table under its caption, beside what was retrieved', async () => {
    const result = await look([moons()])
    expect(result.outcome === 'found' ? result.passages[0]?.tables : undefined).toEqual([
      {
        line: 2,
        caption: 'Table: The moons of a planet (planet Mars)',
        header: [['moon', 'of']],
        rows: [['Phobos | one', 'Mars']],
      },
    ])
    expect(told(result)).toEqual([
      'Table: The moons of a planet (planet Mars)\n\n| moon | of |\n| --- | --- |\n| Phobos \\| one | Mars |',
    ])
    expect(idsOf(result)).toContain('mars')
    expect(idsOf(await look([moons()]))).toEqual(idsOf(result))
  })

  it.each<[string, Lookup, Partial<StartAsk>]>([
    ['another tenant has it', moons({ tenants: ['other'] }), {}],
    ['it belongs to another collection', moons({ collections: ['memory'] }), {}],
    ['the question does not fill it', moons({ params: [{ name: 'planet', description: 'x', values: ['Venus'] }] }), {}],
    [
      'it finds nothing',
      moons({ look: () => Promise.resolve({ kind: 'rows', columns: ['moon'], rows: [], cut: false }) }),
      {},
    ],
    ['the run is held to some documents', moons(), { filters: { kind: 'mars' } }],
  ])('brings nothing where %s', async (_, lookup, ask) => {
    const result = await look([lookup], ask)
    expect(told(result)).toEqual([])
    expect(result).not.toHaveProperty('degraded')
  })

  describe('if the router or the planner chose', () => {
    const calls: string[][] = []
    const skills = {
      ...offlineSkills,
      fillLookup: (...[input, call]: Parameters<FillLookup>) => {
        calls.push(input.lookups.map(({ name }) => `${name}${input.isChosen ? ' chosen' : ''}`))
        return offlineSkills.fillLookup(input, call)
      },
    }
    const all = [moons(), ...Array.from({ length: 19 }, (_, n) => moons({ name: `other-${n}` }))]
    const choose = async (run: Partial<Run>, step: Partial<Step> = {}, lookups = all) => {
      calls.length = 0
      const { run: given, ...rest } = researching({}, asked)
      const chosen = { ...given, ...run, steps: given.steps.map((each) => ({ ...each, ...step })) }
      return (await handler({ lookups, skills }))(workOn({ ...rest, run: chosen }, 'research'))
    }

    it('makes no call for 20 lookups if none fits', async () => {
      expect(told(await choose({ lookups: [] }))).toEqual([])
      expect(calls).toEqual([])
    })

    it('fills only the chosen lookups, in one call', async () => {
      expect(told(await choose({ lookups: ['moons-of-planets', 'other-3'] }))).toHaveLength(1)
      expect(calls).toEqual([['moons-of-planets chosen', 'other-3 chosen']])
    })

    it('prefers the choice of the planner for the step', async () => {
      await choose({ lookups: ['other-1', 'other-2'] }, { lookups: ['other-2'] })
      expect(calls).toEqual([['other-2 chosen']])
      await choose({ lookups: ['other-1'] }, { lookups: [] })
      expect(calls).toEqual([])
    })

    it('makes one call for all if nobody chose', async () => {
      await choose({})
      expect(calls).toEqual([all.map(({ name }) => name)])
    })

    it('makes no call for a chosen lookup without parameters', async () => {
      const result = await choose({ lookups: ['moons-of-planets'] }, {}, [moons({ params: [] })])
      expect(told(result)).toHaveLength(1)
      expect(calls).toEqual([])
    })

    it('names a chosen lookup that is not in the file, and all whose values cannot be found out', async () => {
      expect(await choose({ lookups: ['no-such'] })).toMatchObject({ degraded: ['lookup:no-such'] })
      const { run, ...rest } = researching({}, asked)
      const failing = { ...skills, fillLookup: () => Promise.reject(new Error('down')) }
      const work = workOn({ ...rest, run: { ...run, lookups: ['other-1', 'no-such'] } }, 'research')
      const result = await (await handler({ lookups: all, skills: failing }))(work)
      expect(result).toMatchObject({ outcome: 'found', degraded: ['lookup:no-such', 'lookup:other-1'] })
    })

    it('uses no chosen lookup of another tenant or collection', async () => {
      const lookups = [moons({ tenants: ['other'] }), moons({ name: 'far', collections: ['memory'] })]
      expect(told(await choose({ lookups: ['moons-of-planets', 'far'] }, {}, lookups))).toEqual([])
      expect(calls).toEqual([])
    })
  })

  it('continues without a lookup that fails, and names it', async () => {
    const result = await look([moons({ look: () => Promise.reject(new Error('down')) })])
    expect(result.degraded).toEqual(['lookup:moons-of-planets'])
    expect(idsOf(result)).toContain('mars')
  })
})

describe('research by a lookup that a rule of the operator names', () => {
  const lookup = (name: string, rows: string[][]): Lookup => ({
    name,
    description: 'Satellites.',
    tenants: ['default'],
    collections: ['planets'],
    params: [{ name: 'planet', description: 'The planet.', values: ['Mars'] }],
    look: () => Promise.resolve({ kind: 'rows', columns: ['name'], rows, cut: false }),
  })
  const lookups = [lookup('moons', [['Phobos']]), lookup('none', []), lookup('others', [['Io']])]
  const look = async (name: string) => {
    const { run, ...rest } = researching({}, 'What is the mass of Mars?')
    const result = await (await handler({ lookups }))(workOn({ ...rest, run: { ...run, lookup: name } }, 'research'))
    return { result, from: (result.outcome === 'found' ? result.passages : []).map(({ documentId }) => documentId) }
  }

  it('asks it alone where it answers, whatever its description says', async () =>
    expect((await look('moons')).from).toEqual(['lookup:moons']))

  it('searches the documents, and asks no other lookup, where it says nothing', async () => {
    const { from } = await look('none')
    expect(from).toContain('mars')
    expect(from.filter((id) => id.startsWith('lookup:'))).toEqual([])
  })

  it('names one that is not there, and searches the documents', async () => {
    const { result, from } = await look('no-such')
    expect(result.degraded).toEqual(['lookup:no-such'])
    expect(from).toContain('mars')
  })
})
