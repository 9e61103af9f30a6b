const vitest = 'node_modules/vitest/vitest.mjs'
const nx = 'node_modules/nx/dist/bin/nx.js'
const prettier = 'node_modules/prettier/bin/prettier.cjs'
const knip = 'node_modules/knip/bin/knip.js'
const byHand = ['--config', 'vitest.by-hand.config.ts']

const specs = /** @type {const} */ ({
  program: 'lab',
  arguments: '[file …]',
  options: {},
  passes: 'Vitest',
  exits: { 0: 'all specs passed', 1: 'a spec failed, or none was found' },
})

export const test = /** @type {const} */ ({
  ...specs,
  name: 'test',
  script: true,
  summary: 'run the specs on real parts (Redis, SQLite, HTTP, processes); arguments select files',
  examples: [
    ['npm test', 'run the specs of each project that changed since its specs passed, except browser specs'],
    ['npm test -- spec', 'run all specs except those in the browser'],
    ['npm test -- libs/flow', 'run the specs of a folder'],
    [
      'E2E_REDIS=tls npm test -- apps/e2e',
      'run the end-to-end specs on Redis with TLS; other values are cluster and sentinel',
    ],
    ['SEED=7 npm test', 'try other random cases'],
  ],
  needs: { redis: 'binary', browser: true, promtool: true, postgres: true, kubernetes: true, build: true },
  run: [[vitest, 'run', '--project=!browser']],
  whole: [[nx, 'run-many', '-t', 'test']],
})

export const browser = /** @type {const} */ ({
  ...specs,
  name: 'browser',
  summary: 'test every page of the web app in Chromium',
  examples: [
    ['npm run lab -- browser', 'run all browser specs'],
    ['DECIDED=200 npm run lab -- browser desk-many', 'also print the median keystrokes of a decision'],
  ],
  needs: { redis: 'binary', browser: true, build: true },
  run: [[vitest, 'run', '--project', 'browser']],
})

export const check = /** @type {const} */ ({
  name: 'check',
  program: 'lab',
  script: true,
  summary: 'check formatting, types, unused code, generated pages, comments, lint rules and module boundaries',
  options: {},
  examples: [['npm run check', 'run all checks; a failed check does not stop the others']],
  exits: { 0: 'all checks passed', 1: 'a check failed' },
  needs: {},
  run: [
    [prettier, '--check', '--log-level', 'warn', '.'],
    [knip],
    ['tools/draw-flow/main.mjs', '--check'],
    ['tools/plain-words/main.mjs'],
    [nx, 'run-many', '-t', 'typecheck', 'lint-all'],
  ],
})

export const containers = /** @type {const} */ ({
  ...specs,
  name: 'containers',
  summary: 'run the steps of the Dockerfile without Docker, and start every app from the result',
  examples: [['npm run lab -- containers', 'run the steps for every app']],
  needs: { redis: 'binary' },
  run: [[vitest, 'run', ...byHand, 'deploy/docker']],
})

export const qdrant = /** @type {const} */ ({
  ...specs,
  name: 'qdrant',
  summary: 'test the Qdrant index against its contract on the server of QDRANT_URL',
  examples: [['QDRANT_URL=http://127.0.0.1:6333 npm run lab -- qdrant', 'use a Qdrant on this machine']],
  notes: 'To start a Qdrant: docker run --rm -p 6333:6333 qdrant/qdrant:v1.19.0. npm test uses a simulated server.',
  needs: {},
  run: [[vitest, 'run', ...byHand, 'libs/adapters/qdrant']],
})

export const openapi = /** @type {const} */ ({
  ...specs,
  name: 'openapi',
  summary: 'compare the simulated model and Qdrant servers with the OpenAPI documents in EVAL_DATA',
  examples: [['EVAL_DATA=../data npm run lab -- openapi', 'use the documents of OpenAI and Qdrant in ../data/openapi']],
  notes: 'With EVAL_DATA set, npm test also checks all requests of our adapters.',
  needs: {},
  run: [[vitest, 'run', ...byHand, 'libs/testing']],
})

export const pythonClient = /** @type {const} */ ({
  ...specs,
  name: 'python-client',
  summary:
    'ask with the official OpenAI client for Python, with and without streaming, using the interpreter of PYTHON',
  examples: [['PYTHON=client/bin/python npm run lab -- python-client', 'use this interpreter']],
  notes: 'The interpreter needs the package openai. Without the package, the spec says how to install it.',
  needs: { redis: 'binary' },
  run: [[vitest, 'run', ...byHand, 'apps/gateway']],
})
