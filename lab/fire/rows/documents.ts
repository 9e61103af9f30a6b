import { inLibrary, tenant, type Library } from '../library'
import { ingestLimits } from '@plumbline/ingestor/ingest-loop'
import { residentMb, watchMemory } from '@plumbline/testing/processes'
import { percent, type Row } from '../row'
import { pause, until } from '../wait'

const never = new AbortController().signal
const scope = { tenant, collections: ['fire'], filters: {}, access: 'all' as const }
const sections = { old: 34, new: 40 }
type Edition = keyof typeof sections

const written = (name: string, edition: Edition): string =>
  Array.from(
    { length: sections[edition] },
    (_, n) =>
      `# Part ${n} of ${name}\n\nThe ${edition} edition of ${name} says this in its part ${n}: ${'stone and slate '.repeat(8)}.`,
  ).join('\n\n')

type ReadResult = { looks: number; half: string[] }

/** Checks repeatedly that each document consists of all passages of one version. */
const watching = ({ index }: Library, ids: string[]) => {
  const seen: ReadResult = { looks: 0, half: [] }
  let open = true
  const look = async (): Promise<void> => {
    const id = ids[Math.floor(Math.random() * ids.length)] ?? ''
    const passages = await index.passages(scope, id, null, never)
    const editions = new Set(passages.map(({ text }) => (text.includes('The new edition') ? 'new' : 'old')))
    const versions = new Set(passages.map(({ version }) => version))
    const [edition] = editions
    seen.looks++
    if (editions.size !== 1 || versions.size !== 1 || !edition || passages.length !== sections[edition])
      seen.half.push(`${id}: ${passages.length} passages of ${editions.size} editions`)
  }
  const watched = (async () => {
    while (open) {
      await look()
      await pause(5)
    }
  })()
  // Avoids an unhandled rejection, because an interrupted test does not await this promise.
  watched.catch(() => undefined)
  return async (): Promise<ReadResult> => {
    open = false
    await watched
    return seen
  }
}

const allIndexed = async ({ catalog }: Library, ids: string[], timeoutMs: number): Promise<void> => {
  let left = ids
  await until(
    'every document is indexed',
    async () => {
      const views = await Promise.all(left.map((id) => catalog.document(tenant, id)))
      const failed = views.find((view) => view?.status === 'failed')
      if (failed) throw new Error(`${failed.title} failed in ${failed.task}: ${failed.problem?.code}, ${failed.error}`)
      left = left.filter((_, n) => views[n]?.status !== 'indexed')
      return left.length === 0
    },
    timeoutMs,
  ).catch((cause: unknown) => {
    throw new Error(
      `${left.length} of ${ids.length} documents were not indexed (for example ${left[0]}): ${cause instanceof Error ? cause.message : ''}`,
      { cause },
    )
  })
}

const killing = async ({ crew }: Library, kills: number): Promise<void> => {
  for (let n = 0; n < kills; n++) {
    await until(
      'an ingestor consumes',
      () => crew.members.some((member) => member.alive() && member.output.some((line) => line.includes('consuming'))),
      60_000,
    )
    await pause(200 + Math.random() * 1_300)
    const able = crew.members.filter(
      (member) => member.alive() && member.output.some((line) => line.includes('consuming')),
    )
    await able[Math.floor(Math.random() * able.length)]?.kill('SIGKILL')
  }
}

const wrongWith = async ({ index, stored }: Library, ids: string[]): Promise<string[]> => {
  const wrong: string[] = []
  const known = new Set<string>()
  for (const id of ids) {
    const passages = await index.passages(scope, id, null, never)
    if (passages.length !== sections.new || passages.some(({ text }) => !text.includes('The new edition')))
      wrong.push(`${id} has ${passages.length} passages`)
    for (const passage of passages)
      if (known.size === known.add(passage.id).size) wrong.push(`${passage.id} stands twice`)
  }
  const count = await index.count(scope, never)
  if (count !== ids.length * sections.new) wrong.push(`${count} passages in the index`)
  const paths = await stored()
  const originals = paths.filter((path) => path.endsWith('/original')).length
  if (originals !== ids.length) wrong.push(`${originals} originals of ${ids.length} documents`)
  if (paths.some((path) => path.endsWith('.bin'))) wrong.push('vectors of documents that are through')
  return wrong
}

export const D1: Row = {
  id: 'D1',
  promise:
    'the ingestor killed 20 times during 300 documents: each ends once, no passage twice, no half version ever served, a kill repeats at most one batch of each document in work',
  run: (scale) =>
    inLibrary({ ingestors: 2, embedMs: 60 }, async (library) => {
      const [count, replaced, kills] = scale === 'full' ? [300, 100, 20] : [60, 20, 4]
      const names = Array.from({ length: count }, (_, n) => `document ${n}`)
      const before = []
      for (const name of names.slice(0, replaced)) before.push((await library.send(name, written(name, 'old'))).id)
      await allIndexed(library, before, 240_000)
      const firstCalls = library.model.calls('embeddings').length
      const stopWatching = watching(library, before)
      const fire = killing(library, kills)
      const ids = []
      for (const name of names) ids.push((await library.send(name, written(name, 'new'))).id)
      await fire
      await allIndexed(library, ids, 400_000)
      const { looks, half } = await stopWatching()
      const wrong = [...half, ...(await wrongWith(library, ids))]
      const batches = count * Math.ceil(sections.new / 32)
      const calls = library.model.calls('embeddings').length - firstCalls
      return {
        holds: wrong.length === 0 && calls - batches <= ingestLimits.shortTexts * kills,
        figures: {
          documents: `${ids.length}/${count}`,
          replaced,
          kills,
          looks,
          'half versions': half.length,
          wrong: wrong.length,
          ...(wrong[0] && { 'for example': wrong[0] }),
          'batches embedded twice': `${calls - batches} (${percent((calls - batches) / batches)})`,
        },
      }
    }),
}

const megabytes = 1_000_000
const table = (bytes: number): string => {
  const columns = Array.from({ length: 40 }, (_, n) => `measure ${n}`)
  const lines = [columns.join(',')]
  for (let row = 0, size = 0; size < bytes; row++) {
    const line = columns.map((_, n) => (n === 0 ? `site ${row}` : `${(row * 7919 + n * 104729) % 99991}`)).join(',')
    size += line.length + 1
    lines.push(line)
  }
  return lines.join('\n')
}

export const D3: Row = {
  id: 'D3',
  promise: 'two CSVs of 4 MB at once: an ingestor takes +≤ 250 MB, and 30 s later +≤ 140 MB',
  run: () =>
    inLibrary({ ingestors: 1 }, async (library) => {
      const [ingestor] = library.crew.members
      if (!ingestor) throw new Error('no ingestor')
      await until('the ingestor consumes', () => ingestor.output.some((line) => line.includes('consuming')), 60_000)
      const start = residentMb(ingestor.pid)
      const memory = watchMemory(ingestor.pid)
      const ids = []
      for (const name of ['first', 'second']) ids.push((await library.send(name, table(4 * megabytes), 'csv')).id)
      await allIndexed(library, ids, 300_000)
      const passages = await library.index.count(scope, never)
      await pause(30_000)
      const [peak, kept] = [memory.stop() - start, residentMb(ingestor.pid) - start]
      return {
        holds: peak <= 250 && kept <= 140,
        figures: {
          passages,
          'at the start': `${Math.round(start)} MB`,
          'at most': `+${Math.round(peak)} MB`,
          '30 s later': `+${Math.round(kept)} MB`,
        },
      }
    }),
}
