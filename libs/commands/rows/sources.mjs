import { keyDefault, product, url } from './gateway.mjs'

export const sources = /** @type {const} */ ({
  name: 'sources',
  program: 'plumbline',
  summary: 'keep documents in sync with folders, buckets, websites and repositories',
  actions: {
    list: { summary: 'list the sources; the default command' },
    add: {
      arguments: '<name> <folder or address>',
      summary:
        'add a folder (inside a folder of SOURCE_FOLDERS), a website, a repository (an address that ends in .git) or a bucket; if the name exists, change that source',
    },
    run: { arguments: '<name>', summary: 'sync a source now, and show the progress' },
    show: { arguments: '<name>', summary: 'show the settings, the last run and its failures' },
    remove: { arguments: '<name>', summary: 'remove a source; --documents chooses what happens to its documents' },
  },
  options: {
    collection: { type: 'string', value: 'name', help: 'the collection of the documents (default: default)' },
    every: {
      type: 'string',
      value: 'minutes',
      help: 'the minutes between two syncs. With never, or without --every and --cron, the source is synced only by the command run',
    },
    cron: { type: 'string', value: 'line', help: 'sync the source at set times (UTC), such as "0 3 * * *"' },
    access: {
      type: 'string',
      multiple: true,
      value: 'rule',
      help: 'paths and the access tags of their files, such as "hr/**=hr,board"; repeat for several rules. The first rule that matches a path applies. Files that match no rule are open to everybody: end with "**=board" to restrict them. "**=" alone opens all files',
    },
    set: {
      type: 'string',
      multiple: true,
      value: 'key=value',
      help: 'a setting of the kind of source, such as region=eu-central-1, branch=main or credentials=wiki; repeat for several settings. docs/use/sources.md lists them. An empty value (branch=) removes the setting',
    },
    kind: {
      type: 'string',
      value: 'kind',
      help: 'folder, s3, website or git; needed if the address does not show the kind',
    },
    documents: {
      type: 'string',
      value: 'keep or remove',
      help: 'keep the documents of the source, or remove them too. Only for remove',
    },
    'confirm-removals': {
      type: 'boolean',
      default: false,
      help: 'remove documents that are no longer at the source, even if these are most or all of its documents. Only for run',
    },
    json: { type: 'boolean', default: false, help: 'print only the result, as one JSON object, on standard output' },
    url,
    key: { type: 'string', value: 'key', help: `an API key with the role admin ${keyDefault}` },
  },
  examples: [
    ['npm run plumbline -- sources', 'list the sources'],
    ['npm run plumbline -- sources add handbook /data/handbook', 'add a folder'],
    ['npm run plumbline -- sources add wiki https://example.org/wiki/', 'add a website'],
    ['npm run plumbline -- sources add papers s3://bucket/papers', 'add a bucket'],
    ['npm run plumbline -- sources run handbook', 'sync a source now'],
    ['npm run plumbline -- sources remove handbook --documents keep', 'remove a source and keep its documents'],
  ],
  exits: {
    0: 'done',
    1: 'the run failed or skipped something, or the gateway did not answer or refused the request',
    130: 'interrupted (a run that has started continues)',
  },
  needs: product,
  run: [['dist/cli/main.mjs', 'sources']],
})
