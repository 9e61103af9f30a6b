import { expect, it } from 'vitest'
import { redactUserText } from './redact-user-text'

const question = 'How high is the lighthouse of Vardby?'
const request = JSON.stringify({
  model: 'gpt-4.1-mini-2025-04-14',
  messages: [{ role: 'user', content: [{ type: 'text', text: `Answer "${question}" in short.` }] }],
  input: [question],
})

it.each([
  [`Not allowed: ${question}`, 'Not allowed: …'],
  [`'${question}' is "${question}"`, `'…' is…`],
  ['Answer "How high is the lighthouse of Vardby?" in short.', '…'],
  ['The model gpt-4.1-mini-2025-04-14 does not exist.', 'The model gpt-4.1-mini-2025-04-14 does not exist.'],
  ['', ''],
])('%s', (said, told) => {
  expect(redactUserText(said, request)).toBe(told)
})

it('leaves a message about a non-text request unchanged', () => {
  expect(redactUserText('Too large.', undefined)).toBe('Too large.')
})
