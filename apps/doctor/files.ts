import { accessSync, constants, statSync } from 'node:fs'
import { readApiKeys } from '@plumbline/gateway/http/fixed-keys'
import { EnvError } from '@plumbline/platform/env'
import { parseRedisUrl } from '@plumbline/platform/redis-url'
import { fault, warning, type Finding } from './finding'

type Environment = Record<string, string | undefined>

const byOthers = 0o007
const shortest = 24

const ofSecretFile = ([name, file]: [string, string]): Finding[] => {
  const mode = statSync(file, { throwIfNoEntry: false })?.mode
  if (mode === undefined || (mode & byOthers) === 0) return []
  return [
    warning(
      'keys.file',
      `${file}, which ${name} names, can be read by every user of this machine (${(mode & 0o777).toString(8)}).`,
      `Run chmod 600 ${file}. The owner must be the user that runs Plumbline.`,
    ),
  ]
}

const ofDataFolder = (folder: string): Finding[] => {
  try {
    accessSync(folder, constants.R_OK | constants.W_OK)
    return []
  } catch {
    return [
      fault(
        'data',
        `The data folder ${folder} does not exist or is not writable.`,
        'Create the folder and make it writable, or set DATA_DIR to another folder.',
      ),
    ]
  }
}

/** Checks API_KEYS. If it is wrong, the gateway does not start and prints the same message. */
const ofEntries = (apiKeys: string | undefined): Finding[] => {
  if (apiKeys === undefined) return []
  try {
    readApiKeys(apiKeys)
    return []
  } catch (error) {
    if (!(error instanceof EnvError)) throw error
    const [says = '', ...fix] = error.message.split('; ')
    return [fault('keys', `${says}.`, `Correct API_KEYS: ${fix.join('; ')}.`)]
  }
}

const ofKeys = (apiKeys: string | undefined): Finding[] => {
  const keys = (apiKeys ?? '').split(/[,\n]/).map((entry) => entry.trim().split(':', 1).join())
  const short = keys.filter((key) => key !== '' && key.length < shortest)
  return short.length > 0
    ? [
        warning(
          'keys.short',
          `${short.length} of the keys in API_KEYS ${short.length === 1 ? 'is' : 'are'} shorter than ${shortest} characters.`,
          'Create longer keys (openssl rand -hex 24), or create stored keys with npm run plumbline -- keys.',
        ),
      ]
    : []
}

export const fileFindings = (
  env: Environment,
  redisUrl: string,
  apiKeys: string | undefined,
  dataDir: string,
): Finding[] => {
  const named = Object.entries(env).flatMap(([name, file]): [string, string][] =>
    /_FILE$/.test(name) && /KEY|REDIS_URL|CREDENTIALS|SECRET|PASSWORD/.test(name) && file ? [[name, file]] : [],
  )
  const { key } = parseRedisUrl(redisUrl).tls ?? {}
  const secrets: [string, string][] = [...named, ...(key === undefined ? [] : [['REDIS_URL', key] as [string, string]])]
  return [...secrets.flatMap(ofSecretFile), ...ofDataFolder(dataDir), ...ofEntries(apiKeys), ...ofKeys(apiKeys)]
}
