const vitest = 'node_modules/vitest/vitest.mjs'
const nx = 'node_modules/nx/dist/bin/nx.js'
const native = 'node_modules/typescript-native/bin/tsc'
const prettier = 'node_modules/prettier/bin/prettier.cjs'
const knip = 'node_modules/knip/bin/knip.js'

/**
 * Every command: what it needs before it runs, and the scripts it runs on Node one after another.
 * `redis: 'binary'` wants a server of its own, `'any'` is content with REDIS_URL; `tied` ends when we end. Further words go to a command's only script.
 */
export const commands = {
  start: {
    about: 'start everything in one process; -- --processes: every app on its own',
    redis: 'any',
    build: true,
    tied: true,
    run: [['dist/local/main.mjs']],
  },
  build: { about: 'build into dist/, and nothing else', build: true, run: [] },
  ask: { about: 'ask a question in the terminal; without one, talk', build: true, run: [['dist/cli/main.mjs', 'ask']] },
  ingest: {
    about: 'bring folders, files and pages of the web in',
    build: true,
    run: [['dist/cli/main.mjs', 'ingest']],
  },
  test: { about: 'run the tests; words after it choose files', redis: 'binary', build: true, run: [[vitest, 'run']] },
  check: {
    about: 'layout, types, unused code, drawings, lint',
    run: [
      [prettier, '--check', '--log-level', 'warn', '.'],
      [native, '--noEmit', '-p', 'tsconfig.json'],
      [knip],
      ['tools/draw-flow/main.mjs', '--check'],
      [nx, 'run', 'plumbline:lint', '--output-style=stream'],
    ],
  },
  containers: {
    about: 'do the steps of the Dockerfile by hand, and start every app from what they leave',
    redis: 'binary',
    run: [[vitest, 'run', '--config', 'deploy/docker/vitest.config.ts']],
  },
  fire: {
    about: 'run the system under faults and print what held',
    redis: 'binary',
    build: true,
    run: [['dist/fire/main.mjs']],
  },
  bench: { about: 'measure beside its peers', redis: 'binary', build: true, run: [['dist/bench/main.mjs']] },
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
    ...Object.entries(commands).map(([name, { about }]) => `  ${name.padEnd(12)}${about}`),
  ].join('\n')
