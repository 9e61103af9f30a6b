import { describe, expect, it } from 'vitest'
import { Ask } from './ask'
import { DocumentFields } from './document'
import { Decision } from './review'
import { clean, cleanName } from './text'

const turned = 'report\u202efdp.exe'

describe('text of others', () => {
  it.each([
    ['a colour', '\u001b[31mred\u001b[0m', 'red'],
    ['the title of a window', 'a\u001b]0;owned\u0007b', 'ab'],
    ['a link', '\u001b]8;;https://evil.example\u001b\\here\u001b]8;;\u001b\\', 'here'],
    ['a sequence that never ends', 'a\u001b]0;b', 'a0;b'],
    ['a line written over another', 'paid\rowed', 'paid\nowed'],
    ['the eight-bit form', 'a\u009b2Jb', 'a2Jb'],
    ['another direction', `${turned}\u2066\u2069\u200f\u061c`, 'reportfdp.exe'],
    ['NUL and DEL', 'a\u0000\u007fb', 'ab'],
    ['tabs, lines and joined letters', 'a\tb\nc 👩‍🔬 می‌خواهم', 'a\tb\nc 👩‍🔬 می‌خواهم'],
  ])('is cleaned of %s', (_, text, left) => {
    expect(clean(text)).toBe(left)
  })

  it('is one line as a name', () => {
    expect(cleanName(' a\r\n\u2028 b\u202e ')).toBe('a b')
  })
})

describe('a name', () => {
  it('that people see loses characters that would mislead them', () => {
    const fields = { title: turned, name: ` a\n${turned}`, metadata: { [turned]: `${turned}\u009b31m` } }
    expect(DocumentFields.parse(fields)).toMatchObject({
      title: 'reportfdp.exe',
      name: 'a reportfdp.exe',
      metadata: { 'reportfdp.exe': 'reportfdp.exe31m' },
    })
    expect(DocumentFields.safeParse({ title: '\u202e' }).error?.issues).toMatchObject([{ message: 'enter a title' }])
  })

  it.each(['a\u202eb', 'a\u001b[31m', 'a\nb', ' a', '\ud800', '\u2067'])('that programs give is refused: %j', (id) => {
    const message = expect.stringContaining('remove control characters')
    expect(Ask.safeParse({ question: 'How?', threadId: id }).error?.issues).toMatchObject([{ message }])
    const decision = { action: 'approve', taskId: 'review.1', decisionId: id }
    expect(Decision.safeParse(decision).error?.issues).toMatchObject([{ message }])
  })
})
