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
 * `promtool` and `kubernetes` (Helm and kubectl) are optional: if they are missing, only the specs that use them fail.
 * `product` commands need no developer tools. A `tied` command ends together with this process.
 * `help` and `options` are handled before the scripts run. A command with a single script passes further arguments to
 * it.
 */
export const commands = {
  start: {
    about: 'start everything in one process; -- --processes: every app on its own',
    redis: 'any',
    build: true,
    product: true,
    tied: true,
    help: startHelp,
    options: ['--processes'],
    run: [['dist/local/main.mjs']],
  },
  move: {
    about:
      'take documents, passages and runs of the data folder to the bucket, Qdrant and Redis that the settings name',
    redis: 'any',
    build: true,
    product: true,
    help: moveHelp,
    options: [],
    run: [['dist/local/main.mjs', 'move']],
  },
  build: { about: 'build into dist/, and nothing else', build: true, product: true, run: [] },
  ask: {
    about: 'ask a question in the terminal; without one, talk',
    build: true,
    product: true,
    run: [['dist/cli/main.mjs', 'ask']],
  },
  batch: { about: 'ask the questions of a file', build: true, product: true, run: [['dist/cli/main.mjs', 'batch']] },
  ingest: {
    about: 'bring folders, files and pages of the web in',
    build: true,
    product: true,
    run: [['dist/cli/main.mjs', 'ingest']],
  },
  sources: {
    about: 'say where documents come from, and keep them in step with it',
    build: true,
    product: true,
    run: [['dist/cli/main.mjs', 'sources']],
  },
  keys: {
    about: 'make, list, rotate and revoke keys',
    build: true,
    product: true,
    run: [['dist/cli/main.mjs', 'keys']],
  },
  audit: {
    about: 'who changed what: list, export, and verify that nothing was changed in it',
    build: true,
    product: true,
    run: [['dist/cli/main.mjs', 'audit']],
  },
  doctor: {
    about:
      'look at Redis, queues, models, Qdrant, clocks, keys and documents of the settings, and say what to fix; -- --json',
    build: true,
    product: true,
    run: [['dist/doctor/main.mjs']],
  },
  replay: {
    about: 'decide about exported cases again, by today’s policies and prompts',
    build: true,
    product: true,
    run: [['dist/replay/main.mjs']],
  },
  test: {
    about: 'run the tests; words after it choose files',
    redis: 'binary',
    browser: true,
    promtool: true,
    kubernetes: true,
    build: true,
    run: [[vitest, 'run', '--project=!browser']],
  },
  browser: {
    about: 'look at every page of the web app in Chromium',
    redis: 'binary',
    browser: true,
    build: true,
    run: [[vitest, 'run', '--project', 'browser']],
  },
  check: {
    about: 'layout, types, unused code, drawings, comments, lint',
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
    about: 'write docs/openapi.json anew; DESCRIBE=breaking also where that breaks callers',
    redis: 'binary',
    run: [['tools/api-changes/write.mjs']],
  },
  scenarios: {
    about: 'write docs/reference/scenarios.md anew, from the scenarios of the source systems',
    redis: 'binary',
    build: true,
    run: [['tools/write-scenarios/main.mjs']],
  },
  client: {
    about: 'write the client as a package that npm installs, into dist/client or the folder named',
    run: [['tools/build/client.mjs']],
  },
  containers: {
    about: 'do the steps of the Dockerfile by hand, and start every app from what they leave',
    redis: 'binary',
    run: [[vitest, 'run', ...byHand, 'deploy/docker']],
  },
  qdrant: {
    about: 'hold the Qdrant index to its contract on the server that QDRANT_URL names',
    run: [[vitest, 'run', ...byHand, 'libs/adapters/qdrant']],
  },
  openapi: {
    about: "hold the specs' model server and Qdrant server to the OpenAPI documents in EVAL_DATA",
    run: [[vitest, 'run', ...byHand, 'libs/testing']],
  },
  'python-client': {
    about: "ask through Python's official OpenAI client, of the interpreter that PYTHON names",
    redis: 'binary',
    run: [[vitest, 'run', ...byHand, 'apps/gateway']],
  },
  fire: {
    about: 'run the system under faults and print what held',
    redis: 'binary',
    build: true,
    run: [['dist/fire/main.mjs']],
  },
  bench: { about: 'measure beside its peers', redis: 'binary', build: true, run: [['dist/bench/main.mjs']] },
  screens: {
    about: 'write a picture of every page in light, dark and phone width into a folder',
    redis: 'binary',
    browser: true,
    build: true,
    run: [['dist/e2e/main.mjs']],
  },
  'eval:parsers': {
    about: 'measure how well documents are read, their tables above all',
    build: true,
    run: [['eval/main.mjs', 'parsers']],
  },
  'eval:newcomer': {
    about: 'ask plain questions over documents, ours or yours, beside a plain baseline',
    redis: 'binary',
    build: true,
    run: [['eval/main.mjs', 'newcomer']],
  },
  'eval:first-minute': {
    about: 'ask the first questions of a newcomer over the sample and our documents, beside BM25',
    redis: 'binary',
    build: true,
    run: [['eval/main.mjs', 'first-minute']],
  },
  'eval:retrieval': {
    about: 'measure what retrieval finds, beside BM25 alone',
    build: true,
    run: [['eval/main.mjs', 'retrieval']],
  },
  'eval:tables': {
    about: 'ask over tables in every form of a document',
    redis: 'binary',
    build: true,
    run: [['eval/main.mjs', 'tables']],
  },
  'eval:tables-real': {
    about: 'measure tables of real documents, cell by cell, beside other readers',
    build: true,
    run: [['eval/main.mjs', 'tables-real']],
  },
  'eval:filings': {
    about: 'ask over tables of printed reports, which it makes',
    redis: 'binary',
    browser: true,
    build: true,
    run: [['eval/main.mjs', 'filings']],
  },
  'eval:answers': {
    about: 'measure answers, every policy beside `simple`',
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
