import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { freePort, startPrivateRedis, type PrivateRedis } from './private-redis'

export type PrivateCluster = {
  /** The URL of the cluster: `redis+cluster://host:port,host:port,…` */
  url: string
  nodes: PrivateRedis[]
  stop(): Promise<void>
}

const slots = 16_384
const formedWithinMs = 20_000

/** Sends a command to Redis. Returns only the first chunk of the reply. The reply to a CLUSTER command fits in it. */
const command = (port: number, text: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(`${text}\r\n`))
    socket.setTimeout(2_000, () => socket.destroy(new Error(`no answer to ${text}`)))
    socket.once('error', reject)
    socket.once('close', () => reject(new Error(`the connection closed before an answer to ${text}`)))
    socket.once('data', (answer: Buffer) => {
      socket.destroy()
      const said = answer.toString()
      if (said.startsWith('-')) reject(new Error(`${text}: ${said.trim()}`))
      else resolve(said)
    })
  })

const formed = async (nodes: PrivateRedis[]): Promise<boolean> => {
  const told = await Promise.all(nodes.map(({ port }) => command(port, 'CLUSTER INFO')))
  return told.every((info) => info.includes('cluster_state:ok') && info.includes(`cluster_known_nodes:${nodes.length}`))
}

const startNode = async (dir: string): Promise<{ node: PrivateRedis; bus: number }> => {
  const bus = await freePort()
  const node = await startPrivateRedis({
    dir,
    args: [
      '--cluster-enabled',
      'yes',
      '--cluster-config-file',
      'nodes.conf',
      '--cluster-port',
      `${bus}`,
      '--cluster-node-timeout',
      '15000',
    ],
  })
  return { node, bus }
}

const joinNodes = async (started: { node: PrivateRedis; bus: number }[]): Promise<void> => {
  const nodes = started.map(({ node }) => node)
  for (const [i, { node }] of started.entries()) {
    const [first, end] = [Math.floor((i * slots) / nodes.length), Math.floor(((i + 1) * slots) / nodes.length)]
    await command(node.port, `CLUSTER ADDSLOTSRANGE ${first} ${end - 1}`)
    await command(node.port, `CLUSTER SET-CONFIG-EPOCH ${i + 1}`)
  }
  for (const { node, bus } of started.slice(1))
    await command(nodes[0]?.port ?? 0, `CLUSTER MEET 127.0.0.1 ${node.port} ${bus}`)
  const deadline = Date.now() + formedWithinMs
  while (!(await formed(nodes))) {
    if (Date.now() > deadline) throw new Error('the private Redis Cluster did not form')
    await wait(50)
  }
}

export const startPrivateCluster = async (): Promise<PrivateCluster> => {
  const dir = await mkdtemp(join(tmpdir(), 'plumbline-cluster-'))
  const started = await Promise.all(
    ['a', 'b', 'c'].map(async (name) => {
      await mkdir(join(dir, name))
      return startNode(join(dir, name))
    }),
  )
  const nodes = started.map(({ node }) => node)
  const stop = async (): Promise<void> => {
    await Promise.all(nodes.map((node) => node.stop()))
    await rm(dir, { recursive: true, force: true })
  }
  try {
    await joinNodes(started)
  } catch (error) {
    await stop()
    throw error
  }
  return { url: `redis+cluster://${nodes.map(({ port }) => `127.0.0.1:${port}`).join(',')}`, nodes, stop }
}
