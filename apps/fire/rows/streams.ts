import { createClient } from '@plumbline/client'
import { answer } from '@plumbline/testing/model-server/answer'
import { openCuttingDoor } from '../cutting'
import { coin } from '../handlers'
import { inHouse, type House } from '../house'
import type { Row } from '../row'
import { until } from '../wait'

const places =
  'Alder Birch Cedar Dunmore Elgin Fenwick Garth Holm Ister Jarrow Kelso Lorne Munro Nairn Orm Perth Quill Rona Skerry Tarbet Ulva Vardby Wick Yarrow'.split(
    ' ',
  )
const sentences = places.map((place) => `The keepers of ${place} tend one beacon`)
const said = sentences.map((sentence) => `${sentence} [1].`).join(' ')
/** Each watcher is cut at a byte up to here, which all of them read. */
const cutWithin = 3_000

type Watched = { draft: string; answer: string }

/** A piece replaces what stands from its place on; another task or start begins anew. */
const watch = async (url: string, id: string, seen: Watched, signal: AbortSignal): Promise<void> => {
  let writer = ''
  for await (const event of createClient({ url }).events(id, { signal })) {
    if (event.type === 'ended') seen.answer = event.answer?.text ?? ''
    if (event.type !== 'draft') continue
    const { task, start, from, text } = event
    if (writer !== `${task} ${start}`) seen.draft = ''
    writer = `${task} ${start}`
    seen.draft = seen.draft.slice(0, from) + text
  }
}

const isDraftCall = ({ name, kind, body }: { name: string | undefined; kind: string; body: unknown }): boolean =>
  kind === 'chat' && name === undefined && (body as { stream?: boolean }).stream === true

const watchCut = async ({ client, model, port, killGateway, add }: House, count: number) => {
  await add('Beacons', sentences.map((sentence) => `${sentence}.`).join(' '), 'beacons')
  model.script(isDraftCall, answer.trickle({ everyMs: 35 }, said))
  model.latency({ kind: 'fixed', ms: 2_500 }, ({ name }) => name?.startsWith('check') === true)
  const doors = await Promise.all(
    Array.from({ length: count }, (_, n) => openCuttingDoor(port, 1 + Math.floor(coin(`watcher/${n}`) * cutWithin))),
  )
  const { id } = await client.ask({ question: 'Who tends the beacons?', policy: 'streaming', collection: 'beacons' })
  const seen = doors.map((): Watched => ({ draft: '', answer: '' }))
  const over = AbortSignal.timeout(60_000)
  const watched = Promise.all(doors.map(({ url }, n) => watch(url, id, seen[n] ?? { draft: '', answer: '' }, over)))
  await until('half of the draft is seen', () => seen.some(({ draft }) => draft.length > said.length / 2), 30_000)
  await killGateway()
  await watched
  doors.forEach(({ close }) => close())
  const { status, reason = '–' } = await client.run(id)
  return { seen, cut: doors.filter((door) => door.cut()).length, status, reason }
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
