import { keyDefault, product, url } from './gateway.mjs'

export const batch = /** @type {const} */ ({
  name: 'batch',
  program: 'plumbline',
  summary: 'ask the questions of a file, one per line',
  arguments: '[file]',
  options: {
    watch: { type: 'string', value: 'id', help: 'wait for a batch that was sent before, and write its results' },
    cancel: { type: 'string', value: 'id', help: 'cancel a batch and its runs in progress' },
    url,
    key: { type: 'string', value: 'key', help: `an API key ${keyDefault}` },
  },
  examples: [
    [
      'npm run -s plumbline -- batch questions.jsonl > answers.jsonl',
      'ask the questions, and write their results in the same order',
    ],
    ['npm run -s plumbline -- batch - < questions.jsonl', 'read the questions from standard input'],
    ['npm run -s plumbline -- batch --watch b0z8q1m5k2c7v9x3b6n4l8j1h', 'wait for a batch, and write its results'],
  ],
  notes:
    'Each line is a JSON object: {"custom_id": "mars", "question": "How heavy is Mars?"}. A line may have any field of POST /v1/runs except threadId, replaces, whenBusy and class.\n\nThe results are printed on standard output as JSON lines, and the progress on standard error. The command does not wait for reviews: a line whose answer is held is written as parked, and --watch writes all lines again later. Ctrl-C leaves the batch running.',
  exits: {
    0: 'every line has an answer',
    1: 'the gateway did not answer or refused the request',
    3: 'some lines stay parked until a reviewer decides',
    4: 'some lines failed, were refused or were cancelled',
    130: 'interrupted (the batch continues)',
  },
  needs: product,
  run: [['dist/cli/main.mjs', 'batch']],
})
