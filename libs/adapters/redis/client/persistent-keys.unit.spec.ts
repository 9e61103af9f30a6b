import { expect, test } from 'vitest'
import { keys } from './keys'
import { mayPersist } from './persistent-keys'

test.each([
  keys.open('main'),
  keys.tenant('acme'),
  keys.parked('acme', 'rows'),
  keys.apiKeys('rows'),
  keys.apiKeysOf('acme'),
  keys.auditEnds('acme'),
  keys.documentsOf('acme', 'hand book'),
  keys.sourceState('acme', 'notes'),
  'plumbline:{main}:router:meta',
])('%s may stay', (key) => {
  expect(mayPersist(key)).toBe(true)
})

test.each([
  keys.state('r1'),
  keys.ledger('r1'),
  keys.feedbackOf('acme'),
  keys.thread('acme', 't1'),
  keys.asks('acme', 'unfinished'),
  keys.reserved('acme'),
  keys.audit('acme'),
  keys.turns('main'),
  keys.cached('answers'),
  keys.process('gateway.1'),
  keys.sourceLease('acme', 'notes'),
  'plumbline:{main}:router:r1.route',
  'plumbline:{main}:router:r1.route:lock',
])('%s has to expire', (key) => {
  expect(mayPersist(key)).toBe(false)
})
