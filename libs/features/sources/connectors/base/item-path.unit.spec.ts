import { describe, expect, it } from 'vitest'
import { folderPrefix, isHiddenPath, itemPath } from './item-path'

describe('the path of an item', () => {
  it.each([
    ['guides/first steps.md', 'guides/first steps.md'],
    ['ünïcode/中文.md', 'ünïcode/中文.md'],
    ['/docs//a.md', 'docs/a.md'],
    ['a\nb.md', 'a b.md'],
    ['in\u202evoice\u0007.md', 'invoice.md'],
    ['\u001b[31mred.md', 'red.md'],
    ['..a/b...md', '..a/b...md'],
    ['100% & #1?.txt', '100% & #1?.txt'],
  ])('is %j as %j', (raw, path) => expect(itemPath(raw)).toBe(path))

  it.each([
    '',
    '/',
    '../../etc/passwd',
    'a/../../b',
    'a/./b',
    '..',
    'a/..',
    '..\\..\\windows\\system.ini',
    'a/.\u202e./b',
    'a/ .. /b',
    'a/\u2024\u2024/b',
    'a/．．/b',
    'not \uFFFD utf-8',
    'half \uD800',
    'x'.repeat(501),
  ])('is null for %j', (raw) => expect(itemPath(raw)).toBeNull())
})

it('a path is hidden if it contains a hidden name or a folder of a tool', () => {
  expect(['.env', 'a/.git/config', 'a/node_modules/b.md'].every(isHiddenPath)).toBe(true)
  expect(['a.b/c', 'node_modules.md'].some(isHiddenPath)).toBe(false)
})

it('a folder becomes the same path prefix, whatever its spelling', () => {
  expect(['docs', '/docs/', 'docs//', './docs'].map(folderPrefix)).toEqual(['docs/', 'docs/', 'docs/', 'docs/'])
  expect([undefined, '', '/', '.'].map(folderPrefix)).toEqual(['', '', '', ''])
})
