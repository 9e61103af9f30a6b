import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Case, type Decision, type RunView } from '@plumbline/contracts'
import { boastingStages, question, skerry, truth } from './boaster'
import { openHouse, type House } from './house'

let [house, dir]: [House | undefined, string] = [undefined, '']
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'plumbline-cases-'))
  house = await openHouse({ stages: boastingStages, env: { CASES_DAYS: '7' } })
  await house.add('Skerry', skerry, 'islands')
  await house.add('Other', '# Other\n\nAn island without a light.', 'islands')
})
afterAll(async () => {
  await house?.close()
  await rm(dir, { recursive: true, force: true })
})
const open = (): House => {
  if (!house) throw new Error('the house did not open')
  return house
}

const settled = async (id: string): Promise<RunView> => {
  for (;;) {
    const view = await open().client.run(id)
    if (view.status === 'parked' || view.timings.endedAt !== undefined) return view
    await wait(20)
  }
}
const parked = async (): Promise<RunView> => {
  const view = await settled((await open().client.ask({ question, collection: 'islands' })).id)
  expect(view.status).toBe('parked')
  return view
}
const decided = async (decision: Partial<Decision> & { action: Decision['action'] }): Promise<RunView> => {
  const { id, review } = await parked()
  await open().client.decide(id, { taskId: review?.taskId, decisionId: 'd', ...decision } as Decision)
  return settled(id)
}
const exported = async (): Promise<string> => (await open().client.exportCases()).text()
const replay = async (text: string, ...words: string[]): Promise<{ code: number; out: string }> => {
  const file = join(dir, 'cases.jsonl')
  await writeFile(file, text)
  const program = join(import.meta.dirname, '..', '..', 'dist', 'replay', 'main.mjs')
  return promisify(execFile)(process.execPath, [program, file, ...words], { env: {} }).then(
    ({ stdout }) => ({ code: 0, out: stdout }),
    ({ code, stdout }: { code: number; stdout: string }) => ({ code, out: stdout }),
  )
}

describe('decisions', () => {
  it('are exported as cases that replay with the same outcome', async () => {
    await decided({ action: 'approve', note: 'The source is old.' })
    await decided({ action: 'edit', text: `${truth} [1].` })
    await decided({ action: 'reject', note: 'Invented.' })
    const ended = async () => (await open().client.cases()).items.filter(({ status }) => status !== undefined).length
    await expect.poll(ended).toBe(3)
    const lines = (await exported()).trim().split('\n')
    const cases = lines.map((line) => Case.parse(JSON.parse(line)))
    expect(cases.map(({ action }) => action).sort()).toEqual(['approve', 'edit', 'reject'])
    const same = await replay(lines.join('\n'), '--offline', '--strict')
    expect(same).toEqual({ code: 0, out: '3 cases: 3 same, 0 better, 0 worse, 0 other.\n' })
    const byUrl = await replay(lines.join('\n'), '--offline', '--json', '--url', open().url)
    expect((JSON.parse(byUrl.out) as { change: string }[]).map(({ change }) => change)).toEqual([
      'same',
      'same',
      'same',
    ])
  })

  it('report regressions: a rejected draft that would be released', async () => {
    const [line = ''] = (await exported()).split('\n').filter((each) => each.includes('"action":"reject"'))
    const kept = Case.parse(JSON.parse(line))
    const passing = { ...kept, draft: { ...kept.draft, text: `${truth} [1].` } }
    const { code, out } = await replay(JSON.stringify(passing), '--offline', '--strict')
    expect(code).toBe(1)
    expect(out).toMatch(
      /worse +How high is the lighthouse of Skerry\? +reject +parked\.\w+ → answered\.checked +0\.50 → 1\.00/,
    )
    expect((await replay(JSON.stringify(passing), '--offline')).code).toBe(0)
  })

  it('tell a file that holds no cases', async () => {
    expect((await replay('{"id":1}\n', '--offline')).code).toBe(1)
  })

  it('can have an answer kept for the same question, until a document it cites changes', async () => {
    const { id } = await decided({ action: 'edit', text: `${truth} [1].`, keep: true })
    const again = async (): Promise<RunView> =>
      settled((await open().client.ask({ question: ` ${question}`, collection: 'islands' })).id)
    // A slow cache is bypassed, so the question is asked until the kept answer comes.
    const keptAgain = async (): Promise<RunView> => {
      for (;;) {
        const run = await again()
        if (run.reason === 'answered.kept') return run
      }
    }
    expect(await keptAgain()).toMatchObject({ answer: { text: `${truth} [1].`, cached: { runId: id } } })
    await open().add('Third', '# Third\n\nOne more island.', 'islands')
    await open().client.feedback((await keptAgain()).id, { useful: false, note: 'Not this one.' })
    expect((await again()).status).toBe('parked')
    expect((await open().client.flags()).items).toMatchObject([{ note: 'Not this one.', collections: ['islands'] }])
    await open().client.keepAnswer(id)
    await keptAgain()
    const { items } = await open().client.documents({ collection: 'islands' })
    await open().client.removeDocument(items.find(({ title }) => title === 'Skerry')?.id ?? '')
    expect((await again()).reason).not.toBe('answered.kept')
    await expect(open().client.keepAnswer(id)).rejects.toMatchObject({ problem: { status: 409 } })
  })
})
