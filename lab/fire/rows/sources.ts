import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { NewSource, type SourceView } from '@plumbline/contracts'
import { inLibrary, tenant, type Library } from '../library'
import { seconds, type Row } from '../row'
import { until } from '../wait'

const never = new AbortController().signal
const scope = { tenant, collections: ['fire'], filters: {}, access: 'all' as const }
const sourceName = 'files'
const folders = 20

/** `texts` maps each path to the text that a search should find. */
const openFolder = async (count: number) => {
  const root = await mkdtemp(join(tmpdir(), 'plumbline-files-'))
  const texts = new Map<string, string>()
  for (let n = 0; n < folders; n++) await mkdir(join(root, `part-${n}`))
  let made = 0
  const write = async (path: string, text: string): Promise<void> => {
    await writeFile(join(root, path), text)
    texts.set(path, text)
  }
  const add = (): Promise<void> => {
    const n = made++
    return write(`part-${n % folders}/file-${n}.md`, `File ${n} tells of stone number ${n}.`)
  }
  for (let n = 0; n < count; n++) await add()
  return {
    root,
    texts,
    /** Takes files in insertion order, so that each round affects different files. */
    change: async ({ changed, gone, moved }: { changed: number; gone: number; moved: number }): Promise<void> => {
      const paths = [...texts.keys()]
      for (const path of paths.splice(0, changed)) await write(path, `${texts.get(path) ?? ''} It was changed.`)
      for (const path of paths.splice(0, gone)) {
        await rm(join(root, path))
        texts.delete(path)
      }
      for (const path of paths.splice(0, moved)) {
        const to = path.replace('.md', '-moved.md')
        await rename(join(root, path), join(root, to))
        texts.set(to, texts.get(path) ?? '')
        texts.delete(path)
      }
    },
  }
}
type Files = Awaited<ReturnType<typeof openFolder>>

const viewOf = async ({ sources }: Library): Promise<SourceView> => {
  const view = await sources.one(tenant, sourceName)
  if (!view) throw new Error('the source is gone')
  return view
}

type Run = { ms: number; killed: boolean; left: number; last: NonNullable<SourceView['last']> }

/** If `killWhen` returns true, kills all ingestors. `left`: how many documents the source has right after that. */
const run = async (library: Library, killWhen?: (view: SourceView, waiting: number) => boolean): Promise<Run> => {
  const before = (await viewOf(library)).last?.endedAt
  const from = performance.now()
  let [killed, left] = [false, 0]
  await library.sources.run(tenant, sourceName, false)
  let last: SourceView['last']
  await until(
    'the source is brought up to date',
    async () => {
      const view = await viewOf(library)
      const waiting = await library.catalog.waiting(tenant)
      if (!killed && view.running && killWhen?.(view, waiting)) {
        killed = true
        await Promise.all(library.crew.members.map((member) => member.kill('SIGKILL')))
        left = (await viewOf(library)).documents
      }
      last = view.last
      return view.status === 'idle' && last !== undefined && last.endedAt !== before
    },
    900_000,
  )
  if (!last) throw new Error('no run')
  return { ms: performance.now() - from, killed, left, last }
}

const wrongWith = async ({ catalog, index }: Library, { texts }: Files): Promise<string[]> => {
  const wrong: string[] = []
  const left = new Map(texts)
  for (let cursor: string | null = ''; cursor !== null;) {
    const page = await catalog.documents(tenant, { limit: 100, cursor: cursor || null })
    for (const { id, from } of page.items) {
      const [passage, ...more] = await index.passages(scope, id, null, never)
      const path = from?.path ?? 'no source'
      if (passage?.text !== left.get(path) || more.length > 0) wrong.push(`${path}: ${passage?.text ?? 'not found'}`)
      left.delete(path)
    }
    cursor = page.next
  }
  const passages = await index.count(scope, never)
  if (passages !== texts.size) wrong.push(`${passages} passages of ${texts.size} files`)
  return [...wrong, ...[...left.keys()].map((path) => `${path} is missing`)]
}

export const D4: Row = {
  id: 'D4',
  promise:
    'files change, go and move under four kills of who brings them, one within the removal: the index equals the folder, nothing else is found',
  run: async (scale) => {
    const count = scale === 'short' ? 300 : 2_000
    const share = count / 2_000
    const changes = { changed: Math.round(100 * share), gone: Math.round(50 * share), moved: Math.round(20 * share) }
    const files = await openFolder(count)
    try {
      return await inLibrary({ ingestors: 2, env: { SOURCE_FOLDERS: files.root } }, async (library) => {
        const settings = { kind: 'folder', path: files.root }
        const told = NewSource.parse({ settings, collection: 'fire' })
        await library.sources.put(tenant, sourceName, { told, next: null })
        const wrong: string[] = []
        const first = await run(library, ({ running }) => running?.task === 'bring' && running.done >= count / 3)
        wrong.push(...(await wrongWith(library, files)))
        await files.change(changes)
        const second = await run(library, () => true)
        wrong.push(...(await wrongWith(library, files)))
        await files.change(changes)
        const third = await run(library, (_, waiting) => waiting > 0)
        wrong.push(...(await wrongWith(library, files)))
        const before = files.texts.size
        await files.change({ changed: 0, gone: Math.round(0.3 * count), moved: 0 })
        const removal = await run(library, ({ documents }) => documents < before)
        wrong.push(...(await wrongWith(library, files)))
        const isWithin = removal.left < before && removal.left > files.texts.size
        const unchanged = await run(library)
        const kills = [first, second, third, removal].filter(({ killed }) => killed).length
        const isUnchanged = unchanged.last.counts.unchanged === files.texts.size
        return {
          holds: wrong.length === 0 && kills === 4 && isWithin && isUnchanged,
          figures: {
            files: files.texts.size,
            kills,
            wrong: wrong.length,
            ...(wrong[0] && { 'for example': wrong[0] }),
            'first run': seconds(first.ms),
            'runs with changes': `${seconds(second.ms)} and ${seconds(third.ms)}`,
            'killed within the removal': `${before - removal.left} of ${before - files.texts.size} removed, the rest in ${seconds(removal.ms)}`,
            'run with nothing changed': seconds(
              Date.parse(unchanged.last.endedAt) - Date.parse(unchanged.last.startedAt),
            ),
            'of it': JSON.stringify(unchanged.last.counts),
          },
        }
      })
    } finally {
      await rm(files.root, { recursive: true, force: true })
    }
  },
}
