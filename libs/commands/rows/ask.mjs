import { keyDefault, product, url } from './gateway.mjs'

export const ask = /** @type {const} */ ({
  name: 'ask',
  program: 'plumbline',
  script: true,
  summary: 'ask a question in the terminal; without a question, start a conversation',
  arguments: '[question]',
  options: {
    trace: {
      type: 'boolean',
      default: false,
      help: 'print one line per decision: queries, grades, claims and reasons',
    },
    json: {
      type: 'boolean',
      default: false,
      help: 'print only the run view, as one JSON object, on standard output. You are not asked to decide a parked run. Use npm run -s ask, because npm prints a line too',
    },
    collection: {
      type: 'string',
      multiple: true,
      value: 'name',
      help: 'search only this collection; repeat the option for several collections',
    },
    policy: { type: 'string', value: 'name', help: 'use this policy' },
    run: { type: 'string', value: 'id', help: 'watch a run, or decide a parked run' },
    url,
    key: { type: 'string', value: 'key', help: `an API key ${keyDefault}` },
  },
  examples: [
    ['npm run ask -- "Which planet has the moon Titan?"', 'ask one question'],
    ['npm run ask', 'start a conversation; /help lists its commands'],
  ],
  notes:
    'The result is printed on standard output, and the progress on standard error. Checked parts of an answer are printed as they arrive, and each part is printed once.',
  exits: {
    0: 'the question was answered',
    1: 'the run failed, or the gateway did not answer or refused the request',
    3: 'the run stays parked until a reviewer decides',
    4: 'the run ended without an answer (nothing was found, the question is out of scope, or a clarifying question was asked)',
    130: 'the run was cancelled',
  },
  needs: product,
  run: [['dist/cli/main.mjs', 'ask']],
})
