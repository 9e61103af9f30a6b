import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'

const types: Record<string, string> = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'favicon-32x32.png': 'image/png',
}

const start = `SwaggerUIBundle({ url: '/openapi.json', dom_id: '#ui', validatorUrl: null, deepLinking: true })\n`

export const page = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Plumbline: the API</title>
<link rel="stylesheet" href="/docs/swagger-ui.css"><link rel="icon" href="/docs/favicon-32x32.png"></head>
<body><div id="ui"></div><script src="/docs/swagger-ui-bundle.js"></script><script src="/docs/start.js"></script></body>
</html>
`

/** Files of the API page, from the installed package: no other host is asked. */
export const asset = async (name: string): Promise<{ type: string; body: string | Buffer } | undefined> => {
  if (name === 'start.js') return { type: 'text/javascript; charset=utf-8', body: start }
  const type = Object.hasOwn(types, name) ? types[name] : undefined
  return type === undefined
    ? undefined
    : { type, body: await readFile(createRequire(import.meta.url).resolve(`swagger-ui-dist/${name}`)) }
}
