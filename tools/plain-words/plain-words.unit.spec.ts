import { describe, expect, it } from 'vitest'
import { check, commentsIn, faultIn } from './plain-words.mjs'

describe('a comment', () => {
  it.each([
    ['What was lost is added again.', 'opens with "What"'],
    ['Rewrites the file. Whoever reads it meanwhile sees the old one.', 'opens with "Whoever"'],
    ['The job stands in the queue.', '"stands"'],
    ['The gateway is told of each change.', '"is told"'],
    ['A run goes on after a restart.', '"goes on"'],
    ['Reads the document anew.', '"anew"'],
  ])('is rejected: %s', (comment, fault) => expect(faultIn(comment)).toContain(fault))

  it.each([
    'Returns the open jobs of a run.',
    'The lookup runs by hash, so that timing leaks nothing.',
    'What to do next is the caller’s choice.',
    'The letter stands for a digit, and `is told` is a name.',
  ])('is accepted: %s', (comment) => expect(faultIn(comment)).toBeNull())
})

describe('comments of a file', () => {
  it('are joined over their lines, with the number of the first', () => {
    const source = ['// One', '// comment.', 'const a = 1', '/** Another', ' * one. */', "const b = '// no comment'"]
    expect(commentsIn(source.join('\n'))).toEqual([
      { line: 1, text: 'One comment.' },
      { line: 4, text: 'Another one.' },
    ])
  })

  it('have other marks in Lua', () => {
    const source = '--[[\nTakes a turn.\n]]\nlocal a = 1\n-- One step.'
    expect(commentsIn(source, true).map(({ text }) => text)).toEqual(['Takes a turn.', 'One step.'])
  })
})

describe('the allow-list', () => {
  const files = [{ path: 'libs/a/b.ts', source: '// Where it goes on.' }]
  it('exempts a folder, and reports an entry that exempts nothing', () => {
    expect(check(files, ['libs/a', 'libs/c'])).toEqual({ faults: [], unused: ['libs/c'] })
    expect(check(files, []).faults).toEqual([expect.stringMatching(/^libs\/a\/b\.ts:1 /)])
  })
})
