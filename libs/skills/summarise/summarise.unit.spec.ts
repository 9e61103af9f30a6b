import { describe, expect, it } from 'vitest'
import { summaryOf, titleFit } from './asked'
import { summariseContract } from './summarise.contract'
import { offlineSummarise } from './summarise.offline'

summariseContract('offline', () => offlineSummarise)

describe('what is to be summed up', () => {
  it.each([
    ['Summarise Agent memory', 'Agent memory'],
    ['Please summarize the document “Harbour report”.', 'Harbour'],
    ['Give me a short summary of the harbour report, please', 'the harbour'],
    ['Can you sum up the file called planets in tables?', 'planets in tables'],
  ])('%s', (question, title) => expect(summaryOf(question)).toBe(title))

  it.each(['What is a summary?', 'Who built the quay?', 'Summarise', 'Which report has a summary of costs?'])(
    'nothing: %s',
    (question) => expect(summaryOf(question)).toBeNull(),
  )

  it('is found by its title, or by most of it', () => {
    expect(titleFit('Agent memory', 'Agent memory: a short explainer')).toBeGreaterThan(0)
    expect(titleFit('the harbour', 'Harbour report')).toBeGreaterThan(0)
    expect(titleFit('planets', 'Agent memory: a short explainer')).toBe(0)
    expect(titleFit('agent memory costs', 'Agent memory: a short explainer')).toBe(0)
    expect(titleFit('report', 'The annual report of the northern harbours in 2020')).toBe(0)
  })
})
