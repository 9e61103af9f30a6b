import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { z } from 'zod'
import { docOf, fieldsOf } from '@plumbline/platform/setting'

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

/**
 * Returns the example of every setting of these schemas, for a gateway that offers every feature. The limits are so
 * high that no spec reaches them.
 */
export const everySetting = async (folder: string, schemas: z.ZodType[]): Promise<Record<string, string>> => {
  const policies = join(folder, 'own-policies')
  await mkdir(policies)
  await written(policies, 'own.json', { name: 'own', extends: 'standard', maxRegenerations: 0 })
  const examples = schemas.flatMap(fieldsOf).flatMap(([name, field]) => {
    const { example } = docOf(field) ?? {}
    return example === undefined ? [] : [[name, example]]
  })
  return {
    ...Object.fromEntries(examples),
    API_KEYS: `${everyRoleKey}:default:asker+reviewer+admin+operator+names-reviewers:*`,
    POLICIES_DIR: policies,
    ROUTES_FILE: await written(folder, 'routes.json', { rules }),
    SOURCE_FOLDERS: folder,
    SOURCE_CREDENTIALS_FILE: await written(folder, 'credentials.json', {}),
  }
}
