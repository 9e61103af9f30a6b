import { product } from './gateway.mjs'

export const doctor = /** @type {const} */ ({
  name: 'doctor',
  program: 'plumbline',
  summary: 'check Redis, queues, models, Qdrant, clocks, keys and documents, and report what to fix',
  options: {
    json: { type: 'boolean', default: false, help: 'print the findings as one JSON array on standard output' },
    'adopt-originals': {
      type: 'boolean',
      default: false,
      help: 'add stored documents that have no record in Redis (the catalog), with their stored access tags',
    },
  },
  examples: [
    ['npm run plumbline -- doctor', 'check the deployment that the environment describes'],
    ['npm run plumbline -- doctor --adopt-originals', 'add stored documents that have no record in Redis'],
  ],
  notes: 'Settings are environment variables: use the environment of the deployment.',
  exits: {
    0: 'no fault was found, or all documents were added',
    1: 'a fault was found, or a document could not be added',
  },
  needs: product,
  run: [['dist/doctor/main.mjs']],
})
