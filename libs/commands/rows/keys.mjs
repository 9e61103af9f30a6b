import { json, keyDefault, product, url } from './gateway.mjs'

export const keys = /** @type {const} */ ({
  name: 'keys',
  program: 'plumbline',
  summary: 'create, list, rotate and revoke API keys',
  needsAction: true,
  actions: {
    list: { summary: 'list the keys' },
    create: { arguments: '<name>', summary: 'create a key' },
    rotate: { arguments: '<id>', summary: 'give a key a new secret; the old secret stays valid for --grace' },
    revoke: { arguments: '<id>', summary: 'revoke a key; all gateways refuse it within seconds' },
    first: { summary: 'create the first admin key of a tenant, directly in the Redis of REDIS_URL' },
  },
  options: {
    role: {
      type: 'string',
      multiple: true,
      value: 'role',
      help: 'asker, reviewer, admin, names-reviewers or operator; repeat the option for several roles',
    },
    access: {
      type: 'string',
      multiple: true,
      value: 'tag',
      help: 'allow documents with this access tag; repeat for several tags; "*" allows all documents',
    },
    expires: {
      type: 'string',
      value: 'when',
      help: 'a time from now such as 90d or 12h, or a date such as 2027-11-22T20:00:00Z',
    },
    grace: {
      type: 'string',
      default: '1h',
      value: 'time',
      help: 'how long the old secret stays valid: 90s, 30m, 24h, 7d or 0 (default: 1h)',
    },
    tenant: {
      type: 'string',
      value: 'name',
      help: 'the tenant of the keys: only an operator may name another tenant than its own; for first, the tenant of the new key',
    },
    operator: {
      type: 'boolean',
      default: false,
      help: 'also give the key the role operator, which manages all tenants. Only for first',
    },
    force: {
      type: 'boolean',
      default: false,
      help: 'revoke a key even if it is the last admin key, or create a first key even if the tenant already has an admin key',
    },
    json,
    url,
    key: { type: 'string', value: 'key', help: `an admin's key ${keyDefault}` },
  },
  examples: [
    ['npm run plumbline -- keys list', 'list the keys'],
    ['npm run plumbline -- keys create "The help page" --role asker', 'create a key that may ask'],
    [
      'npm run plumbline -- keys rotate <id> --grace 24h',
      'give a key a new secret; the old secret stays valid for a day',
    ],
    ['npm run plumbline -- keys first --tenant acme', 'create the first admin key of the tenant acme'],
  ],
  notes:
    'The secret of a new key is printed on standard output, and is shown only once, because Plumbline stores only its hash.',
  exits: { 0: 'done', 1: 'the gateway or Redis did not answer or refused the request' },
  needs: product,
  run: [['dist/cli/main.mjs', 'keys']],
})
