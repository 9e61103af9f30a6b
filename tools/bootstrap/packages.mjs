import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { Fault } from './fault.mjs'
import { note, step } from './progress.mjs'
import { quietly } from './run.mjs'

const binaries = ['redis-server', 'valkey-server']
const found = () => binaries.some((name) => spawnSync(name, ['--version'], { stdio: 'ignore' }).status === 0)

const system = () => {
  if (process.platform === 'darwin') return { name: 'macOS', install: 'brew install redis' }
  if (process.platform === 'win32')
    return { name: 'Windows', install: 'install Redis in WSL, or set REDIS_URL to a Redis on another machine' }
  let release = ''
  try {
    release = readFileSync('/etc/os-release', 'utf8')
  } catch {
    return { name: 'this system', install: 'install the package redis' }
  }
  const ids = [...release.matchAll(/^(?:ID|ID_LIKE)="?([^"\n]*)"?$/gm)].flatMap((match) => match[1].split(' '))
  if (ids.includes('debian') || ids.includes('ubuntu'))
    return { name: 'Debian or Ubuntu', install: 'sudo apt-get install redis-server', apt: true }
  if (ids.includes('fedora') || ids.includes('rhel')) return { name: 'Fedora', install: 'sudo dnf install valkey' }
  if (ids.includes('alpine')) return { name: 'Alpine', install: 'apk add redis' }
  if (ids.includes('arch')) return { name: 'Arch', install: 'sudo pacman -S valkey' }
  return { name: 'this system', install: 'install the package redis' }
}

const aptInstall = (name, instead) =>
  step(`Installing ${name} (apt-get)`, `${name} is installed`, async () => {
    // With `RUNLEVEL`, the package does not start its server as a service. The project starts its own server.
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' }
    const install = () => quietly('apt-get', ['install', '-y', '--no-install-recommends', name], { env })
    let result = await install()
    if (result.code !== 0) {
      await quietly('apt-get', ['update'], { env })
      result = await install()
    }
    if (result.code !== 0)
      throw new Fault(
        `apt-get could not install ${name}:\n${result.output.trim().split('\n').slice(-6).join('\n')}\nInstall it by hand, or ${instead}.`,
      )
  })

export const ensureRedis = async ({ byUrl }) => {
  if ((byUrl && (process.env.REDIS_URL || process.env.REDIS_URL_FILE)) || found()) return
  const { name, install, apt } = system()
  const root = process.getuid?.() === 0
  if (!apt || !root)
    throw new Fault(
      `Plumbline needs Redis (or Valkey), and none is on PATH. On ${name}: ${install}.\n` +
        (byUrl ? 'Or set REDIS_URL to a running Redis, for example REDIS_URL=redis://127.0.0.1:6379. ' : '') +
        'Then run the same command again.',
    )
  note(
    'No redis-server or valkey-server on PATH. Running as root on Debian or Ubuntu, so the package redis-server is installed now.',
  )
  await aptInstall('redis-server', 'set REDIS_URL to a running Redis')
}

/** Installs promtool where possible. If it is missing, the specs of the alert rules fail and say how to install it. */
export const ensurePromtool = async () => {
  const { apt } = system()
  if (spawnSync('promtool', ['--version'], { stdio: 'ignore' }).status === 0 || !apt || process.getuid?.() !== 0) return
  note('No promtool on PATH. Running as root on Debian or Ubuntu, so the package prometheus is installed now.')
  await aptInstall('prometheus', 'continue without it').catch(() =>
    note('Without promtool the specs of the alert rules fail.'),
  )
}

/** The programs of Postgres are in this folder on Debian and Ubuntu, but the folder is not on PATH. */
const debianPostgres = '/usr/lib/postgresql'
const hasPostgres = () =>
  (existsSync(debianPostgres) &&
    readdirSync(debianPostgres).some((version) => existsSync(`${debianPostgres}/${version}/bin/postgres`))) ||
  spawnSync('postgres', ['--version'], { stdio: 'ignore' }).status === 0

/** Installs Postgres where possible. If it is missing, the specs of lookups fail and say how to install it. */
export const ensurePostgres = async () => {
  const { apt } = system()
  if (hasPostgres() || !apt || process.getuid?.() !== 0) return
  note('Postgres is not installed. Running as root on Debian or Ubuntu, so the package postgresql is installed now.')
  await aptInstall('postgresql', 'continue without it').catch(() =>
    note('Without Postgres the specs of Postgres lookups fail.'),
  )
}

const chromium = () => process.env.CHROMIUM ?? '/usr/bin/chromium'

export const ensureChromium = async () => {
  if (existsSync(chromium())) return
  const { apt } = system()
  if (!apt || process.env.CHROMIUM || process.getuid?.() !== 0)
    throw new Fault(
      `The specs of the web app need Chromium, and there is none at ${chromium()}. Install Chromium. If its path is different, set CHROMIUM to that path.`,
    )
  note('Chromium is not installed. Running as root on Debian or Ubuntu, so the package chromium is installed now.')
  await aptInstall('chromium', 'set CHROMIUM to the path of a Chromium')
}
