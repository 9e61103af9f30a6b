import { existsSync } from 'node:fs'
import { delimiter, dirname } from 'node:path'
import { needsOf, refusalOf } from '../../libs/commands/command.mjs'
import { callOf, usageOf } from '../../libs/commands/help.mjs'
import { commandsOf, table } from '../../libs/commands/table.mjs'
import { ensureBuilt, isBuilt } from './build.mjs'
import { Fault } from './fault.mjs'
import { ensureInstalled, isInstalled } from './install.mjs'
import { alone } from './lock.mjs'
import { inRoot } from './paths.mjs'
import { foreground } from './run.mjs'
import { ensureRuntime, isEnough } from './runtime.mjs'

const prepare = async ({ redis, browser, promtool, postgres, kubernetes, build, product }) => {
  // Load these modules only if they are needed. Most commands need none of them.
  const packages = redis || browser || promtool || postgres ? await import('./packages.mjs') : undefined
  const tools = kubernetes ? await import('./kubernetes.mjs') : undefined
  if (redis) await packages.ensureRedis({ byUrl: redis === 'any' })
  if (browser) await packages.ensureChromium()
  if (promtool) await packages.ensurePromtool()
  if (postgres) await packages.ensurePostgres()
  const ready =
    isEnough(process.versions.node) &&
    isInstalled({ product }) &&
    (!build || isBuilt(build)) &&
    (!tools || tools.hasKubernetesTools())
  if (ready) return process.execPath
  return alone(async () => {
    const node = await ensureRuntime()
    await ensureInstalled({ product })
    await tools?.ensureKubernetesTools()
    if (build) await ensureBuilt(build, node)
    return node
  })
}

/** Runs the preparation. A signal then ends this process and its children. Later, signals are for the command. */
const interruptible = async (work) => {
  const stops = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 }
  const handlers = Object.entries(stops).map(([signal, code]) => [signal, () => process.exit(code)])
  for (const [signal, handler] of handlers) process.on(signal, handler)
  try {
    return await work()
  } finally {
    for (const [signal, handler] of handlers) process.removeListener(signal, handler)
  }
}

const print = (text) => {
  process.stdout.write(`${text}\n`)
  return 0
}
const invalid = (text) => {
  process.stderr.write(`${text}\n`)
  return 2
}

const runScripts = async ({ run, whole = run, needs }, node, words) => {
  // Put the folder of this Node first on PATH, because tools such as nx and eslint start `node` by name.
  const env = { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env.PATH ?? ''}` }
  let worst = 0
  for (const [script, ...args] of words.length === 0 ? whole : run) {
    if (!existsSync(inRoot(script)))
      throw new Fault(`${script} does not exist, so the command cannot run in this version.`)
    const code = await foreground(node, [inRoot(script), ...args, ...words], { env, tied: needs.tied })
    // After a failed script, continue with the next one. After a signal, stop.
    if (code >= 128) return code
    worst ||= code
  }
  return worst
}

const usage = async (program) => usageOf(program, await commandsOf(program))

const unknownCommand = async (name, program) => {
  const other = program === 'lab' ? 'plumbline' : 'lab'
  if (!Object.hasOwn(table[other], name))
    return invalid(`There is no command "${name}". The commands of ${program}:\n\n${await usage(program)}`)
  return invalid(`${name} is not a command of ${program}. Use: ${callOf(await table[other][name]())}`)
}

const main = async (argv) => {
  const program = argv[0] === 'lab' ? 'lab' : 'plumbline'
  const [name, ...words] = program === 'lab' ? argv.slice(1) : argv
  if (name === '--help' || name === '-h') return print(await usage(program))
  if (name === undefined) return invalid(await usage(program))
  if (!Object.hasOwn(table[program], name)) return unknownCommand(name, program)
  const command = await table[program][name]()
  const refusal = refusalOf(command, words)
  if (refusal) return refusal.kind === 'help' ? print(refusal.text) : invalid(refusal.message)
  const node = await interruptible(() => prepare(needsOf(command, words)))
  return runScripts(command, node, words)
}

main(process.argv.slice(2)).then(
  (code) => process.exit(code),
  (error) => {
    process.stderr.write(
      `\n${error instanceof Fault ? error.message : `${error.stack}\n\nThis should not happen: please report it.`}\n`,
    )
    process.exit(1)
  },
)
