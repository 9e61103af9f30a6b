const vitest = 'node_modules/vitest/vitest.mjs'
const nx = 'node_modules/nx/dist/bin/nx.js'
const native = 'node_modules/typescript-native/bin/tsc'
const prettier = 'node_modules/prettier/bin/prettier.cjs'
const byHand = ['--config', 'vitest.by-hand.config.ts']
const knip = 'node_modules/knip/bin/knip.js'

const startHelp = `Start Plumbline: a gateway, all workers and, without REDIS_URL, a private Redis.

  npm start                     run everything in one process
  npm start -- --processes      run every app as a separate process
  npm start -- --help           show this help

  Ctrl-C stops everything, at the latest a few seconds after DRAIN_MS.

Settings are environment variables, for example PORT=3001 npm start:

  PORT, HOST            where the gateway listens (default: 127.0.0.1, 3000); other machines need keys
  DATA_DIR              the folder of the index, the documents and the private Redis (default: .data)
  REDIS_URL             a running Redis, instead of a private one
  OPENAI_BASE_URL, OPENAI_API_KEY, MODEL_SMALL, MODEL_STRONG
                        the models that write answers; without models, answers are quotes and table cells
  WEB_SEARCH            off, or a search provider
  LOG_LEVEL             the lowest level of log lines that are printed (default: warn)

docs/reference/settings.md and docs/run/models.md list all settings. Ends with 0 if Plumbline was stopped, 1 if it could not
start.`

const moveHelp = `Move an installation out of its data folder, so that no shared disk is needed: documents into a bucket, passages with their
vectors into Qdrant, and the data of the private Redis into another Redis. Stop Plumbline first.

  npm run move                  set the settings that the installation will have after the move

  DATA_DIR              the data folder (default: .data); nothing in it is changed
  DOCUMENTS_STORE=s3, S3_BUCKET, S3_ENDPOINT, S3_REGION, S3_PREFIX, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY
                        the destination of the documents
  QDRANT_URL, QDRANT_API_KEY, QDRANT_PREFIX
                        the destination of the passages, which are not embedded again
  REDIS_URL             an empty Redis for collections, documents and runs; without it they stay in the data folder

  Each of the three parts is moved if its settings are set. Every file is compared by its digest and every passage word for
  word. To continue an interrupted move, run the same command again; what was already copied is not copied again.`

/**
 * All commands, with their requirements and scripts. Node runs the scripts one after another.
 * `redis: 'binary'` needs an installed Redis, and `'any'` also accepts REDIS_URL. `browser` needs Chromium.
 * `promtool`, `postgres` and `kubernetes` (Helm and kubectl) are optional: if they are missing, only the specs that use them fail.
 * `product` commands need no developer tools. A `tied` command ends together with this process.
 * `help` and `options` are handled before the scripts run. A command with a single script passes further arguments to
 * it.
 */
export const commands = {
  start: {
    about: 'start everything in one process; with -- --processes, every app as a separate process',
    redis: 'any',
    build: true,
    product: true,
    tied: true,
    help: startHelp,
    options: ['--processes'],
    run: [['dist/local/main.mjs']],
  },
  move: {
    about: 'move documents, passages and runs from the data folder to the configured bucket, Qdrant and Redis',
    redis: 'any',
    build: true,
    product: true,
    help: moveHelp,
    options: [],
    run: [['dist/local/main.mjs', 'move']],
  },
  build: { about: 'build into dist/ without starting anything', build: true, product: true, run: [] },
  ask: {
    about: 'ask a question in the terminal; without a question, start a conversation',
    build: true,
    product: true,
    run: [['dist/cli/main.mjs', 'ask']],
  },
  batch: { about: 'ask the questions of a file', build: true, product: true, run: [['dist/cli/main.mjs', 'batch']] },
  ingest: {
    about: 'add folders, files and web pages',
    build: true,
    product: true,
    run: [['dist/cli/main.mjs', 'ingest']],
  },
  sources: {
    about: 'keep documents in sync with folders, buckets, websites and repositories',
    build: true,
    product: true,
    run: [['dist/cli/main.mjs', 'sources']],
  },
  keys: {
    about: 'create, list, rotate and revoke keys',
    build: true,
    product: true,
    run: [['dist/cli/main.mjs', 'keys']],
  },
  audit: {
    about: 'list and export the audit log (who changed what), and verify that it was not altered',
    build: true,
    product: true,
    run: [['dist/cli/main.mjs', 'audit']],
  },
  abandoned: {
    about: 'list abandoned tasks, and ask the questions of their runs again',
    build: true,
    product: true,
    run: [['dist/cli/main.mjs', 'abandoned']],
  },
  doctor: {
    about: 'check Redis, queues, models, Qdrant, clocks, keys and documents, and report what to fix; -- --json',
    build: true,
    product: true,
    run: [['dist/doctor/main.mjs']],
  },
  replay: {
    about: 'decide exported cases again with the current policies and prompts',
    build: true,
    product: true,
    run: [['dist/replay/main.mjs']],
  },
  test: {
    about: 'run the tests; arguments select files',
    redis: 'binary',
    browser: true,
    promtool: true,
    postgres: true,
    kubernetes: true,
    build: true,
    run: [[vitest, 'run', '--project=!browser']],
  },
  browser: {
    about: 'test every page of the web app in Chromium',
    redis: 'binary',
    browser: true,
    build: true,
    run: [[vitest, 'run', '--project', 'browser']],
  },
  check: {
    about: 'check formatting, types, unused code, diagrams, comments and lint rules',
    run: [
      [prettier, '--check', '--log-level', 'warn', '.'],
      [native, '--noEmit', '-p', 'tsconfig.json'],
      [native, '--noEmit', '-p', 'apps/dashboard/tsconfig.json'],
      [knip],
      ['tools/draw-flow/main.mjs', '--check'],
      ['tools/plain-words/main.mjs'],
      [nx, 'run', 'plumbline:lint', '--output-style=stream'],
    ],
  },
  describe: {
    about: 'write docs/openapi.json again; with DESCRIBE=breaking, also if the change breaks callers',
    redis: 'binary',
    run: [['tools/api-changes/write.mjs']],
  },
  scenarios: {
    about: 'write docs/reference/scenarios.md again from the scenarios of the source systems',
    redis: 'binary',
    build: true,
    run: [['tools/write-scenarios/main.mjs']],
  },
  client: {
    about: 'write the client as an npm package into dist/client or the given folder',
    run: [['tools/build/client.mjs']],
  },
  containers: {
    about: 'run the steps of the Dockerfile without Docker, and start every app from the result',
    redis: 'binary',
    run: [[vitest, 'run', ...byHand, 'deploy/docker']],
  },
  qdrant: {
    about: 'test the Qdrant index against its contract on the server of QDRANT_URL',
    run: [[vitest, 'run', ...byHand, 'libs/adapters/qdrant']],
  },
  openapi: {
    about: 'test the model server and the Qdrant server of the specs against the OpenAPI documents in EVAL_DATA',
    run: [[vitest, 'run', ...byHand, 'libs/testing']],
  },
  'python-client': {
    about: 'ask with the official OpenAI client for Python, using the interpreter of PYTHON',
    redis: 'binary',
    run: [[vitest, 'run', ...byHand, 'apps/gateway']],
  },
  fire: {
    about: 'run the system under faults and print which guarantees held',
    redis: 'binary',
    build: true,
    run: [['dist/fire/main.mjs']],
  },
  bench: {
    about: 'measure performance in comparison with similar systems',
    redis: 'binary',
    build: true,
    run: [['dist/bench/main.mjs']],
  },
  screens: {
    about: 'write screenshots of every page into a folder: light, dark and phone width',
    redis: 'binary',
    browser: true,
    build: true,
    run: [['dist/e2e/main.mjs']],
  },
  'eval:parsers': {
    about: 'measure how well documents are parsed, above all their tables',
    build: true,
    run: [['eval/main.mjs', 'parsers']],
  },
  'eval:newcomer': {
    about: 'ask plain questions about our documents or yours, and compare with a plain baseline',
    redis: 'binary',
    build: true,
    run: [['eval/main.mjs', 'newcomer']],
  },
  'eval:first-minute': {
    about: 'ask the first questions of a new user about the sample and our documents, and compare with BM25',
    redis: 'binary',
    build: true,
    run: [['eval/main.mjs', 'first-minute']],
  },
  'eval:retrieval': {
    about: 'measure what retrieval finds, and compare with BM25 alone',
    build: true,
    run: [['eval/main.mjs', 'retrieval']],
  },
  'eval:tables': {
    about: 'ask about tables in every document format',
    redis: 'binary',
    build: true,
    run: [['eval/main.mjs', 'tables']],
  },
  'eval:tables-real': {
    about: 'measure tables of real documents cell by cell, and compare with other parsers',
    build: true,
    run: [['eval/main.mjs', 'tables-real']],
  },
  'eval:filings': {
    about: 'generate printed reports and ask about their tables',
    redis: 'binary',
    browser: true,
    build: true,
    run: [['eval/main.mjs', 'filings']],
  },
  'eval:answers': {
    about: 'measure answers of every policy, and compare with `simple`',
    redis: 'binary',
    build: true,
    run: [['eval/main.mjs', 'answers']],
  },
}

export const usage = () =>
  [
    'node tools/bootstrap/main.mjs <command> [words]',
    '',
    ...Object.entries(commands).map(([name, { about }]) => `  ${name.padEnd(18)}${about}`),
  ].join('\n')
