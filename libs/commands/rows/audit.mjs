import { json, keyDefault, product, url } from './gateway.mjs'

export const audit = /** @type {const} */ ({
  name: 'audit',
  program: 'plumbline',
  summary: 'show the audit log (who changed what), and verify that it was not altered',
  needsAction: true,
  actions: {
    list: { summary: 'list the newest entries' },
    export: { summary: 'print the whole log, one entry per line' },
    verify: {
      arguments: '[file]',
      summary: 'verify that an exported log is unchanged; without a file, the current log of the gateway',
      options: ['expect'],
    },
  },
  options: {
    action: { type: 'string', value: 'action', help: 'show only entries of this action, such as key. Only for list' },
    actor: { type: 'string', value: 'name', help: 'show only entries of this actor. Only for list' },
    from: { type: 'string', value: 'time', help: 'show only entries since this time. Only for list' },
    to: { type: 'string', value: 'time', help: 'show only entries until this time. Only for list' },
    expect: {
      type: 'string',
      value: 'hash',
      help: 'require that the log contains the entry with this hash, which an earlier verify printed; without this option, verify does not notice if the end of the log was removed',
    },
    json,
    url,
    key: { type: 'string', value: 'key', help: `an admin's key ${keyDefault}` },
  },
  examples: [
    ['npm run plumbline -- audit list --action key', 'list the newest changes of keys'],
    ['npm run -s plumbline -- audit export > audit.jsonl', 'export the whole log'],
    ['npm run plumbline -- audit verify audit.jsonl', 'verify an exported log'],
    ['npm run plumbline -- audit verify', 'verify the current log of the gateway'],
  ],
  exits: {
    0: 'done, and the log is unchanged',
    1: 'the gateway did not answer or refused the request, or a file cannot be read',
    5: 'the log was changed (verify names the first entry that shows this)',
  },
  needs: product,
  run: [['dist/cli/main.mjs', 'audit']],
})
