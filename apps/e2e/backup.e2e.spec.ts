import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, it } from 'vitest'
import { freePort, type PrivateRedis, startPrivateRedis } from '@plumbline/platform'
import { allStages } from '@plumbline/stages/all'
import { generatorWriting } from './generator-writing'
import { openHouse } from './house'
import type { Kind } from './redis-kinds'

const page = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'run', 'backup.md'), 'utf8')
/** Returns the shell commands under a heading of the docs page. */
const commandsUnder = (heading: string): string =>
  new RegExp(`## ${heading}\n[^#]*?\`\`\`sh\n([^]*?)\`\`\``).exec(page)?.[1] ?? 'exit 9'
const run = (commands: string, env: Record<string, string>) =>
  promisify(execFile)('sh', ['-eu', '-c', commands], { env: { PATH: process.env.PATH ?? '', ...env } })

const dir = mkdtempSync(join(tmpdir(), 'plumbline-backup-'))
afterAll(() => rmSync(dir, { recursive: true, force: true }))
const folder = (name: string): string => {
  mkdirSync(join(dir, name), { recursive: true })
  return join(dir, name)
}

const asKind = ({ url, stop }: PrivateRedis): Kind => ({ url, env: {}, admins: [url], stop })

const truth = 'The lighthouse of Skerry is 31 metres high'
const invented = 'It was built by giants'
const stages = Object.values({ ...allStages, generator: generatorWriting(() => `${truth} [1]. ${invented} [1].`) })

it(
  'the documented backup and restore recovers held runs, documents and search results',
  { timeout: 90_000 },
  async () => {
    const backup = folder('backup')
    // The backup copies the data like a replica. Without this setting, Redis first waits for more replicas.
    const source = await startPrivateRedis({ args: ['--repl-diskless-sync-delay', '0'] })
    const house = await openHouse({ stages, dataDir: folder('data'), redis: asKind(source) })
    await house.add('Skerry', `# Skerry\n\n${truth}.`, 'islands')
    const ask = { question: 'How high is the lighthouse of Skerry?', collection: 'islands' }
    const { id } = await house.client.ask(ask)
    await expect.poll(async () => (await house.client.run(id)).status).toBe('parked')
    await run(commandsUnder('Backup'), { REDIS_URL: house.redisUrl, DATA_DIR: join(dir, 'data'), BACKUP: backup })
    const { review } = await house.client.run(id)
    await house.client.decide(id, { taskId: review?.taskId ?? '', decisionId: 'd1', action: 'reject' })
    await house.close()

    const [data, redisDir] = [join(dir, 'restored'), join(dir, 'redis')]
    const env = { DATA_DIR: data, REDIS_DIR: redisDir, BACKUP: backup, PORT: `${await freePort()}` }
    await run(commandsUnder('Restore'), env)
    const redis = await startPrivateRedis({ dir: redisDir })
    const restored = await openHouse({ stages, dataDir: data, redis: asKind(redis) })
    try {
      expect(await restored.client.run(id)).toMatchObject({ status: 'parked' })
      const [document] = (await restored.client.documents({ collection: 'islands' })).items
      expect(document).toMatchObject({ title: 'Skerry', status: 'indexed' })
      expect(await restored.client.documentText(document?.id ?? '')).toContain(truth)
      await restored.client.decide(id, {
        taskId: review?.taskId ?? '',
        decisionId: 'd2',
        action: 'approve',
        note: 'The source is old.',
      })
      const answered = await restored.client.run(id)
      expect(answered).toMatchObject({ status: 'answered', answer: { text: expect.stringContaining(truth) as string } })
      await fetch(`${restored.url}/v1/collections/islands/reindex`, { method: 'POST' })
      const found = async (): Promise<number> =>
        (await restored.client.search({ query: 'lighthouse of Skerry', collection: 'islands' })).items.length
      await expect.poll(found).toBeGreaterThan(0)
    } finally {
      await restored.close()
    }
  },
)
