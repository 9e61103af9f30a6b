import { existsSync } from 'node:fs'
import { enableCompileCache, flushCompileCache, registerHooks } from 'node:module'
import { fileURLToPath } from 'node:url'

/** This file lets Node run TypeScript sources, whose imports have no file extension. It is not part of the build. */
const libs = new URL('../../', import.meta.url)

/** Without this cache, a process spends more than half of its start on the compilation of types. */
enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/plumbline', libs)))
// A reading process never ends by itself, so it would not write the cache.
setInterval(flushCompileCache, 1_000).unref()

registerHooks({
  resolve: (specifier, context, next) => {
    const ours = specifier.startsWith('@plumbline/') ? new URL(specifier.slice('@plumbline/'.length), libs) : undefined
    const url =
      ours ??
      (/^\.\.?(?:\/|$)/.test(specifier) && context.parentURL?.endsWith('.ts')
        ? new URL(specifier, context.parentURL)
        : undefined)
    const file =
      url &&
      ['.ts', '/index.ts'].map((end) => new URL(`${url.href}${end}`)).find((one) => existsSync(fileURLToPath(one)))
    return next(file?.href ?? specifier, context)
  },
})
