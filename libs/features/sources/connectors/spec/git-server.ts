import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { onLoopback } from '@plumbline/testing/loopback'

const run = promisify(execFile)
/** Makes git ignore the configuration of the current user. */
const env = {
  PATH: process.env['PATH'],
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_SYSTEM: '/dev/null',
  GIT_AUTHOR_NAME: 'spec',
  GIT_AUTHOR_EMAIL: 'spec@example.org',
  GIT_COMMITTER_NAME: 'spec',
  GIT_COMMITTER_EMAIL: 'spec@example.org',
}

const splitHead = (output: Buffer): { status: number; headers: Record<string, string>; body: Buffer } => {
  const end = output.indexOf('\r\n\r\n')
  const lines = output.toString('latin1', 0, end).split('\r\n')
  const headers = Object.fromEntries(
    lines.map((line): [string, string] => [line.split(': ')[0] ?? '', line.slice(line.indexOf(': ') + 2)]),
  )
  return { status: Number.parseInt(headers['Status'] ?? '200', 10), headers, body: output.subarray(end + 4) }
}

const collected = async (stream: AsyncIterable<Uint8Array>): Promise<Buffer> => {
  const pieces: Uint8Array[] = []
  for await (const piece of stream) pieces.push(piece)
  return Buffer.concat(pieces)
}

const serve = async (root: string, request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const url = new URL(request.url ?? '/', 'http://here')
  const child = spawn('git', ['http-backend'], {
    env: {
      ...env,
      GIT_PROJECT_ROOT: root,
      GIT_HTTP_EXPORT_ALL: '1',
      PATH_INFO: decodeURIComponent(url.pathname),
      QUERY_STRING: url.search.slice(1),
      REQUEST_METHOD: request.method,
      CONTENT_TYPE: request.headers['content-type'] ?? '',
      GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
      ...(request.headers['content-encoding'] && { HTTP_CONTENT_ENCODING: request.headers['content-encoding'] }),
    },
  })
  child.stdin.on('error', () => undefined)
  request.pipe(child.stdin)
  const [output] = await Promise.all([collected(child.stdout), once(child, 'close')])
  const { status, headers, body } = splitHead(output)
  response.writeHead(status, { 'content-type': headers['Content-Type'] ?? 'text/plain' }).end(body)
}

export const startGitServer = async () => {
  const root = await mkdtemp(join(tmpdir(), 'git-server-'))
  const asked: { path: string; authorization: string | undefined }[] = []
  let instead: (request: IncomingMessage, response: ServerResponse) => boolean = () => false
  const listener: RequestListener = (request, response) => {
    asked.push({ path: `${request.method} ${request.url}`, authorization: request.headers.authorization })
    if (instead(request, response)) return
    serve(root, request, response).catch(() => response.destroy())
  }
  const { url, close } = await onLoopback(createServer(listener))
  return {
    url,
    host: new URL(url).host,
    root,
    asked,
    answerInstead: (how: typeof instead) => void (instead = how),
    close: async () => {
      await close()
      await rm(root, { recursive: true })
    },
  }
}

export const createRepository = async (root: string, name: string) => {
  const folder = join(root, name)
  const git = async (...args: string[]): Promise<string> =>
    (await run('git', ['-C', folder, ...args], { env })).stdout.trim()
  await mkdir(folder)
  await git('init', '-q', '-b', 'main')
  const commit = async (): Promise<void> => void (await git('commit', '-q', '--allow-empty', '-m', 'change'))
  return {
    folder,
    git,
    put: async (path: string, content: string | Uint8Array): Promise<void> => {
      await mkdir(dirname(join(folder, path)), { recursive: true })
      await writeFile(join(folder, path), content)
      await git('add', '-f', path)
      await commit()
    },
    /** Writes an object that git itself would not create. */
    writeObject: async (kind: string, content: Uint8Array): Promise<string> => {
      const file = join(folder, '.git', 'object')
      await writeFile(file, content)
      return git('hash-object', '--literally', '-w', '-t', kind, file)
    },
    remove: async (path: string): Promise<void> => {
      await git('rm', '-q', path)
      await commit()
    },
  }
}
