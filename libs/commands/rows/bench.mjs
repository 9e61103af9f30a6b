const speed = /** @type {const} */ (['first-token-ms', 'small-tokens-per-second', 'strong-tokens-per-second'])

export const bench = /** @type {const} */ ({
  name: 'bench',
  program: 'lab',
  script: true,
  summary: 'measure performance in comparison with similar systems, all in one run',
  actions: {
    answers: {
      summary: 'seconds, calls and tokens of an answer, compared with a plain model call and two LangGraph graphs',
      options: speed,
    },
    retrieval: { summary: 'search over 100,000 passages during an ingest' },
    lanes: {
      arguments: '[runs]',
      summary: 'the load on each node of a Redis Cluster with 1, 2 and 4 lanes (sets of queues)',
    },
    ingress: { summary: 'processor time to accept a question, compared with a bare server' },
    ingest: { summary: 'indexing 2,000 small documents, compared with a bare script' },
    pdf: { summary: 'the cost of a PDF, compared with pdftotext' },
    memory: { summary: 'memory and processor time of each app' },
  },
  options: {
    short: { type: 'boolean', default: false, help: 'run the short form, which takes less time' },
    'first-token-ms': {
      type: 'string',
      default: '400',
      value: 'n',
      help: 'milliseconds until a model begins to answer (default: 400)',
    },
    'small-tokens-per-second': {
      type: 'string',
      default: '120',
      value: 'n',
      help: 'speed of the small model (default: 120)',
    },
    'strong-tokens-per-second': {
      type: 'string',
      default: '60',
      value: 'n',
      help: 'speed of the strong model (default: 60)',
    },
  },
  examples: [
    ['npm run bench', 'measure throughput and latency'],
    ['npm run bench -- retrieval --short', 'run the short form of one measurement'],
  ],
  notes: 'The figures are written as JSON to .data/bench.json, or .data/bench-<command>.json.',
  exits: { 0: 'all figures are within their bounds', 1: 'a figure is out of bounds, or a measurement failed' },
  needs: { redis: 'binary', build: 'lab' },
  run: [['dist/bench/main.mjs']],
})
