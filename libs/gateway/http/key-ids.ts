import { randomBytes } from 'node:crypto'
import type { Processes } from '@plumbline/adapters/redis/ops/processes'
import type { Log } from '@plumbline/platform/log'
import type { FixedKeys } from './fixed-keys'

const everyMs = 5_000

type Following = {
  fixed: FixedKeys
  shareSalt(own: string): Promise<string>
  processes: Pick<Processes, 'alive'>
  log: Pick<Log, 'warn' | 'debug'>
}

/** Uses unsalted key ids while a gateway of an earlier version runs, because it does not know the salted ids. */
export const followKeyIds = async ({ fixed, shareSalt, processes, log }: Following): Promise<() => void> => {
  const own = randomBytes(32).toString('hex')
  const look = async (): Promise<void> => {
    const [salt, alive] = await Promise.all([shareSalt(own), processes.alive()])
    const isOlderAlive = alive.some(({ app, keyIds }) => app === 'gateway' && keyIds !== 'salted')
    fixed.useSalt(salt, !isOlderAlive)
  }
  if (fixed.short.length > 0)
    log.warn(
      { entries: fixed.short },
      'API_KEYS contains short keys: use 24 characters or more, for example from openssl rand -hex 32',
    )
  await look()
  const timer = setInterval(() => {
    look().catch((error: unknown) => log.debug({ err: error }, 'salt of key ids not checked: redis error'))
  }, everyMs).unref()
  return () => clearInterval(timer)
}
