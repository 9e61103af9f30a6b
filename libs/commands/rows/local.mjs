import { product } from './gateway.mjs'

export const start = /** @type {const} */ ({
  name: 'start',
  program: 'plumbline',
  script: true,
  summary: 'start Plumbline: a gateway, all workers and, without REDIS_URL, a private Redis',
  options: {
    processes: { type: 'boolean', default: false, help: 'run every app as a separate process' },
  },
  examples: [
    ['npm start', 'run everything in one process'],
    ['npm start -- --processes', 'run every app as a separate process'],
    ['PORT=3001 npm start', 'listen on another port'],
  ],
  settings: [
    ['PORT, HOST', 'where the gateway listens (default: 3000, 127.0.0.1); requests from other machines need keys'],
    ['DATA_DIR', 'the folder of the index, the documents and the private Redis (default: .data)'],
    ['REDIS_URL', 'a running Redis, instead of a private one'],
    [
      'OPENAI_BASE_URL',
      'the server of the models that write answers; without models, answers are quotes and table cells',
    ],
    ['OPENAI_API_KEY', 'the key of the model server'],
    ['MODEL_SMALL, MODEL_STRONG', 'the names of the models'],
    ['WEB_SEARCH', 'off, or a search provider'],
    ['LOG_LEVEL', 'the lowest level of log lines that are printed (default: warn)'],
  ],
  notes:
    'docs/reference/settings.md and docs/run/models.md list all settings. Ctrl-C stops everything. This takes at most a few seconds more than DRAIN_MS.',
  exits: { 0: 'Plumbline was stopped', 1: 'Plumbline could not start' },
  needs: { redis: 'any', ...product, tied: true },
  run: [['dist/local/main.mjs']],
})

export const move = /** @type {const} */ ({
  name: 'move',
  program: 'plumbline',
  summary: 'move documents, passages and runs from the data folder to the configured bucket, Qdrant and Redis',
  options: {},
  examples: [['npm run plumbline -- move', 'move to the bucket, Qdrant and Redis that the settings name']],
  settings: [
    ['DATA_DIR', 'the data folder (default: .data); nothing in it is changed'],
    ['DOCUMENTS_STORE=s3', 'the documents are moved to the bucket S3_BUCKET'],
    ['S3_ENDPOINT, S3_REGION, S3_PREFIX', 'where the bucket is'],
    ['S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY', 'the key of the bucket'],
    ['QDRANT_URL, QDRANT_API_KEY, QDRANT_PREFIX', 'the destination of the passages with their vectors'],
    ['REDIS_URL', 'an empty Redis for collections, documents and runs; without it they stay in the data folder'],
  ],
  notes:
    'After the move, no shared disk is needed. Stop Plumbline first. The command moves three parts: documents, passages, and the data in Redis. A part is moved only if its settings are set. The vectors of passages are copied, not computed again. Every file is compared by its digest and every passage word for word. To continue an interrupted move, run the same command again; what was already copied is not copied again.',
  exits: { 0: 'the move is complete', 1: 'the move could not start, or is incomplete' },
  needs: { redis: 'any', ...product },
  run: [['dist/local/main.mjs', 'move']],
})

export const build = /** @type {const} */ ({
  name: 'build',
  program: 'plumbline',
  summary: 'build into dist/ without starting anything',
  options: {},
  examples: [['npm run plumbline -- build', 'build if a source file has changed']],
  exits: { 0: 'dist/ is up to date', 1: 'the build failed' },
  needs: product,
  run: [],
})
