import { expect, it } from 'vitest'
import { matchesPath, tagsOf } from './access-rules'

it.each([
  ['hr/**', 'hr/pay.md', true],
  ['hr/**', 'hr/a/b/pay.md', true],
  ['hr/**', 'hr/.hidden/pay.md', true],
  ['hr/**', 'sales/hr/pay.md', false],
  ['**/hr/**', 'sales/hr/pay.md', true],
  ['**/hr/**', 'hr/pay.md', true],
  ['**', '.env', true],
  ['*.md', 'a.md', true],
  ['*.md', 'a/b.md', false],
  ['**/*.md', 'a/b.md', true],
  ['**/*.md', 'b.md', true],
  ['**/*.md', 'b.mdx', false],
  ['a/?.md', 'a/ü.md', true],
  ['a/?.md', 'a/.md', false],
  ['a/**/b/**/c', 'a/x/b/y/b/c', true],
  ['a/*', 'a', false],
  ['a[1].md', 'a[1].md', true],
  ['a[1].md', 'a1.md', false],
])('matches %s with %s: %s', (pattern, path, matches) => expect(matchesPath(pattern, path)).toBe(matches))

it('stays fast if a pattern can match in many ways', () => {
  const from = performance.now()
  expect(matchesPath(`${'*a'.repeat(40)}*b`, 'a'.repeat(255))).toBe(false)
  expect(matchesPath(`${'**/a/'.repeat(30)}b`, 'a/'.repeat(200))).toBe(false)
  expect(performance.now() - from).toBeLessThan(200)
})

it('returns the tags of the first rule that matches', () => {
  const rules = [
    { paths: 'hr/open/**', access: [] },
    { paths: 'hr/**', access: ['hr', 'board'] },
  ]
  expect(['hr/open/a.md', 'hr/a.md', 'b.md'].map((path) => tagsOf(rules, path))).toEqual([[], ['board', 'hr'], []])
})
