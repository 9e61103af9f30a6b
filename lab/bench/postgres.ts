import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { chownSync, globSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@plumbline/platform'

export type PrivatePostgres = { url: string; stop(): Promise<void> }

const binaries = (): string | undefined =>
  globSync('/usr/lib/postgresql/*/bin').concat(globSync('/opt/homebrew/opt/postgresql*/bin')).sort().at(-1)

const install = (): void => {
  if (binaries() || process.getuid?.() !== 0) return
  console.log('PostgreSQL is missing: installing the package postgresql …')
  spawnSync('sh', ['-c', 'apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq postgresql'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}

/** PostgreSQL refuses to run as root, so root uses the user that the package created. */
const owner = (): { uid?: number; gid?: number } => {
  if (process.getuid?.() !== 0) return {}
  const id = (flag: string): number => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }))
  return { uid: id('-u'), gid: id('-g') }
}

export const startPrivatePostgres = async (): Promise<PrivatePostgres | undefined> => {
  install()
  const bin = binaries()
  if (!bin) return undefined
  const as = owner()
  const dir = mkdtempSync(join(tmpdir(), 'plumbline-postgres-'))
  if (as.uid !== undefined && as.gid !== undefined) chownSync(dir, as.uid, as.gid)
  const data = join(dir, 'data')
  execFileSync(join(bin, 'initdb'), ['-D', data, '-U', 'bench', '-A', 'trust', '-E', 'UTF8'], {
    ...as,
    cwd: dir,
    stdio: 'ignore',
  })
  const port = await freePort()
  const server = spawn(join(bin, 'postgres'), ['-D', data, '-p', `${port}`, '-h', '127.0.0.1', '-k', dir], {
    ...as,
    cwd: dir,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  await new Promise<void>((resolve, reject) => {
    server.stderr.on('data', (chunk: Buffer) => chunk.toString().includes('ready to accept connections') && resolve())
    server.once('exit', (code) => reject(new Error(`postgres ended with code ${code}`)))
  })
  return {
    url: `postgres://bench@127.0.0.1:${port}/postgres`,
    stop: async () => {
      const ended = new Promise((resolve) => server.once('exit', resolve))
      server.kill('SIGINT')
      await ended
      rmSync(dir, { recursive: true, force: true })
    },
  }
}
