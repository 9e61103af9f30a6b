import { existsSync } from 'node:fs'
import { delimiter, dirname } from 'node:path'
import { ensureBuilt, isBuilt } from './build.mjs'
import { commands, usage } from './commands.mjs'
import { Fault } from './fault.mjs'
import { ensureInstalled, isInstalled } from './install.mjs'
import { ensureKubernetesTools, hasKubernetesTools } from './kubernetes.mjs'
import { alone } from './lock.mjs'
import { inRoot } from './paths.mjs'
import { ensureChromium, ensurePostgres, ensurePromtool, ensureRedis } from './packages.mjs'
import { foreground } from './run.mjs'
import { ensureRuntime, isEnough } from './runtime.mjs'

/** Prepares the requirements of a command in order. This takes milliseconds if nothing is missing. */
const prepare = async ({ redis, browser, promtool, postgres, kubernetes, build, product }) => {
  if (redis) await ensureRedis({ byUrl: redis === 'any' })
  if (browser) await ensureChromium()
  if (promtool) await ensurePromtool()
  if (postgres) await ensurePostgres()
  const ready =
    isEnough(process.versions.node) &&
    isInstalled({ product }) &&
    (!build || isBuilt()) &&
    (!kubernetes || hasKubernetesTools())
  if (ready) return process.execPath
  return alone(async () => {
    const node = await ensureRuntime()
    await ensureInstalled({ product })
    if (kubernetes) await ensureKubernetesTools()
    if (build) await ensureBuilt(node)
    return node
  })
}

/**
 * Runs the preparation. A signal during the preparation ends this process and its children. Later signals are left to
 * the command.
 */
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

const asksForHelp = (word) => word === '--help' || word === '-h'
const print = (text) => {
  process.stdout.write(`${text}\n`)
  return 0
}

const main = async ([name, ...words]) => {
  if (asksForHelp(name)) return print(usage())
  const command = commands[name]
  if (!command) throw new Fault(`${name ? `There is no command "${name}".\n` : ''}${usage()}`)
  if (command.help && words.some(asksForHelp)) return print(command.help)
  const unknown = command.options && words.find((word) => !command.options.includes(word))
  if (unknown) throw new Fault(`"${name}" has no option "${unknown}".\n\n${command.help}`)
  if (words.length > 0 && command.run.length !== 1) throw new Fault(`"${name}" accepts no arguments.`)
  const node = await interruptible(() => prepare(command))
  // Puts this Node first on PATH, because tools such as nx and eslint start `node` by name.
  const env = { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env.PATH ?? ''}` }
  let worst = 0
  for (const [script, ...args] of command.run) {
    if (!existsSync(inRoot(script)))
      throw new Fault(`${script} does not exist, so "${name}" cannot run in this version.`)
    const code = await foreground(node, [inRoot(script), ...args, ...words], { env, tied: command.tied })
    // Continues with the other checks after a failed check, but stops after a signal.
    if (code >= 128) return code
    worst ||= code
  }
  return worst
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
