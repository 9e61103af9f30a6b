import { noRules, Rules } from '@plumbline/contracts'
import { z } from 'zod'
import { answerWithinMs, throughCall, withTimeout } from '../client/errors'
import { keys } from '../client/keys'
import { withScripts, type RedisClient } from '../client/client'
import putRules from './put-rules.lua'

const Kept = Rules.extend({ updatedAt: z.number(), updatedBy: z.string() })
/** Version 0 means that the tenant has set no rules. */
export type KeptRules = { version: number; rules: Rules; updated: { at: number; by: string } | null }

export const openRules = (redis: RedisClient) => {
  const scripts = withScripts(redis, { rulesPut: { lua: putRules, numberOfKeys: 1 } })
  return throughCall(withTimeout(answerWithinMs), {
    get: async (tenant: string): Promise<KeptRules> => {
      const [version, text] = await redis.hmget(keys.rules(tenant), 'version', 'rules')
      if (!text) return { version: 0, rules: noRules, updated: null }
      const { updatedAt: at, updatedBy: by, ...rules } = Kept.parse(JSON.parse(text))
      return { version: Number(version), rules, updated: { at, by } }
    },
    put: async (tenant: string, version: number, rules: Rules, by: string): Promise<boolean> => {
      const kept: z.infer<typeof Kept> = { ...rules, updatedAt: Date.now(), updatedBy: by }
      return (await scripts.rulesPut(keys.rules(tenant), version, JSON.stringify(kept))) !== 0
    },
  })
}
export type RulesStore = ReturnType<typeof openRules>
