import { createClient } from '@plumbline/client'
import { answer } from '@plumbline/testing/model-server/answer'
import { openCuttingProxy } from '../cutting-proxy'
import { coin, longDraft } from '../handlers'
import { inHouse, type House } from '../house'
import { watchMemory } from '@plumbline/testing/processes'
import { seconds, type Row } from '../row'
import { until } from '../wait'
import { inWorld, type World } from '../world'

const places =
  'Alder Birch Cedar Dunmore Elgin Fenwick Garth Holm Ister Jarrow Kelso Lorne Munro Nairn Orm Perth Quill Rona Skerry Tarbet Ulva Vardby Wick Yarrow'.split(
    ' ',
  )
const sentences = places.map((place) => `The keepers of ${place} tend one beacon`)
const said = sentences.map((sentence) => `${sentence} [1].`).join(' ')
/** Connections are cut after at most this many bytes. Every watcher reads more than this. */
const cutWithin = 3_000

type Watched = { draft: string; answer: string }

/** A draft event replaces the text from its position on. Another task or another start begins a new draft. */
const watch = async (
  url: string,
  id: string,
  seen: Watched,
  signal: AbortSignal,
  stall?: Promise<void>,
): Promise<void> => {
  let writer = ''
  for await (const event of createClient({ url }).events(id, { signal })) {
    if (event.type === 'ended') seen.answer = event.answer?.text ?? ''
    if (event.type !== 'draft') continue
    const { task, start, from, text } = event
    if (writer !== `${task} ${start}`) seen.draft = ''
    writer = `${task} ${start}`
    seen.draft = seen.draft.slice(0, from) + text
    await stall
  }
}

const isDraftCall = ({ name, kind, body }: { name: string | undefined; kind: string; body: unknown }): boolean =>
  kind === 'chat' && name === undefined && (body as { stream?: boolean }).stream === true

const watchCut = async ({ client, model, port, killGateway, add }: House, count: number) => {
  await add('Beacons', sentences.map((sentence) => `${sentence}.`).join(' '), 'beacons')
  model.script(isDraftCall, answer.trickle({ everyMs: 35 }, said))
  model.latency({ kind: 'fixed', ms: 12_000 }, ({ name }) => name?.startsWith('check') === true)
  const proxies = await Promise.all(
    Array.from({ length: count }, (_, n) => openCuttingProxy(port, 1 + Math.floor(coin(`watcher/${n}`) * cutWithin))),
  )
  const { id } = await client.ask({ question: 'Who tends the beacons?', policy: 'streaming', collection: 'beacons' })
  const seen = proxies.map((): Watched => ({ draft: '', answer: '' }))
  const over = AbortSignal.timeout(60_000)
  const watched = Promise.all(proxies.map(({ url }, n) => watch(url, id, seen[n] ?? { draft: '', answer: '' }, over)))
  await until('half of the draft is seen', () => seen.some(({ draft }) => draft.length > said.length / 2), 30_000)
  await killGateway()
  await watched
  proxies.forEach(({ close }) => close())
  const { status, reason = '–' } = await client.run(id)
  return { seen, cut: proxies.filter((proxy) => proxy.cut()).length, status, reason }
}

export const L11: Row = {
  id: 'L11',
  promise:
    'SSE cut at random bytes and the gateway killed while an answer streams: every joined text is identical, with one model call',
  run: (scale) =>
    inHouse(
      { policies: [{ name: 'streaming', extends: 'simple', streamDrafts: 'on', maxSentences: 60 }] },
      async (house) => {
        const count = scale === 'full' ? 200 : 40
        const { seen, cut, status, reason } = await watchCut(house, count)
        const drafts = seen.filter(({ draft }) => draft === said).length
        const answers = seen.filter((watcher) => watcher.answer === said).length
        const calls = house.model.requests.filter(isDraftCall).length
        return {
          holds: status === 'answered' && cut === count && drafts === count && answers === count && calls === 1,
          figures: {
            cut: `${cut}/${count}`,
            'drafts identical': `${drafts}/${count}`,
            'answers identical': `${answers}/${count}`,
            'model calls': calls,
            ended: reason,
          },
        }
      },
    ),
}

const draftLengths = { full: 4_000_000, short: 1_200_000 }
const readers = 100

const streamsOpen = async (url: string): Promise<number> =>
  Number(/^plumbline_streams (\d+)/m.exec(await (await fetch(`${url}/metrics`)).text())?.[1] ?? 0)

/** The check of the draft takes longer than the gateway waits for a slow reader. */
const checkMs = 14_000
/** A small heap in MB. V8 must collect garbage, so that the resident memory is close to the memory in use. */
const heap = 160

/** Slow readers read nothing until the gateway drops them, and then reconnect. Without them, it waits for the end. */
const watchLong = async ({ url, gateway }: World, draftLength: number, slowReaders: number) => {
  const metadata = { steps: '1', drafts: `${draftLength}`, hold: `grade-answer.1:${checkMs}` }
  const { id } = await createClient({ url }).ask({
    question: 'What stands in each case?',
    policy: 'streaming',
    metadata,
  })
  const { promise: stall, resolve: goOn } = Promise.withResolvers<void>()
  const seen = Array.from({ length: readers + slowReaders }, (): Watched => ({ draft: '', answer: '' }))
  const over = AbortSignal.timeout(90_000)
  const memory = watchMemory(gateway.pid)
  const watching = Promise.all(seen.map((one, n) => watch(url, id, one, over, n < readers ? undefined : stall)))
  const has = ({ draft }: Watched): boolean => draft.length >= draftLength
  const served = await until('the others have the draft', () => seen.slice(0, readers).every(has), 60_000)
  const left = slowReaders > 0 ? readers : 0
  const dropped = await until('streams are dropped or over', async () => (await streamsOpen(url)) <= left, 60_000)
  const most = memory.stop()
  goOn()
  await watching
  return { seen, served, dropped, most }
}

export const L12: Row = {
  id: 'L12',
  promise:
    '100 slow readers beside 100 others: +≤ 64 MB in the gateway, the slow ones are dropped and the others served; dropped ones go on by Last-Event-ID and have the same text',
  run: (scale) =>
    inWorld(
      {
        workers: 1,
        gatewayArgs: ['--max-semi-space-size=16', `--max-old-space-size=${heap}`],
        policies: [{ name: 'streaming', extends: 'simple', streamDrafts: 'on' }],
      },
      async (world) => {
        const draftLength = draftLengths[scale]
        const alone = await watchLong(world, draftLength, 0)
        const beside = await watchLong(world, draftLength, readers)
        const written = longDraft(draftLength).join('')
        const same = beside.seen.filter(({ draft }) => draft.endsWith(written)).length
        const answers = new Set(beside.seen.map(({ answer: text }) => text))
        const more = beside.most - alone.most
        return {
          holds: more <= 64 && same === 2 * readers && answers.size === 1 && !answers.has(''),
          figures: {
            'memory alone': `${alone.most.toFixed(0)} MB`,
            'more beside slow ones': `${more.toFixed(0)} MB`,
            'others served in': `${seconds(alone.served)} alone, ${seconds(beside.served)} beside`,
            'slow ones dropped after': seconds(beside.dropped),
            'same text': `${same}/${2 * readers}`,
            answers: answers.size,
          },
        }
      },
    ),
}
