import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { needsOf, readWords, refusalOf } from './command.mjs'
import { callOf, helpOf } from './help.mjs'
import { bench } from './rows/bench.mjs'
import { evaluate } from './rows/eval.mjs'
import { ingest } from './rows/ingest.mjs'
import { start } from './rows/local.mjs'
import { sources } from './rows/sources.mjs'
import { test } from './rows/specs.mjs'
import { commandsOf, table } from './table.mjs'

const commands = [...(await commandsOf('plumbline')), ...(await commandsOf('lab'))]
const root = join(import.meta.dirname, '..', '..')
/** Returns the words of an example as a shell would pass them to its command. */
const wordsOf = (example: string, call: string): string[] =>
  [...example.slice(example.indexOf(call) + call.length).matchAll(/"([^"]*)"|[^\s"]+/g)]
    .map(([word, quoted]) => quoted ?? word)
    .filter((word, at, all) => word !== '>' && word !== '<' && all[at - 1] !== '>' && all[at - 1] !== '<')

describe('the table of commands', () => {
  it('has a script in package.json for each short name, and two more', () => {
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: object }
    const short = commands.filter(({ script }) => script)
    const named = short.map(({ name, program }) => [name, `${program === 'lab' ? 'lab ' : ''}${name}`])
    const main = 'node tools/bootstrap/main.mjs'
    expect(scripts).toEqual({
      ...Object.fromEntries(named.map(([name, words]) => [name, `${main} ${words}`])),
      plumbline: main,
      lab: `${main} lab`,
    })
    expect(Object.keys(scripts).length).toBeLessThanOrEqual(10)
  })

  it('lists each command under its own name and program, and no name twice', async () => {
    for (const program of ['plumbline', 'lab'] as const)
      for (const [name, load] of Object.entries(table[program])) expect(await load()).toMatchObject({ name, program })
    expect(new Set([...commands.map(({ name }) => name), 'lab']).size).toBe(commands.length + 1)
  })

  it.each(commands.map((command) => [command.name, command] as const))(
    '%s: examples are accepted, its scripts exist, and its help is complete',
    (_, command) => {
      for (const [example] of command.examples) {
        const call = callOf(command)
          .replace(/ --$/, '')
          .replace(/^npm run /, '')
        expect(example).toContain(call)
        const words = wordsOf(example, call)
        expect(refusalOf(command, words[0] === '--' ? words.slice(1) : words), example).toBeNull()
      }
      for (const [script = ''] of [...command.run, ...(command.whole ?? [])])
        expect(script.startsWith('dist/') || existsSync(join(root, script)), script).toBe(true)
      const text = helpOf(command)
      for (const name of [...Object.keys(command.options), 'help']) expect(text).toContain(`--${name}`)
      expect(text).toMatch(/\nExit codes:\n {2}0 [^]*\n {2}2 /)
      for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(120)
      expect(refusalOf(command, ['--help'])).toEqual({ kind: 'help', text })
    },
  )

  it('names a module for each measurement', () => {
    for (const name of Object.keys(evaluate.actions))
      expect(existsSync(join(root, 'lab', 'eval', `${name}.ts`)), name).toBe(true)
  })
})

describe('the words after a command', () => {
  it('are read with the types and defaults of its options', () =>
    expect(readWords(ingest, ['./a', '--access', 'hr', 'b.pdf', '--access=board'])).toMatchObject({
      kind: 'words',
      values: { access: ['hr', 'board'], collection: 'default', json: false },
      positionals: ['./a', 'b.pdf'],
    }))

  it.each([
    [sources, ['--evry', '5'], 'sources has no option "--evry".\nIts options are --collection, --every, '],
    [sources, ['-x'], 'sources has no option "-x".'],
    [sources, ['lst'], 'sources has no command "lst".\nIts commands are list, add, run, show, remove.'],
    [sources, ['list', 'all'], 'sources list accepts no arguments, but "all" was given.'],
    [sources, ['constructor'], 'sources has no command "constructor".'],
    [sources, ['--constructor'], 'sources has no option "--constructor".'],
    [evaluate, [], 'eval needs one of these words: newcomer, '],
    [evaluate, ['parsers', '--docs', 'a'], '--docs is only possible with eval newcomer.'],
    [bench, ['--first-token-ms', '5'], '--first-token-ms is only possible with bench answers.'],
    [start, ['now'], 'start accepts no arguments, but "now" was given.'],
    [ingest, ['--url'], "Option '--url <value>' argument missing."],
    [ingest, ['--json=yes'], "Option '--json' does not take an argument."],
  ] as const)(
    'that %o does not accept (%o) are refused, with the known names and the help',
    (command, words, message) => {
      const refusal = refusalOf(command, words)
      expect(refusal).toMatchObject({ kind: 'fault', message: expect.stringContaining(message) })
      expect(refusal).toMatchObject({ message: expect.stringMatching(/\nFor help: npm .* --help$/) })
    },
  )

  it('ask for help anywhere before --', () => {
    expect(refusalOf(start, ['--processes', '-h'])).toMatchObject({ kind: 'help' })
    expect(refusalOf(ingest, ['--', '--help'])).toBeNull()
  })

  it('of specs are passed on, except for the help', () => {
    expect(refusalOf(test, ['libs/flow', '--coverage', '-t', 'a name'])).toBeNull()
    expect(refusalOf(test, ['libs/flow', '-h'])).toMatchObject({ kind: 'help' })
  })

  it('decide what a measurement needs', () => {
    expect(needsOf(evaluate, ['filings'])).toEqual({ build: 'lab', redis: 'binary', browser: true })
    expect(needsOf(evaluate, ['--json', 'filings', 'parsers'])).toEqual({ build: 'lab' })
  })
})
