/** @import { Command } from './command.mjs' */
/** @typedef {readonly (readonly [string, string])[]} Rows */

const widest = 118
export const helpOption = /** @type {const} */ ({ type: 'boolean', short: 'h', help: 'show this help' })

export const callOf = (/** @type {Pick<Command, 'name' | 'program' | 'script'>} */ { name, program, script }) => {
  if (!script) return `npm run ${program} -- ${name}`
  return name === 'start' || name === 'test' ? `npm ${name} --` : `npm run ${name} --`
}

/** @type {(text: string, width: number) => string[]} */
const wrap = (text, width) => {
  const lines = ['']
  for (const word of text.split(' ')) {
    const line = lines[lines.length - 1] ?? ''
    if (line !== '' && line.length + 1 + word.length > width) lines.push(word)
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`
  }
  return lines
}

/** @type {(text: string) => string} */
const paragraphs = (text) =>
  text
    .split('\n')
    .map((line) => wrap(line, widest).join('\n'))
    .join('\n')

/** @type {(rows: Rows) => string} */
const columns = (rows) => {
  const left = Math.max(...rows.map(([name]) => name.length)) + 2
  return rows
    .map(([name, text]) => wrap(text, Math.max(40, widest - left - 2)).join(`\n  ${' '.repeat(left)}`))
    .map((text, at) => `  ${(rows[at]?.[0] ?? '').padEnd(left)}${text}`)
    .join('\n')
}

/** @type {(command: Command) => Rows} */
const optionRows = ({ options, actions = {} }) => [
  ...Object.entries(options).map(([name, { value, help }]) => {
    const only = Object.entries(actions).flatMap(([word, action]) => (action.options?.includes(name) ? [word] : []))
    return /** @type {const} */ ([
      value === undefined ? `--${name}` : `--${name} <${value}>`,
      only.length > 0 ? `${help}. Only for ${only.join(', ')}` : help,
    ])
  }),
  ['--help, -h', helpOption.help],
]

/** @type {(command: Command) => Rows} */
const actionRows = ({ actions = {} }) =>
  Object.entries(actions).map(([name, { arguments: own, summary }]) => [own ? `${name} ${own}` : name, summary])

/** @type {(command: Command) => Rows} */
const exitRows = ({ exits }) => Object.entries({ ...exits, 2: exits[2] ?? 'the command is invalid' })

/** @type {(command: Command) => string} */
const titleOf = ({ summary }) => `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`

/** @type {(title: string, rows: Rows) => string[]} */
const part = (title, rows) => (rows.length === 0 ? [] : [`${title}:\n${columns(rows)}`])

/** @type {(command: Command) => string} */
export const helpOf = (command) => {
  const { examples, notes, passes, settings = [] } = command
  return [
    wrap(titleOf(command), widest).join('\n'),
    columns(examples),
    ...part('Commands', actionRows(command)),
    ...part('Options', optionRows(command)),
    ...(passes === undefined ? [] : [`All other words are passed to ${passes}.`]),
    ...part('Settings, which are environment variables', settings),
    ...(notes === undefined ? [] : [paragraphs(notes)]),
    ...part('Exit codes', exitRows(command)),
  ].join('\n\n')
}

const aboutLab = 'Commands for developing Plumbline: npm run lab -- --help'

/** @type {(program: Command['program'], commands: Command[]) => string} */
export const usageOf = (program, commands) =>
  [
    `npm run ${program} -- <command> [words]`,
    columns(commands.map(({ name, summary }) => [name, summary])),
    [
      `Help with one command: npm run ${program} -- <command> --help`,
      ...(program === 'plumbline' ? [aboutLab] : []),
    ].join('\n'),
  ].join('\n\n')
