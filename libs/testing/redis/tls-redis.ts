import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort, startPrivateRedis } from '@plumbline/platform/private-redis'
import { makeCertificates } from './certificates'
import { withPassword } from './users'

/** Starts a Redis with TLS and the users of an ACL file. `adminUrl` is for a user with all rights. */
export const startTlsRedis = async (aclFile: string) => {
  const dir = await mkdtemp(join(tmpdir(), 'plumbline-tls-'))
  const { ca, cert, key } = await makeCertificates(dir)
  const users = join(dir, 'users.acl')
  await writeFile(users, `${withPassword(aclFile, 'hush')}user admin on >all ~* &* +@all\n`)
  const port = await freePort()
  const tls = ['--tls-port', `${port}`, '--tls-cert-file', cert, '--tls-key-file', key, '--tls-ca-cert-file', ca]
  const server = await startPrivateRedis({ port, args: ['--port', '0', ...tls, '--aclfile', users] })
  const at = (user: string): string => `rediss://${user}@127.0.0.1:${port}?ca=${ca}&cert=${cert}&key=${key}`
  return {
    url: at('plumbline:hush'),
    adminUrl: at('admin:all'),
    stop: async (): Promise<void> => {
      await server.stop()
      await rm(dir, { recursive: true, force: true })
    },
  }
}
