import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { stages } from '@plumbline/flow'
import { parseDockerfile } from './dockerfile'

const root = join(import.meta.dirname, '..', '..')
const apps = ['gateway', ...stages, 'ingestor']
type Service = {
  image?: string
  command?: string[]
  user?: string
  build?: { dockerfile: string; args: { APP: string } }
  environment?: Record<string, string | number>
  env_file?: { path: string; required: boolean }[]
  healthcheck?: { test: string[] }
  deploy?: { resources?: { limits?: { cpus?: string; memory?: string } } }
  volumes?: string[]
  profiles?: string[]
}
const composeText = readFileSync(join(root, 'docker-compose.yml'), 'utf8')
const compose = parse(composeText, { merge: true }) as {
  services: Record<string, Service>
  volumes: Record<string, unknown>
}
const dockerfile = parseDockerfile(readFileSync(join(root, 'deploy/docker/Dockerfile'), 'utf8'))

describe('docker-compose.yml', () => {
  it('has every app as a service of its own, built by the one recipe', () => {
    const built = Object.entries(compose.services).filter(([, service]) => service.build)
    expect(built.map(([name]) => name).sort()).toEqual([...apps].sort())
    for (const [name, service] of built) {
      expect(service.build).toMatchObject({ dockerfile: 'deploy/docker/Dockerfile', args: { APP: name } })
      expect(service.environment?.REDIS_URL).toBe('redis://redis:6379')
      expect(service.volumes).toContain('index:/data')
    }
  })
  it('gives every service that runs by default a health check and limits', () => {
    for (const [name, service] of Object.entries(compose.services)) {
      expect(service.deploy?.resources?.limits, name).toMatchObject({
        cpus: expect.any(String),
        memory: expect.any(String),
      })
      // Images built here have their health check inside.
      if (!service.profiles && !service.build) expect(service.healthcheck?.test[0], name).toBe('CMD')
    }
  })
  it('sets what it relies on itself, and nothing else: an env_file would give way to it, even where it is empty', () => {
    const own = { REDIS_URL: 'redis://redis:6379', DATA_DIR: '/data', HOST: '0.0.0.0', PORT: 3000, HEALTH_PORT: 9090 }
    const keys = '${API_KEYS?set API_KEYS, for example API_KEYS=<secret>:default:admin}'
    for (const app of apps) {
      expect(compose.services[app]?.environment, app).toEqual(app === 'gateway' ? { ...own, API_KEYS: keys } : own)
      expect(compose.services[app]?.env_file, app).toEqual([{ path: 'plumbline.env', required: false }])
    }
  })
  it('hardens Redis like the apps', () => {
    const hardened = { security_opt: ['no-new-privileges:true'], cap_drop: ['ALL'], read_only: true, init: true }
    for (const name of [...apps, 'redis']) expect(compose.services[name], name).toMatchObject(hardened)
    // The entry point of the image starts as root and needs capabilities to become another user.
    expect(compose.services.redis?.user).toBe('999:1000')
  })
  it('says which version of Compose it needs', () => {
    // 2.24 reads `required: false` of an env_file.
    expect(composeText.split('\n').slice(0, 3).join(' ')).toContain('Docker Compose 2.24 or newer')
  })
  it('runs a Redis that keeps what it acknowledged and never evicts', () => {
    expect(compose.services.redis?.command?.join(' ')).toContain('--appendonly yes')
    expect(compose.services.redis?.command?.join(' ')).toContain('--maxmemory-policy noeviction')
    for (const service of Object.values(compose.services))
      for (const volume of service.volumes ?? []) expect(Object.keys(compose.volumes)).toContain(volume.split(':')[0])
  })
})

describe('prometheus.yml', () => {
  it('scrapes every app where it answers, the gateway with a key', () => {
    type Job = { authorization?: object; dns_sd_configs: { names: string[]; port: number }[] }
    const file = readFileSync(join(root, 'deploy/prometheus/prometheus.yml'), 'utf8')
    const jobs = (parse(file) as { scrape_configs: Job[] }).scrape_configs
    const scraped = jobs.flatMap(({ authorization, dns_sd_configs: found }) =>
      found.flatMap(({ names, port }) => names.map((name) => [name, port, authorization !== undefined])),
    )
    expect(scraped).toEqual(apps.map((app) => (app === 'gateway' ? [app, 3000, true] : [app, 9090, false])))
  })
})

describe('the Dockerfile', () => {
  it('ends as another user than root, in stages, with the app as an argument', () => {
    const last = dockerfile.stages.at(-1)
    expect(dockerfile.stages.length).toBe(3)
    expect(last?.instructions.find(({ word }) => word === 'USER')?.rest).toBe('1000:1000')
    expect(last?.instructions.some(({ word, rest }) => word === 'ARG' && rest === 'APP')).toBe(true)
    expect(
      last?.instructions.some(({ word, rest }) => word === 'COPY' && /\blibs\b|\btools\b|package-lock/.test(rest)),
    ).toBe(false)
    for (const word of ['HEALTHCHECK', 'CMD'])
      expect(last?.instructions.find((step) => step.word === word)?.rest, 'no shell').toContain('["node", ')
    expect(
      last?.instructions.some((step) => step.word === 'RUN'),
      'no shell',
    ).toBe(false)
    expect(dockerfile.args.NODE_DIGEST).toBe('')
    for (const { from } of dockerfile.stages)
      expect(from).toMatch(/^(node:\$\{NODE_VERSION\}-bookworm-slim\$\{NODE_DIGEST\}|build)$/)
  })
  it('gives Node more room for what has just been made than it takes by itself in a small container', () => {
    const options = dockerfile.stages.at(-1)?.instructions.find(({ rest }) => rest.startsWith('NODE_OPTIONS='))
    expect(options).toEqual({ word: 'ENV', rest: 'NODE_OPTIONS=--max-semi-space-size=16' })
  })
  it('pins the runtime this project runs on', () => {
    const runtime = JSON.parse(readFileSync(join(root, 'tools/runtime/package.json'), 'utf8')) as {
      optionalDependencies: Record<string, string>
    }
    expect(new Set(Object.values(runtime.optionalDependencies))).toEqual(new Set([dockerfile.args.NODE_VERSION]))
  })
})
