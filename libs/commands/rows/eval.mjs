export const evaluate = /** @type {const} */ ({
  name: 'eval',
  program: 'lab',
  summary: 'measure the quality of parsing, retrieval and answers, compared with baselines',
  needsAction: true,
  actions: {
    newcomer: {
      summary: 'ask plain questions about our documents or yours, compared with a plain baseline',
      options: ['docs', 'questions', 'policy', 'only'],
      needs: { redis: 'binary' },
    },
    'first-minute': {
      summary: 'measure whether the first shown passage answers the first questions of a new user, compared with BM25',
      options: ['half', 'questions'],
      needs: { redis: 'binary' },
    },
    parsers: {
      summary: 'measure how files of every format in EVAL_DATA are read: words, tables, cells, refusals',
    },
    retrieval: { summary: 'measure which passages are found, compared with BM25 alone' },
    tables: {
      summary: 'ask about the tables of one document over HTTP, as PDF, HTML, Markdown and XLSX',
      needs: { redis: 'binary' },
    },
    'tables-real': { summary: 'measure tables of real documents cell by cell, compared with other parsers' },
    filings: {
      summary:
        'ask about tables in ten generated PDF reports: headers of two levels, groups of rows, figures in brackets',
      needs: { redis: 'binary', browser: true },
    },
    answers: {
      summary:
        'compare every policy with the policy simple: faithfulness, relevancy, context, refusals, cost and latency, with the configured models or none',
      options: ['policy', 'set', 'limit'],
      needs: { redis: 'binary' },
    },
  },
  options: {
    json: {
      type: 'string',
      value: 'file',
      help: 'write the figures to this file (default: dist/eval/<command>.figures.json)',
    },
    policy: { type: 'string', value: 'a,b', help: 'run with these policies' },
    set: { type: 'string', value: 'a,b', help: 'ask only these sets of questions' },
    limit: { type: 'string', value: 'n', help: 'ask this number of questions of each set' },
    docs: {
      type: 'string',
      value: 'folder',
      help: 'use the documents in this folder, which has one folder for each collection',
    },
    questions: { type: 'string', value: 'file', help: 'ask the questions in this file, one JSON object per line' },
    only: { type: 'string', value: 'kind, collection or id', help: 'ask only these questions' },
    half: {
      type: 'string',
      value: 'open or kept',
      help: 'ask only this half of the questions: open (used in development) or kept (held out)',
    },
  },
  examples: [
    ['npm run lab -- eval newcomer', 'ask our questions about our documents'],
    ['npm run lab -- eval newcomer --docs FOLDER --questions FILE.jsonl', 'ask your questions about your documents'],
    ['npm run lab -- eval answers --policy standard,careful', 'compare two policies'],
  ],
  notes:
    'The environment variable EVAL_DATA names the folder of the larger data sets. lab/eval/README.md describes the questions.',
  exits: {
    0: 'every measure reaches its minimum',
    1: 'a measure is below its minimum',
    2: 'the command is invalid, or the data is missing',
  },
  needs: { build: 'lab' },
  run: [['lab/eval/main.mjs']],
})
