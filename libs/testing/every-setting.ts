import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** This key has every role in the tenant `default`. No other key belongs to that tenant. */
export const everyRoleKey = 'key-with-every-role-1'

const rules = [
  { name: 'moons', when: { words: 'moons' }, then: { policy: 'simple' } },
  { name: 'hello', when: { pattern: '^hello$' }, then: { reply: 'Hello.' } },
]

const written = async (folder: string, name: string, value: object): Promise<string> => {
  const file = join(folder, name)
  await writeFile(file, JSON.stringify(value))
  return file
}

/** Returns settings for a gateway that offers every feature. The limits are so high that no spec reaches them. */
export const everySetting = async (folder: string) => {
  const policies = join(folder, 'own-policies')
  await mkdir(policies)
  await written(policies, 'own.json', { name: 'own', extends: 'standard', maxRegenerations: 0 })
  return {
    API_KEYS: `${everyRoleKey}:default:asker+reviewer+admin+operator+names-reviewers:*`,
    WEB_SEARCH: 'searxng',
    MAX_FILE_MB: '1',
    POLICIES_DIR: policies,
    POLICIES: 'standard,simple,own',
    MARKED_ANSWERS: 'default',
    FOUR_EYES: '*',
    CLIENT_WAIT_SECONDS: '1',
    CASES_DAYS: '30',
    FEATURES: 'batches,schedules,cases,openai,mcp,webhooks,sources',
    AUDIT_DAYS: '30',
    TENANT_WEIGHTS: '*=1,default=2',
    TENANT_ASKS_PER_MINUTE: '*=1000000',
    KEY_ASKS_PER_MINUTE: '1000000',
    TENANT_READS_PER_MINUTE: '*=1000000',
    KEY_READS_PER_MINUTE: '1000000',
    TENANT_RUNS_AT_ONCE: '*=1000000',
    TENANT_CENTS_PER_DAY: '*=1000000',
    TENANT_TOKENS_PER_DAY: '*=1000000000',
    MAX_QUEUE_SECONDS: '3600',
    THREADS: 'refuse',
    CORS_ORIGINS: 'https://app.example.org',
    PUBLIC_URL: 'https://plumbline.example.org',
    TRUSTED_PROXIES: '10.0.0.0/8',
    ROUTES_FILE: await written(folder, 'routes.json', { rules }),
    SOURCE_FOLDERS: folder,
    SOURCE_CREDENTIALS_FILE: await written(folder, 'credentials.json', {}),
    ALLOW_PRIVATE_ADDRESSES: '10.0.0.0/8',
    OIDC_ISSUER: 'https://id.example.org',
    OIDC_AUDIENCE: 'plumbline',
    OIDC_TENANT: 'default',
    OIDC_ROLES: 'staff=asker',
    OIDC_TENANT_CLAIM: 'tenant',
    OIDC_ROLES_CLAIM: 'roles',
    OIDC_ACCESS_CLAIM: 'access',
    OIDC_NAME_CLAIM: 'sub',
  }
}
