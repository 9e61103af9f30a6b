import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { globSync } from 'node:fs'
import { chmod, chown, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { Client } from 'pg'
import { freePort } from '@plumbline/platform/private-redis'
import { makeCertificates } from './redis/certificates'

const number = (flag: string, user: string): number => Number(spawnSync('id', [flag, user]).stdout.toString())
/** The user that runs Postgres. Postgres refuses to run as root, so under root this is the user `postgres`. */
const owner = () => (process.getuid?.() === 0 ? { uid: number('-u', 'postgres'), gid: number('-g', 'postgres') } : {})

/** Returns the folder with the programs of Postgres. Debian and Ubuntu do not add this folder to PATH. */
const folder = (): string => {
  const [newest] = globSync('/usr/lib/postgresql/*/bin').sort((a, b) => b.localeCompare(a, 'en', { numeric: true }))
  if (newest !== undefined) return newest
  const found = spawnSync('pg_config', ['--bindir']).stdout?.toString().trim()
  if (!found) throw new Error('There is no Postgres server. Install it: sudo apt-get install postgresql')
  return found
}

const connects = async (url: string): Promise<boolean> => {
  const client = new Client({ connectionString: url })
  client.on('error', () => undefined)
  try {
    await client.connect()
    return true
  } catch {
    return false
  } finally {
    void client.end().catch(() => undefined)
  }
}

/** Starts a Postgres that accepts connections with and without TLS. Its `url` does not contain `sslmode`. */
export const startPostgres = async () => {
  const dir = await mkdtemp(join(tmpdir(), 'plumbline-postgres-'))
  const [data, programs, as] = [join(dir, 'data'), folder(), owner()]
  const { ca, cert, key } = await makeCertificates(dir)
  await writeFile(join(dir, 'password'), 'hush')
  await chmod(dir, 0o755)
  await chmod(key, 0o600)
  if (as.uid !== undefined) await Promise.all([dir, cert, key].map((path) => chown(path, as.uid, as.gid)))
  const made = spawnSync(
    join(programs, 'initdb'),
    ['-D', data, '-U', 'owner', '-A', 'scram-sha-256', '--pwfile', join(dir, 'password'), '--no-sync', '-E', 'UTF8'],
    { ...as, cwd: dir },
  )
  if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr?.toString()}`)
  const port = await freePort()
  const settings = { ssl: 'on', ssl_cert_file: cert, ssl_key_file: key, unix_socket_directories: dir, fsync: 'off' }
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const server = spawn(join(programs, 'postgres'), ['-D', data, '-p', `${port}`, ...flags], {
    ...as,
    cwd: dir,
    stdio: 'ignore',
  })
  const ended = once(server, 'exit')
  const url = `postgres://owner:hush@127.0.0.1:${port}/postgres`
  while (!(await connects(`${url}?sslmode=disable`))) {
    if (server.exitCode !== null) throw new Error(`postgres ended with ${server.exitCode}`)
    await wait(50)
  }
  return {
    url,
    ca,
    run: async (sql: string): Promise<void> => {
      const client = new Client({ connectionString: `${url}?sslmode=disable` })
      await client.connect()
      await client.query(sql).finally(() => client.end())
    },
    stop: async (): Promise<void> => {
      // SIGINT ends open connections and stops the server.
      server.kill('SIGINT')
      await ended
      await rm(dir, { recursive: true, force: true })
    },
  }
}
