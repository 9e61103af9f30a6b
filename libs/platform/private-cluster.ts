import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { freePort, redisBinary, startPrivateRedis, type PrivateRedis } from './private-redis'

export type PrivateCluster = {
  /** `redis+cluster://host:port,host:port,…` */
  url: string
  nodes: PrivateRedis[]
  stop(): Promise<void>
}

const formedWithinMs = 60_000

const startNode = async (dir: string): Promise<PrivateRedis> => {
  await mkdir(dir)
  const bus = ['--cluster-port', `${await freePort()}`, '--cluster-node-timeout', '15000']
  return startPrivateRedis({ dir, args: ['--cluster-enabled', 'yes', '--cluster-config-file', 'nodes.conf', ...bus] })
}

/** A Redis Cluster of three masters on loopback, for tests. */
export const startPrivateCluster = async (): Promise<PrivateCluster> => {
  const dir = await mkdtemp(join(tmpdir(), 'plumbline-cluster-'))
  const nodes = await Promise.all(['a', 'b', 'c'].map((name) => startNode(join(dir, name))))
  const hosts = nodes.map(({ port }) => `127.0.0.1:${port}`)
  const stop = async (): Promise<void> => {
    await Promise.all(nodes.map((node) => node.stop()))
    await rm(dir, { recursive: true, force: true })
  }
  const command = redisBinary()?.replace('-server', '-cli') ?? ''
  try {
    await promisify(execFile)(command, ['--cluster', 'create', ...hosts, '--cluster-yes'], { timeout: formedWithinMs })
  } catch (cause) {
    await stop()
    throw new Error(`the private Redis Cluster did not form: is ${command} on PATH?`, { cause })
  }
  return { url: `redis+cluster://${hosts.join(',')}`, nodes, stop }
}
