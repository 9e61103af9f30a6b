import { json, keyDefault, product, url } from './gateway.mjs'

export const abandoned = /** @type {const} */ ({
  name: 'abandoned',
  program: 'plumbline',
  summary: 'list the abandoned tasks, and ask the questions of their runs again',
  actions: {
    list: { summary: 'list the abandoned tasks, newest first; the default command' },
    replay: {
      arguments: '[run id …]',
      summary: 'ask the questions of these runs again, or of all runs in the given range that ended without an answer',
      options: ['from', 'to'],
    },
  },
  options: {
    from: { type: 'string', value: 'time', help: 'replay only tasks that were abandoned since this time' },
    to: { type: 'string', value: 'time', help: 'replay only tasks that were abandoned until this time' },
    json,
    url,
    key: { type: 'string', value: 'key', help: `the key of an admin or operator ${keyDefault}` },
  },
  examples: [
    ['npm run plumbline -- abandoned', 'list the abandoned tasks'],
    [
      'npm run plumbline -- abandoned replay --from 2026-11-22T20:00:00Z',
      'ask all questions again whose tasks were abandoned since then',
    ],
  ],
  notes: 'A time has ISO format, such as 2026-11-22T20:00:00Z. A repeated command asks no question twice.',
  exits: {
    0: 'done',
    1: 'the gateway did not answer or refused the request',
    4: 'some questions were not asked again (the output gives the reasons)',
  },
  needs: product,
  run: [['dist/cli/main.mjs', 'abandoned']],
})
