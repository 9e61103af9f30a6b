import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { notFound } from './problem'

/** This file is three folders deep in the source tree, and one folder deep in the build. */
export const appFolder = fileURLToPath(
  new URL(import.meta.url.endsWith('.ts') ? '../../../dist/dashboard/' : '../dashboard/', import.meta.url),
)

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

export const sendPage = async (reply: FastifyReply, status: 200 | 404): Promise<void> => {
  const page = await readFile(join(appFolder, 'index.html'), 'utf8').catch(() => null)
  if (page === null) throw notFound('page: the app is not built; npm start builds it')
  await reply
    .code(status)
    .type('text/html; charset=utf-8')
    .headers({
      'content-security-policy': policy,
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cache-control': 'no-cache',
    })
    .send(page)
}

export const isUnknownPage = ({ is404, method, url, headers }: FastifyRequest): boolean =>
  is404 && method === 'GET' && !url.startsWith('/v1/') && headers.accept?.includes('text/html') === true
