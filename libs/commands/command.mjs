import { parseArgs } from 'node:util'
import { callOf, helpOf, helpOption } from './help.mjs'

/**
 * An option of a command. In the help, `value` is the placeholder for its value.
 * @typedef {import('node:util').ParseArgsOptionDescriptor & { value?: string, help: string }} Option
 *
 * Requirements that are installed or built before a command runs. `redis: 'binary'` means an installed Redis, and
 * `'any'` also accepts REDIS_URL. If `promtool`, `postgres` or `kubernetes` is missing, only specs that use it fail.
 * `build: 'lab'` also builds fire, bench and eval. A `tied` command ends when the process that started it ends.
 * @typedef {{
 *   redis?: 'binary' | 'any', browser?: boolean, promtool?: boolean, postgres?: boolean, kubernetes?: boolean,
 *   build?: boolean | 'lab', product?: boolean, tied?: boolean
 * }} Needs
 *
 * An action, which is the first word after the name of a command. Only this action accepts its `options`. Without
 * `arguments`, it accepts no further words.
 * @typedef {{ arguments?: string, summary: string, options?: readonly string[], needs?: Needs }} Action
 *
 * A command. If it has `arguments`, a first word that names no action is an argument. `passes` names the program that
 * gets all words without a check. `settings` lists environment variables. Node runs the scripts in `run` one after
 * another. If `whole` exists, Node runs its scripts instead when the command is called without words.
 * @typedef {{
 *   name: string, program: 'plumbline' | 'lab', script?: boolean, summary: string, arguments?: string,
 *   actions?: Readonly<Record<string, Action>>, needsAction?: boolean, options: Readonly<Record<string, Option>>,
 *   passes?: string, examples: readonly (readonly [call: string, does: string])[], notes?: string,
 *   settings?: readonly (readonly [name: string, text: string])[],
 *   exits: Readonly<Record<number, string>>, needs: Needs, run: readonly (readonly string[])[],
 *   whole?: readonly (readonly string[])[]
 * }} Command
 */

/** @typedef {{ name: string, rawName: string }} Given An option in the command line */
/** @typedef {{ kind: 'help', text: string } | { kind: 'fault', message: string }} Refusal */

/** @type {(command: Command, ...lines: string[]) => Refusal} */
const fault = (command, ...lines) => ({
  kind: 'fault',
  message: [...lines, `For help: ${callOf(command)} --help`].join('\n'),
})

/** @type {(command: Command, options: Given[], word: string | undefined) => Refusal | null} */
const optionFault = (command, options, word) => {
  const unknown = options.find(({ name }) => !Object.hasOwn(command.options, name))
  const known = [...Object.keys(command.options), 'help'].map((name) => `--${name}`)
  if (unknown)
    return fault(command, `${command.name} has no option "${unknown.rawName}".`, `Its options are ${known.join(', ')}.`)
  for (const { name, rawName } of options) {
    const actions = Object.entries(command.actions ?? {}).filter(([, action]) => action.options?.includes(name))
    const names = actions.map(([action]) => action)
    if (names.length > 0 && !names.includes(word ?? ''))
      return fault(
        command,
        `${rawName} is only possible with ${names.map((one) => `${command.name} ${one}`).join(', ')}.`,
      )
  }
  return null
}

/** @type {(command: Command, words: string[]) => Refusal | null} */
const wordFault = (command, [word, ...rest]) => {
  const { name, actions = {} } = command
  const known = Object.keys(actions)
  if (word === undefined)
    return command.needsAction ? fault(command, `${name} needs one of these words: ${known.join(', ')}.`) : null
  const action = Object.hasOwn(actions, word) ? actions[word] : undefined
  if (action) {
    if (action.arguments !== undefined || rest.length === 0) return null
    return fault(command, `${name} ${word} accepts no arguments, but "${rest[0]}" was given.`)
  }
  if (command.arguments !== undefined) return null
  if (known.length === 0) return fault(command, `${name} accepts no arguments, but "${word}" was given.`)
  return fault(command, `${name} has no command "${word}".`, `Its commands are ${known.join(', ')}.`)
}

/** @type {(command: Command, words: readonly string[]) => { given: Given[], positionals: string[] }} */
const split = (command, words) => {
  const options = { ...command.options, help: helpOption }
  const { tokens, positionals } = parseArgs({ args: [...words], options, strict: false, tokens: true })
  return { given: tokens.filter((token) => token.kind === 'option'), positionals }
}

/** @type {(command: Command, words: readonly string[]) => Needs} */
export const needsOf = (command, words) => {
  const [word = ''] = split(command, words).positionals
  return { ...command.needs, ...command.actions?.[word]?.needs }
}

/** @type {(command: Command, words: readonly string[]) => Refusal | null} */
export const refusalOf = (command, words) => {
  const { given, positionals } = split(command, words)
  if (given.some(({ name }) => name === 'help')) return { kind: 'help', text: helpOf(command) }
  if (command.passes !== undefined) return null
  const refusal = optionFault(command, given, positionals[0]) ?? wordFault(command, positionals)
  if (refusal) return refusal
  try {
    parseArgs({ args: [...words], options: command.options, allowPositionals: true })
    return null
  } catch (error) {
    // `parseArgs` throws if an option lacks a value, or has a value but accepts none.
    return fault(command, `${error instanceof Error ? error.message : String(error)}.`)
  }
}

/**
 * @template {Record<string, Option>} const O
 * @param {Omit<Command, 'options'> & { options: O }} command
 * @param {readonly string[]} words
 */
export const readWords = (command, words) => {
  const refusal = refusalOf(command, words)
  if (refusal) return refusal
  const { values, positionals } = parseArgs({ args: [...words], options: command.options, allowPositionals: true })
  return { kind: /** @type {const} */ ('words'), values, positionals }
}

/**
 * Parses the words of a command. If they contain `--help`, prints the help and exits with code 0. If they are wrong,
 * prints the error and exits with code 2.
 * @template {Record<string, Option>} const O
 * @param {Omit<Command, 'options'> & { options: O }} command
 * @param {readonly string[]} words
 */
export const readWordsOrExit = (command, words) => {
  const read = readWords(command, words)
  if (read.kind === 'words') return read
  if (read.kind === 'help') process.stdout.write(`${read.text}\n`)
  else process.stderr.write(`${read.message}\n`)
  process.exit(read.kind === 'help' ? 0 : 2)
}
