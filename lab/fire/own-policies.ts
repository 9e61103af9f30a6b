import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

export type OwnPolicy = { name: string; extends: string } & Record<string, string | number>

export const writePolicies = async (dir: string, policies: OwnPolicy[]): Promise<string> => {
  await mkdir(dir)
  for (const policy of policies) await writeFile(join(dir, `${policy.name}.json`), JSON.stringify(policy))
  return dir
}
