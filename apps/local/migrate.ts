import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type DocumentsSettings, openDocumentStore } from '@plumbline/adapters/files/document-files'
import { connectFailFast, type RedisClient, whenReady } from '@plumbline/adapters/redis/client/client'
import { openIngestCatalog } from '@plumbline/adapters/redis/documents/ingest-catalog'
import { copyKeys } from '@plumbline/adapters/redis/ops/copy-keys'
import { openProcesses } from '@plumbline/adapters/redis/ops/processes'
import { readWordsOrExit } from '@plumbline/commands/command.mjs'
import { move } from '@plumbline/commands/rows/local.mjs'
import { clean } from '@plumbline/contracts'
import { DocumentsEnv } from '@plumbline/hosting/documents.env'
import { openPassageIndex } from '@plumbline/hosting/passage-index'
import { AppError, createStop, EnvError, readEnvs, silent } from '@plumbline/platform'
import { copyDocuments } from './copy-documents'
import { copyPassages } from './copy-passages'
import { findRedis } from './redis'
import { type LocalEnv as Env, LocalEnv } from './settings'
import { lockDataFolder, runningFrom } from './start-checks'
import { Fault, stepReporter } from './terminal'

const step = stepReporter(process.stdout)
const stopping = new AbortController()
const stop = createStop(silent)

const countText = (count: number, one: string): string =>
  `${count.toLocaleString('en')} ${one}${count === 1 ? '' : 's'}`

/** Throws if a process of this installation is running, because changes during the migration would be lost. */
const checkStopped = async (redis: RedisClient, where: string): Promise<void> => {
  const alive = await openProcesses(redis).alive()
  if (alive.length === 0) return
  const apps = [...new Set(alive.map(({ app }) => app))].join(', ')
  throw new Fault(
    `Plumbline is running on ${where}: ${apps}.\nStop Plumbline first. A killed process still counts as running for 15 seconds. Nothing was moved.`,
  )
}

const connected = async (url: string): Promise<RedisClient> => {
  const redis = connectFailFast(url)
  stop.add('Redis', () => redis.disconnect())
  await whenReady(redis, 5_000).catch(() => {
    throw new Fault(`No Redis answers at ${url.replace(/\/\/[^@/]*@/, '//…@')}. Start it, or correct REDIS_URL.`)
  })
  return redis
}

/**
 * Opens the Redis to copy from and the Redis to copy to. If the folder has no private Redis, nothing is copied, and the
 * Redis at REDIS_URL stays in use.
 */
const openRedis = async ({ DATA_DIR, REDIS_URL }: Env): Promise<{ from: RedisClient; to: RedisClient | null }> => {
  const isOwn = existsSync(join(DATA_DIR, 'redis'))
  const own = await findRedis(isOwn ? undefined : REDIS_URL, DATA_DIR)
  stop.add('the private Redis', () => own.stop())
  const from = await connected(own.url)
  await checkStopped(from, isOwn ? DATA_DIR : 'REDIS_URL')
  if (!isOwn || REDIS_URL === undefined) return { from, to: null }
  const to = await connected(REDIS_URL)
  await checkStopped(to, 'REDIS_URL')
  return { from, to }
}

const migrateDocuments = async ({ DATA_DIR }: Env, settings: DocumentsSettings, redis: RedisClient): Promise<void> => {
  const folder = join(DATA_DIR, 'documents')
  if (settings.store === 'folder' || !existsSync(folder)) return
  const [from, to] = await Promise.all([
    openDocumentStore(folder, { store: 'folder' }),
    openDocumentStore(folder, settings),
  ])
  stop.add('the bucket', () => to.close())
  await to.check()
  await step(
    'Copying documents',
    (tell) =>
      copyDocuments({
        from,
        to,
        catalog: openIngestCatalog(redis),
        signal: stopping.signal,
        tell: (moved) => tell(`(${countText(moved.documents, 'document')}, ${countText(moved.files, 'file')})`),
      }),
    ({ documents, versions, files, bytes, copied, unneeded }) =>
      `${countText(documents, 'document')} in ${countText(versions, 'version')} are now in ${to.where}: ${countText(files, 'file')}, ${(bytes / 1e6).toFixed(1)} MB, ${copied} of these files copied in this run` +
      (unneeded > 0 ? `; not copied: ${countText(unneeded, 'version')} that no document needs` : ''),
  )
}

const migratePassages = async (env: Env): Promise<void> => {
  const file = join(env.DATA_DIR, 'index.sqlite')
  if (env.QDRANT_URL === undefined || !existsSync(file)) return
  const to = await openPassageIndex(env)
  stop.add('Qdrant', () => to.close())
  await step(
    'Copying passages',
    (tell) =>
      copyPassages(file, to, stopping.signal, (moved) =>
        tell(`(${moved.documents} of ${countText(moved.of, 'document')})`),
      ),
    (moved) => `${countText(moved.passages, 'passage')} of ${countText(moved.documents, 'document')} are now in Qdrant`,
  )
}

const migrateRecords = async (from: RedisClient, to: RedisClient | null): Promise<void> => {
  if (!to) return
  await step(
    'Copying collections and runs',
    (tell) =>
      copyKeys(from, to, (copied) => tell(`(${countText(copied.keys, 'key')})`)).catch((error: unknown) => {
        if (!(error instanceof AppError && error.code === 'redis.taken')) throw error
        throw new Fault(
          'The Redis at REDIS_URL is not empty. Set REDIS_URL to an empty Redis. If this installation already uses that Redis, move the folder redis out of DATA_DIR.',
        )
      }),
    (copied) =>
      copied === null
        ? 'Collections and runs were moved earlier, and are not changed'
        : `${countText(copied.runs, 'run')} and the catalog of documents are now in the Redis at REDIS_URL: ${countText(copied.keys, 'key')}, ${copied.copied} of these keys copied in this run`,
  )
}

const secrets = ['S3_SECRET_ACCESS_KEY', 'S3_ACCESS_KEY_ID', 'QDRANT_API_KEY', 'REDIS_URL']
const names = [
  ...['DOCUMENTS_STORE', 'S3_BUCKET', 'S3_ENDPOINT', 'S3_REGION', 'S3_PREFIX', 'S3_PATH_STYLE', 'S3_ACCESS_KEY_ID'],
  ...['S3_SECRET_ACCESS_KEY', 'QDRANT_URL', 'QDRANT_PREFIX', 'QDRANT_API_KEY', 'REDIS_URL'],
]
const settings = (): string[] =>
  names.flatMap((name) => {
    const [given, file] = [process.env[name], process.env[`${name}_FILE`]]
    if (file) return [`${name}_FILE=${file}`]
    return given ? [`${name}=${secrets.includes(name) ? '…' : given}`] : []
  })

const migrate = async (): Promise<void> => {
  const [env, { documents: where }] = readEnvs([LocalEnv, DocumentsEnv])
  if (where.store === 'folder' && env.QDRANT_URL === undefined)
    throw new Fault(
      'No destination is set. Set DOCUMENTS_STORE=s3 with S3_BUCKET for documents, or QDRANT_URL for passages. npm run plumbline -- move --help explains all settings.',
    )
  if (!existsSync(env.DATA_DIR))
    throw new Fault(`There is no data folder ${env.DATA_DIR}. Set DATA_DIR to the data folder.`)
  const running = runningFrom(env.DATA_DIR)
  if (running)
    throw new Fault(
      `Plumbline runs from ${env.DATA_DIR}: ${running.url} (process ${running.pid}).\nStop it first (Ctrl-C in its terminal, or kill ${running.pid}). Nothing was moved.`,
    )
  stop.add('the lock of the data folder', lockDataFolder(env.DATA_DIR, 'npm run plumbline -- move'))
  const { from, to } = await openRedis(env)
  await migrateDocuments(env, where, from)
  await migratePassages(env)
  await migrateRecords(from, to)
  const stays = to === null && existsSync(join(env.DATA_DIR, 'redis'))
  const lines = [
    '',
    'The move is complete. From now on, start Plumbline with these settings:',
    '',
    ...settings().map((line) => `  ${line}`),
    '',
    stays
      ? `Collections and runs stay in the private Redis of ${env.DATA_DIR}: keep this DATA_DIR, or set REDIS_URL and run npm run plumbline -- move again.`
      : `Nothing in ${env.DATA_DIR} was changed. Check that all data has arrived, then remove the folder and set DATA_DIR to an empty folder.`,
  ]
  process.stdout.write(`${lines.join('\n')}\n`)
}

const reasonOf = (error: unknown): string => {
  const reason = error instanceof AppError && error.cause instanceof Error ? error.cause : error
  return clean(reason instanceof Error ? reason.message : String(reason))
}

readWordsOrExit(move, process.argv.slice(3))
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => stopping.abort(new Error('The move was stopped.')))
try {
  await migrate()
} catch (error) {
  const isKnown = error instanceof Fault || error instanceof EnvError
  process.stderr.write(
    isKnown
      ? `\n${clean(error.message)}\n`
      : `\nThe move is incomplete. ${reasonOf(error)}\nRun the same command again to continue.\n`,
  )
  process.exitCode = 1
} finally {
  await stop.run()
}
