import { product } from './gateway.mjs'

export const replay = /** @type {const} */ ({
  name: 'replay',
  program: 'plumbline',
  summary: 'check exported cases (stored decisions) again with the current policies and prompts',
  arguments: '<file>',
  options: {
    offline: { type: 'boolean', default: false, help: 'check the stored drafts again, without any model' },
    url: {
      type: 'string',
      value: 'address',
      help: 'use the policies of this gateway (default: the presets, and the policies in POLICIES_DIR)',
    },
    key: {
      type: 'string',
      value: 'key',
      help: 'an API key for the gateway (default: PLUMBLINE_KEY, or the content of the file that PLUMBLINE_KEY_FILE names)',
    },
    json: {
      type: 'boolean',
      default: false,
      help: 'print the changes as one JSON array on standard output (use npm run -s plumbline)',
    },
    strict: { type: 'boolean', default: false, help: 'exit with 1 if a case changed for the worse' },
  },
  examples: [
    [
      'npm run plumbline -- replay cases.jsonl',
      'write and check every draft again, with the models of the environment',
    ],
    ['npm run plumbline -- replay cases.jsonl --offline', 'check the stored drafts again, without any model'],
  ],
  notes:
    'The question, the steps and the evidence are those of the case: nothing is searched again. Without models in the environment (OPENAI_BASE_URL, …), the command works as with --offline.',
  exits: {
    0: 'all cases were replayed',
    1: 'a case could not be replayed; with --strict, also: a case changed for the worse',
  },
  needs: product,
  run: [['dist/replay/main.mjs']],
})
