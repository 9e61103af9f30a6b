import { spawn } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { isEnough } from './runtime.mjs'

let root: string
const put = (path: string, text: string): void => {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}
/** Puts a program `npm` on PATH that logs each call and runs the given script. */
const npm = (script: string): void => program('npm', `echo "$@" >> ${root}/npm.log\n${script}`)
const program = (name: string, script: string): void => {
  put(`bin/${name}`, `#!/bin/sh\nPATH=/usr/bin:/bin\n${script}\n`)
  chmodSync(join(root, 'bin', name), 0o755)
}
const npmLog = (): string[] =>
  existsSync(join(root, 'npm.log')) ? readFileSync(join(root, 'npm.log'), 'utf8').trim().split('\n') : []
const npmCalls = (): number => npmLog().length
const builds = (of = 'builds'): number =>
  Number(existsSync(join(root, of)) ? readFileSync(join(root, of), 'utf8').length : 0)

const begin = (...words: string[]) => {
  const child = spawn(process.execPath, [join(root, 'tools/bootstrap/main.mjs'), ...words], {
    cwd: root,
    // Any existing file can be set as Chromium, because the specs never start it.
    env: { PATH: join(root, 'bin'), HOME: root, CHROMIUM: process.execPath },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const ended = new Promise<{ code: number | null; output: string }>((resolve) =>
    child.once('close', (code) => resolve({ code, output })),
  )
  return { ended, kill: (signal: NodeJS.Signals) => void child.kill(signal), output: () => output }
}

/** Creates a folder with this bootstrap, a small app and a build that counts how often it runs. */
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'plumbline-bootstrap-'))
  for (const file of readdirSync(import.meta.dirname).filter((name) => name.endsWith('.mjs')))
    cpSync(join(import.meta.dirname, file), join(root, 'tools/bootstrap', file))
  cpSync(join(import.meta.dirname, '../../libs/commands'), join(root, 'libs/commands'), { recursive: true })
  cpSync(join(import.meta.dirname, '../build/needless-files.mjs'), join(root, 'tools/build/needless-files.mjs'))
  put('package-lock.json', '{}')
  put('apps/cli/main.ts', 'the app')
  put(
    'tools/build/main.mjs',
    `import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
appendFileSync('builds', '.')
for (const app of ['cli', 'local']) mkdirSync('dist/' + app, { recursive: true })
writeFileSync('dist/local/main.mjs', 'console.log("started")')
writeFileSync('dist/cli/main.mjs', \`if (process.argv[3] === 'wait') { process.on('SIGTERM', () => process.exit(9)); setInterval(() => {}, 1000) }
console.log('asked ' + process.argv.slice(2).join(' ')); if (process.argv[3] !== 'wait') process.exitCode = Number(process.argv[4] ?? 0)\`)`,
  )
  put(
    'lab/build.mjs',
    `import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
appendFileSync('lab-builds', '.')
mkdirSync('dist/fire', { recursive: true })
writeFileSync('dist/fire/main.mjs', 'console.log("under faults")')`,
  )
  npm(`mkdir -p ${root}/node_modules`)
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

describe('a command', () => {
  it('is prepared once: installed for this lock, built for these sources, then run with its words', async () => {
    expect(await begin('ask', 'why').ended).toMatchObject({
      code: 0,
      output: expect.stringMatching(/Installing dependencies[\s\S]*Built[\s\S]*asked ask why/),
    })
    expect([npmCalls(), builds()]).toEqual([1, 1])
    const again = await begin('ask', 'why').ended
    expect(again.output).toBe('asked ask why\n')
    expect([npmCalls(), builds()]).toEqual([1, 1])
    put('package-lock.json', '{"changed":true}')
    put('apps/cli/main.ts', 'another app')
    await begin('ask').ended
    expect([npmCalls(), builds()]).toEqual([2, 2])
  })

  it('of the product installs no tools of developers; another one adds them, once', async () => {
    await begin('ask').ended
    expect(npmLog().at(-1)).toMatch(/^ci --omit=dev /)
    const check = { output: expect.stringContaining('The developer tools are installed') }
    expect(await begin('lab', 'check').ended).toMatchObject(check)
    expect(npmLog().at(-1)).toMatch(/^install --no-save --include=dev /)
    await begin('lab', 'check').ended
    await begin('ask').ended
    expect(npmCalls()).toBe(2)
  })

  it('keeps only the installed files that programs read, and the compiler only for developers', async () => {
    const kept = [
      'a/index.js',
      'a/LICENSE.md',
      'eld/src/ngrams/extrasmall.js',
      `usearch/prebuilds/${process.platform}-${process.arch}/usearch.node`,
    ]
    const needless = [
      'a/index.js.map',
      'a/docs/README.md',
      'eld/src/ngrams/large.js',
      'usearch/prebuilds/plan9-mips/usearch.node',
    ]
    const compiler = 'typescript/lib/typescript.js'
    const files = [...kept, ...needless, compiler].map((file) => `${root}/node_modules/${file}`)
    npm(`for file in ${files.join(' ')}; do mkdir -p $(dirname $file); echo > $file; done`)
    const left = () => [...kept, ...needless, compiler].filter((file) => existsSync(join(root, 'node_modules', file)))
    await begin('ask').ended
    expect(left()).toEqual(kept)
    await begin('lab', 'check').ended
    expect(left()).toEqual([...kept, compiler])
  })

  it('of developers installs everything at once', async () => {
    await begin('lab', 'check').ended
    await begin('ask').ended
    expect(npmLog()).toEqual([expect.stringMatching(/^ci --include=dev /)])
  })

  it('of the lab also builds the lab, once; a product command does not', async () => {
    await begin('ask').ended
    expect([builds(), builds('lab-builds')]).toEqual([1, 0])
    program('redis-server', 'exit 0')
    for (let times = 0; times < 2; times++)
      expect(await begin('lab', 'fire').ended).toMatchObject({
        code: 0,
        output: expect.stringContaining('under faults'),
      })
    expect([builds(), builds('lab-builds')]).toEqual([1, 1])
    put('lab/fire/main.ts', 'another row')
    await begin('ask').ended
    await begin('lab', 'fire').ended
    expect([builds(), builds('lab-builds')]).toEqual([1, 2])
  })

  it('runs the whole of its scripts without words, and the scripts that receive them with words', async () => {
    for (const name of ['redis-server', 'promtool', 'postgres']) program(name, 'exit 0')
    put('node_modules/.cache/plumbline/kubectl-v35-2.2.2/helm', '')
    put('node_modules/.cache/plumbline/kubectl-v35-2.2.2/kubectl', '')
    for (const script of ['vitest/vitest.mjs', 'nx/dist/bin/nx.js'])
      put(`node_modules/${script}`, 'console.log("told", ...process.argv.slice(2))')
    expect(await begin('lab', 'test').ended).toMatchObject({ output: expect.stringContaining('told run-many -t test') })
    expect(await begin('lab', 'test', 'libs/flow').ended).toMatchObject({
      output: expect.stringContaining('told run --project=!browser libs/flow'),
    })
  })

  it('passes its exit code on', async () => {
    expect(await begin('ask', 'why', '7').ended).toMatchObject({ code: 7 })
  })

  it('passes a signal on and waits for the end', async () => {
    const asking = begin('ask', 'wait')
    while (!asking.output().includes('asked')) await wait(20)
    asking.kill('SIGTERM')
    expect(await asking.ended).toMatchObject({ code: 9 })
  })

  it.runIf(process.platform === 'linux')(
    'ends when the npm that started it is killed, whose shell lives on',
    async () => {
      await begin('ask').ended
      const main = join(root, 'tools/bootstrap/main.mjs')
      const shell = `"${process.execPath}" "${main}" ask wait; true`
      const npm = spawn(
        process.execPath,
        ['-e', `require('node:child_process').spawn('/bin/sh', ['-c', process.argv[1]], { stdio: 'inherit' })`, shell],
        {
          env: { PATH: join(root, 'bin'), HOME: root, npm_lifecycle_event: 'ask' },
          stdio: ['ignore', 'pipe', 'ignore'],
        },
      )
      let output = ''
      npm.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
      while (!output.includes('asked')) await wait(20)
      const closed = new Promise<boolean>((resolve) => npm.stdout.once('close', () => resolve(true)))
      npm.kill('SIGKILL')
      expect(await closed).toBe(true)
    },
  )

  it('started twice in a fresh folder prepares it once', async () => {
    npm(`sleep 3; mkdir -p ${root}/node_modules`)
    const both = await Promise.all([begin('ask').ended, begin('ask').ended])
    expect(both.map(({ code }) => code)).toEqual([0, 0])
    expect([npmCalls(), builds()]).toEqual([1, 1])
    expect(both.map(({ output }) => output).join()).toContain('Another command is preparing this folder')
  })

  it('takes over from one that died while it prepared', async () => {
    put('.data/bootstrap.lock', '99999999')
    expect(await begin('ask').ended).toMatchObject({ code: 0 })
  })

  it('ends at once when it is interrupted while it prepares, and leaves no lock', async () => {
    npm('sleep 30')
    const asking = begin('ask')
    while (npmCalls() === 0) await wait(20)
    asking.kill('SIGINT')
    expect(await asking.ended).toMatchObject({ code: 130 })
    expect(existsSync(join(root, '.data/bootstrap.lock'))).toBe(false)
  })
})

describe('Redis', () => {
  const isDebianRoot =
    process.getuid?.() === 0 &&
    /^ID(?:_LIKE)?=.*(?:debian|ubuntu)/m.test(
      existsSync('/etc/os-release') ? readFileSync('/etc/os-release', 'utf8') : '',
    )

  it('on PATH is enough', async () => {
    program('valkey-server', 'exit 0')
    expect(await begin('start').ended).toMatchObject({ code: 0, output: expect.stringContaining('started') })
  })

  it.runIf(isDebianRoot)(
    'missing is installed for root on Debian, after saying so, with fresh lists where the old ones fail',
    async () => {
      program(
        'apt-get',
        `echo "$@" >> ${root}/apt.log\n[ "$1" = update ] && touch ${root}/fresh && exit 0\n[ -e ${root}/fresh ] || exit 100\nprintf '#!/bin/sh\\n' > ${root}/bin/redis-server; chmod +x ${root}/bin/redis-server`,
      )
      const { code, output } = await begin('start').ended
      expect(output).toMatch(
        /No redis-server or valkey-server on PATH[\s\S]*is installed now[\s\S]*redis-server is installed[\s\S]*started/,
      )
      expect(code).toBe(0)
      expect(readFileSync(join(root, 'apt.log'), 'utf8')).toBe(
        'install -y --no-install-recommends redis-server\nupdate\ninstall -y --no-install-recommends redis-server\n',
      )
    },
  )

  it.runIf(isDebianRoot)('that cannot be installed is reported with an alternative', async () => {
    program('apt-get', 'echo "E: Unable to locate package redis-server"; exit 100')
    expect(await begin('start').ended).toMatchObject({
      code: 1,
      output: expect.stringMatching(/Unable to locate package[\s\S]*set REDIS_URL/),
    })
  })
})

describe('what goes wrong', () => {
  const faults: [string, string, string][] = [
    ['npm is offline', 'echo "npm error code ENOTFOUND" >&2; exit 1', 'npm could not reach its registry'],
    ['the disk is full', 'echo "npm error code ENOSPC" >&2; exit 1', 'The disk is full'],
    ['something npm says', 'echo "npm error the lock is out of step" >&2; exit 1', 'the lock is out of step'],
  ]
  it.each(faults)('%s: is reported with instructions, without a stack', async (_, script, words) => {
    npm(script)
    const { code, output } = await begin('ask').ended
    expect(code).toBe(1)
    expect(output).toContain(words)
    expect(output).not.toMatch(/\n\s+at /)
    expect(existsSync(join(root, 'node_modules/.plumbline-lock'))).toBe(false)
  })

  it('a build that fails shows why, and the next command builds again', async () => {
    put('tools/build/main.mjs', `console.error('apps/cli/main.ts: a word too many'); process.exit(1)`)
    expect(await begin('ask').ended).toMatchObject({ code: 1, output: expect.stringContaining('a word too many') })
    expect(existsSync(join(root, 'dist/.stamp'))).toBe(false)
  })

  it('help and wrong words are handled before anything is installed or built', async () => {
    for (const words of ['start --help', 'start -h', 'start --processes --help'])
      expect(await begin(...words.split(' ')).ended).toMatchObject({
        code: 0,
        output: expect.stringContaining('npm start -- --processes'),
      })
    const wrong: [string, RegExp][] = [
      ['start --process', /has no option "--process".*\nIts options are --processes, --help.*\n.*npm start -- --help/],
      ['ask --url', /--url.*missing/],
      ['keys craete', /has no command "craete".\nIts commands are list, create/],
      ['move now', /accepts no arguments, but "now" was given/],
      ['lab bench all', /has no command "all"/],
      ['strat', /no command "strat"[^]*start +start Plumbline/],
      ['fire', /Use: npm run lab -- fire/],
      ['', /npm run plumbline -- <command>/],
      ['lab', /npm run lab -- <command>/],
    ]
    for (const [words, output] of wrong)
      expect(await begin(...words.split(' ').filter(Boolean)).ended, words).toMatchObject({
        code: 2,
        output: expect.stringMatching(output),
      })
    expect(await begin('--help').ended).toMatchObject({ code: 0, output: expect.stringContaining('start Plumbline') })
    expect(await begin('lab', '-h').ended).toMatchObject({ code: 0, output: expect.stringContaining('eval') })
    expect([npmCalls(), builds()]).toEqual([0, 0])
  })
})

it('knows which Node is new enough', () => {
  expect(['22.18.0', '24.0.0', '23.1.0'].map(isEnough)).toEqual([true, true, true])
  expect(['20.20.2', '22.17.9'].map(isEnough)).toEqual([false, false])
})
