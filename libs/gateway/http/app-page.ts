import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { notFound } from './problem'

/** In the source tree this file is three folders deep; in the build one, beside the app. */
export const appFolder = fileURLToPath(
  new URL(import.meta.url.endsWith('.ts') ? '../../../dist/dashboard/' : '../dashboard/', import.meta.url),
)

/** Allows only its own scripts, no other host, and no frame around it. */
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

/** Sends the page of the web app. It shows by its address what it is. */
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

/** A person who opens an address that nothing serves gets a page, not a problem in JSON. */
export const isUnknownPage = ({ is404, method, url, headers }: FastifyRequest): boolean =>
  is404 && method === 'GET' && !url.startsWith('/v1/') && headers.accept?.includes('text/html') === true
