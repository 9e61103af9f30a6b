import { keyDefault, product, url } from './gateway.mjs'

export const ingest = /** @type {const} */ ({
  name: 'ingest',
  program: 'plumbline',
  script: true,
  summary: 'add folders, files and web pages to a collection',
  arguments: '<folder, file or URL> …',
  actions: {
    ls: { arguments: '[words]', summary: 'list the documents of the collection' },
    rm: { arguments: '<name or id> …', summary: 'remove documents (to add a folder named rm, write ./rm)' },
  },
  options: {
    collection: {
      type: 'string',
      default: 'default',
      value: 'name',
      help: 'the collection of the documents (default: default)',
    },
    description: {
      type: 'string',
      value: 'text',
      help: 'the topic of the collection; for each question, Plumbline reads it to decide whether to search the collection',
    },
    metadata: {
      type: 'string',
      multiple: true,
      value: 'key=value',
      help: 'metadata for every document; repeat the option for several keys',
    },
    access: {
      type: 'string',
      multiple: true,
      value: 'tag',
      help: 'an access tag: only keys with one of the tags may read the documents; repeat for several tags',
    },
    concurrency: { type: 'string', default: '8', value: 'n', help: 'the number of parallel uploads (default: 8)' },
    prune: {
      type: 'boolean',
      default: false,
      help: "also remove documents whose files are no longer in any of the given folders; if these are more than half of the collection's files, add --yes",
    },
    yes: {
      type: 'boolean',
      default: false,
      help: "with --prune, allow the removal of more than half of the collection's files",
    },
    watch: {
      type: 'boolean',
      default: false,
      help: 'keep running, and upload each change in the folders as it happens; Ctrl-C stops',
    },
    'dry-run': { type: 'boolean', default: false, help: 'list what would be uploaded and removed, without doing it' },
    json: {
      type: 'boolean',
      default: false,
      help: 'print only one JSON object on standard output (use npm run -s ingest, because npm prints a line too). Fields: documents (the view of each uploaded document), failed (uploads that failed, with their errors), leftOut (files that were skipped), removed (documents that --prune removed); with --dry-run: found, leftOut',
    },
    url,
    key: { type: 'string', value: 'key', help: `an API key ${keyDefault}` },
  },
  examples: [
    ['npm run ingest -- ./papers', 'add a folder with all its subfolders'],
    ['npm run ingest -- report.pdf https://example.org/page', 'add files and web pages'],
    ['npm run ingest -- ls', 'list the documents of the collection `default`'],
  ],
  notes:
    'The path in the folder identifies a file. A changed file becomes a new version, and an unchanged file is not sent again. The result is printed on standard output, and the progress on standard error.',
  exits: {
    0: 'all documents are added',
    1: 'some documents failed, nothing could be read, or the gateway did not answer or refused the request',
    130: 'interrupted',
  },
  needs: product,
  run: [['dist/cli/main.mjs', 'ingest']],
})
