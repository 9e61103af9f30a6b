export const describe = /** @type {const} */ ({
  name: 'describe',
  program: 'lab',
  summary: 'write docs/openapi.json again',
  options: {},
  examples: [
    ['npm run lab -- describe', 'write the description, unless a change breaks callers'],
    ['DESCRIBE=breaking npm run lab -- describe', 'also write changes that break callers'],
  ],
  exits: { 0: 'the description is up to date', 1: 'the description was not written' },
  needs: { redis: 'binary' },
  run: [['tools/api-changes/write.mjs']],
})

export const scenarios = /** @type {const} */ ({
  name: 'scenarios',
  program: 'lab',
  summary:
    'write docs/reference/scenarios.md again: sample questions under the presets that work like known RAG systems',
  options: {},
  examples: [['npm run lab -- scenarios', 'play all scenarios, and write the page']],
  exits: { 0: 'the page is up to date', 1: 'a scenario failed' },
  needs: { redis: 'binary', build: true },
  run: [['tools/write-scenarios/main.mjs']],
})

export const client = /** @type {const} */ ({
  name: 'client',
  program: 'lab',
  summary: 'write the client as an npm package into dist/client or the given folder, and print its path',
  arguments: '[folder]',
  options: {},
  examples: [['npm run -s lab -- client', 'write the package into dist/client']],
  exits: { 0: 'the package is written', 1: 'the package could not be written' },
  needs: {},
  run: [['tools/build/client.mjs']],
})

export const screens = /** @type {const} */ ({
  name: 'screens',
  program: 'lab',
  summary:
    'write a picture of every page in light mode, dark mode and phone width into .data/screens or the given folder',
  arguments: '[folder]',
  options: {},
  examples: [['npm run lab -- screens pictures', 'write the pictures into the folder pictures']],
  exits: { 0: 'all pictures are written', 1: 'a page could not be shown' },
  needs: { redis: 'binary', browser: true, build: true },
  run: [['dist/e2e/main.mjs']],
})
