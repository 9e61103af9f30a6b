/** The names of the fault tests. Each of them tests one promise of the system under one kind of fault. */
export const fireRows = /** @type {const} */ ([
  ...['R1', 'R2', 'R3', 'R5', 'R6', 'R7', 'R8', 'R9', 'R10', 'R11', 'R12', 'R14', 'R15', 'R16', 'R17', 'R18', 'R19'],
  ...['R20', 'R21', 'E3', 'E4', 'E5', 'E6', 'E7', 'E8', 'E9', 'H10', 'H11', 'L1', 'L2', 'L3', 'L4', 'L5', 'L6', 'L7'],
  ...['L11', 'L12', 'L13', 'L14', 'D1', 'D2', 'D3', 'D4', 'S3', 'S4', 'S13', 'S14', 'O6'],
])

export const fire = /** @type {const} */ ({
  name: 'fire',
  program: 'lab',
  summary:
    'run the system under faults (kills, lost Redis, tasks that crash their worker) and print which promises hold',
  arguments: '[row …]',
  options: {
    short: { type: 'boolean', default: false, help: 'run the short form, which takes minutes' },
  },
  examples: [
    ['npm run lab -- fire', 'run all fault tests'],
    ['npm run lab -- fire --short R1 S3', 'run the short form of two fault tests'],
  ],
  notes: `The fault tests: ${fireRows.join(' ')}\n\nThe figures are written to .data/fire.json.`,
  exits: { 0: 'all promises hold', 1: 'a promise is broken' },
  needs: { redis: 'binary', build: 'lab' },
  run: [['dist/fire/main.mjs']],
})
