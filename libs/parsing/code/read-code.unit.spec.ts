import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { fencedCode } from '../write-markdown'
import { readCode } from './read-code'

const read = async (name: string, code: string): Promise<string> => {
  const { parts } = await readCode(new TextEncoder().encode(code), { name })
  return parts[0]?.text ?? ''
}
const headings = async (name: string, code: string): Promise<string[]> =>
  (await read(name, code)).replace(/^(`{3,})[\s\S]*?\n\1$/gm, '').match(/^## .*$/gm) ?? []

describe('readCode', () => {
  it('puts each declaration under its name, with the comments right above it', async () =>
    expect(
      await read(
        'src/rows.py',
        '# About\nimport re\n\n# Parses a row.\n@cache\ndef parse_row(line):\n    def inner(): pass\n\n    return 1\n\nclass Row:\n    pass\n',
      ),
    ).toBe(
      '# rows.py\n\n```python\n# About\nimport re\n```\n\n## def parse_row\n\n```python\n# Parses a row.\n@cache\ndef parse_row(line):\n    def inner(): pass\n\n    return 1\n```\n\n## class Row\n\n```python\nclass Row:\n    pass\n```',
    ))

  it.each([
    [
      'a.ts',
      'export const a = 1\nexport const f = async (x: string): Promise<void> => {\n}\nexport default function g() {}\ntype T = { a: 1 }\nexport abstract class C {}\nconst h = x => 1',
      ['function f', 'function g', 'type T', 'class C', 'function h'],
    ],
    [
      'A.java',
      'package a;\n\n/** About. */\n@Bean\npublic final class A {\n  void f() {}\n}\ninterface B {}',
      ['class A', 'interface B'],
    ],
    [
      'a.go',
      'package a\n\nfunc (s *Server) Run(x int) error {\n}\ntype Server struct {\n}',
      ['func Run', 'type Server'],
    ],
    [
      'a.rs',
      'pub(crate) async fn run() {}\n#[derive(Debug)]\npub struct S;\nimpl<T> Trait for S {\n}',
      ['fn run', 'struct S', 'impl Trait for S'],
    ],
    [
      'a.c',
      '#include <a.h>\nstatic int parse_row(char *line, int n)\n{\n  return f(n);\n}\nstruct row {\n};\nint twice(int);\n',
      ['function parse_row', 'struct row'],
    ],
    [
      'a.sql',
      'CREATE TABLE IF NOT EXISTS rows (\n id int);\ncreate or replace function f() returns int as $$ $$;',
      ['TABLE rows', 'function f'],
    ],
    ['a.sh', '#!/bin/sh\nfunction one {\n}\ntwo() {\n}', ['function one', 'function two']],
    ['a.unknown', 'def x():\n  pass', []],
  ])('knows what is declared in %s', async (name, code, names) =>
    expect(await headings(name, code)).toEqual(names.map((one) => `## ${one}`)),
  )

  it('takes nothing within a text for a declaration', async () =>
    expect(await headings('a.py', 'X = """\ndef no(): pass\n"""\n\ndef yes(): pass')).toEqual(['## def yes']))

  it('keeps underscores of names', async () => {
    expect(await read('pkg/__init__.py', 'def __getattr__(name):\n    pass\n')).toBe(
      '# \\_\\_init\\_\\_.py\n\n## def \\_\\_getattr\\_\\_\n\n```python\ndef __getattr__(name):\n    pass\n```',
    )
  })

  it('changes nothing in the code', async () => {
    const code = readFileSync(new URL('./read-code.ts', import.meta.url), 'utf8')
    const text = await read('read-code.ts', code)
    const pieces = [...text.matchAll(/^(`{3,})typescript\n([\s\S]*?)\n\1$/gm)].map(([, , inner = '']) => inner)
    expect(pieces.join('\n').replace(/\n+/g, '\n')).toBe(code.trim().replace(/\n+/g, '\n'))
  })

  it('writes a fence that is longer than any in the code', () =>
    expect(fencedCode('\n  a\n```\n\n', 'md')).toBe('````md\n  a\n```\n````'))
})
