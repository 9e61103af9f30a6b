import { createServer } from 'node:http'
import { createServer as createTcpServer, type AddressInfo } from 'node:net'
import { Unfit } from '@plumbline/ports/document-parser'
import { fetchDocument } from '../fetch-document'
import { guardedFetch } from '../guarded-fetch'
import { allowedTargets, type Address, type Resolve } from '../target'

/** The spec replaces `P` with the port of a local server. An attack succeeds if its request reaches this server. */
const literal = [
  'http://127.0.0.1:P/',
  'http://127.0.0.1.:P/',
  'http://127.1:P/',
  'http://127.0.1:P/',
  'http://0177.0.0.1:P/',
  'http://0x7f.0.0.1:P/',
  'http://0x7f000001:P/',
  'http://2130706433:P/',
  'http://017700000001:P/',
  'http://127.0.0.1%2e:P/',
  'http://１２７.０.０.１:P/',
  'http://127。0。0。1:P/',
  'http://①②⑦.0.0.1:P/',
  'http://127.255.255.254:P/',
  'http://0.0.0.0:P/',
  'http://0:P/',
  'http://0.1.2.3:P/',
  'http://localhost:P/',
  'http://LOCALHOST:P/',
  'http://localhost.:P/',
  'http://a.localhost:P/',
  'http://localhost.localdomain:P/',
  'http://ip6-localhost:P/',
  'http://printer.local:P/',
  'http://redis:P/',
  'http://gateway.internal:P/',
  'http://metadata.google.internal/computeMetadata/v1/',
  'http://router.home.arpa/',
  'http://[::1]:P/',
  'http://[::]:P/',
  'http://[0:0:0:0:0:0:0:1]:P/',
  'http://[::ffff:127.0.0.1]:P/',
  'http://[::ffff:7f00:1]:P/',
  'http://[::127.0.0.1]:P/',
  'http://[::ffff:0:127.0.0.1]:P/',
  'http://[64:ff9b::127.0.0.1]:P/',
  'http://[64:ff9b:1::7f00:1]:P/',
  'http://[2002:7f00:1::]:P/',
  'http://[2001:0:7f00:1::]:P/',
  'http://[2606:4700::5efe:7f00:1]:P/',
  'http://[fe80::1]:P/',
  'http://[fec0::1]:P/',
  'http://[fc00::1]:P/',
  'http://[fd00:ec2::254]/latest/meta-data/',
  'http://[ff02::1]:P/',
  'http://[2001:db8::1]:P/',
  'http://[100::1]:P/',
  'http://[::ffff:169.254.169.254]/',
  'http://169.254.169.254/latest/meta-data/',
  'http://169.254.169.254.:80/',
  'http://0xa9fea9fe/',
  'http://2852039166/',
  'http://169.254.170.2/v2/credentials',
  'http://100.100.100.200/latest/meta-data/',
  'http://168.63.129.16/',
  'http://192.0.0.192/',
  'http://10.0.0.1:P/',
  'http://10.255.255.255:P/',
  'http://172.16.0.1:P/',
  'http://172.31.255.254:P/',
  'http://192.168.1.1:P/',
  'http://100.64.0.1:P/',
  'http://198.18.0.1:P/',
  'http://192.0.2.1:P/',
  'http://203.0.113.9:P/',
  'http://224.0.0.1:P/',
  'http://240.0.0.1:P/',
  'http://255.255.255.255:P/',
  'http://user:pass@127.0.0.1:P/',
  'http://public.example@127.0.0.1:P/',
  'http://127.0.0.1:P#@public.example/',
  'http://127.0.0.1:P\\@public.example/',
  'ftp://127.0.0.1:P/',
  'file:///etc/passwd',
  'gopher://127.0.0.1:P/_INFO',
  'data:text/html,hello',
  'javascript:alert(1)',
  'ws://127.0.0.1:P/',
  '//127.0.0.1:P/',
  'not an address',
  'http://public.example:6379/',
  'http://public.example:22/',
  'http://public.example:25/',
]

const publicAddress: Address = { address: '93.184.215.14', family: 4 }
const at = (address: string): Address => ({ address, family: address.includes(':') ? 6 : 4 })
const inner = [
  '127.0.0.1',
  '::1',
  '0.0.0.0',
  '10.1.2.3',
  '169.254.169.254',
  '::ffff:127.0.0.1',
  'fe80::1%lo',
  '64:ff9b::7f00:1',
]

const named: [string, Address[]][] = [
  ...inner.map((address, n): [string, Address[]] => [`inner-${n}.example`, [at(address)]]),
  ...inner.map((address, n): [string, Address[]] => [`mixed-${n}.example`, [publicAddress, at(address)]]),
  ['nowhere.example', []],
  ['nonsense.example', [at('not-an-address')]],
]

type Judged = { address: string; refused: boolean; reason: string }

const judge = async (address: string, ask: () => Promise<unknown>): Promise<Judged> => {
  const error = await ask().then(
    () => new Error('it was fetched'),
    (reason: unknown) => reason,
  )
  const unfit = error instanceof Unfit
  return {
    address,
    refused: unfit && error.reason === 'refused-address' && error.words.endsWith('.'),
    reason: unfit ? error.reason : String(error),
  }
}

export const insideAddresses = (port: number): string[] => literal.map((address) => address.replace(':P', `:${port}`))

export const startListener = async (host = '::') => {
  let connections = 0
  const server = createTcpServer((socket) => {
    connections += 1
    socket.on('error', () => undefined).end('HTTP/1.1 200 OK\r\ncontent-length: 6\r\n\r\nsecret')
  })
  await new Promise<void>((resolve) => server.listen(0, host, () => resolve()))
  return {
    port: (server.address() as AddressInfo).port,
    connections: () => connections,
    close: () => new Promise((resolve) => server.close(resolve)),
  }
}

const startRedirector = async () => {
  const server = createServer(
    (request, response) =>
      void response.writeHead(302, { location: decodeURIComponent((request.url ?? '').slice(1)) }).end(),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return { host, close: () => new Promise((resolve) => server.close(resolve)) }
}

const signal = new AbortController().signal

export const attackAddresses = async (): Promise<{ judged: Judged[]; connections: number }> => {
  const [listener, redirector] = [await startListener(), await startRedirector()]
  const written = insideAddresses(listener.port)
  const names = new Map(named)
  const resolve: Resolve = async (host) => names.get(host) ?? [publicAddress]
  const urls = [...written, ...named.map(([name]) => `http://${name}:${listener.port}/`)]
  const guard = { resolve }
  const hook = { method: 'POST', body: '{}', signal, timeoutMs: 2_000, maxBytes: 1_000, redirects: 0 } as const
  const redirecting = { resolve, allowed: allowedTargets([redirector.host]) }
  const behind = urls.filter((url) => URL.canParse(url) && /^[ -~]+$/.test(url))
  try {
    const judged = [
      ...(await Promise.all(urls.map((url) => judge(url, () => fetchDocument(url, { signal, guard }))))),
      ...(await Promise.all(urls.map((url) => judge(`webhook ${url}`, () => guardedFetch(url, { ...hook, guard }))))),
      ...(await Promise.all(
        behind.map((url) =>
          judge(`redirect to ${url}`, () =>
            fetchDocument(`http://${redirector.host}/${encodeURIComponent(url)}`, { signal, guard: redirecting }),
          ),
        ),
      )),
    ]
    return { judged, connections: listener.connections() }
  } finally {
    await Promise.all([listener.close(), redirector.close()])
  }
}

/**
 * Simulates DNS rebinding: the first DNS lookup returns an allowed address, and every later lookup returns a private
 * one.
 */
export const attackByRebinding = async (): Promise<{ lookups: number; connections: number }> => {
  const listener = await startListener('127.0.0.1')
  let lookups = 0
  const resolve: Resolve = async () => ((lookups += 1) === 1 ? [at('127.0.0.9')] : [at('127.0.0.1')])
  const soon = AbortSignal.timeout(300)
  await guardedFetch(`http://rebinding.example:${listener.port}/`, {
    signal: soon,
    timeoutMs: 300,
    maxBytes: 1_000,
    redirects: 5,
    guard: { resolve, allowed: allowedTargets(['127.0.0.9']) },
  }).catch(() => undefined)
  await listener.close()
  return { lookups, connections: listener.connections() }
}
