import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { chatOver, forms } from '@plumbline/adapters/providers/spec/chat'
import {
  auditOf,
  callWhileLimited,
  endless,
  endOf,
  passing,
  retryAfterForms,
} from '@plumbline/adapters/providers/spec/measure'
import { admission, type Got } from '@plumbline/adapters/redis/spec/bucket-taker'
import { startPrivateRedis } from '@plumbline/platform'
import { askMalformed } from '@plumbline/skills/skill/malformed.spec'
import { startModelServer, type ModelServer } from '@plumbline/testing/model-server/model-server'
import { percent, seconds, type Row } from '../row'

const withServer = async <T>(work: (server: ModelServer) => Promise<T>): Promise<T> => {
  const server = await startModelServer({ validate: false })
  try {
    return await work(server)
  } finally {
    await server.close()
  }
}

const eachCase = async <Fault, T>(
  faults: Record<string, Fault>,
  atOnce: number,
  work: (server: ModelServer, fault: Fault, form: object) => Promise<T>,
): Promise<T[]> => {
  const cases = Object.values(forms).flatMap((form) => Object.values(faults).map((fault) => ({ form, fault })))
  const results: T[] = []
  while (cases.length > 0)
    results.push(
      ...(await Promise.all(
        cases.splice(0, atOnce).map(({ form, fault }) => withServer((server) => work(server, fault, form))),
      )),
    )
  return results
}

export const L2: Row = {
  id: 'L2',
  promise: '429 with Retry-After, in seconds and as a date: nothing is sent before the time',
  run: async (scale) => {
    const times = scale === 'full' ? 5 : 1
    const rounds = Object.values(retryAfterForms).flatMap((form) => Array.from({ length: times }, () => form))
    let [sent, early, soonest] = [0, 0, Infinity]
    for (const form of rounds) {
      const { later, notBefore } = await withServer((server) => callWhileLimited(server, form(), 20))
      sent += later.length
      early += later.filter(({ receivedAt }) => receivedAt < notBefore).length
      soonest = Math.min(soonest, ...later.map(({ receivedAt }) => receivedAt - notBefore))
    }
    return {
      holds: early === 0 && sent === rounds.length * 21,
      figures: {
        limits: rounds.length,
        'sent after': sent,
        'sent early': early,
        'soonest after the time': `${soonest} ms`,
      },
    }
  },
}

export const L3: Row = {
  id: 'L3',
  promise: 'whatever goes wrong and however it is asked: at most 3 provider calls per logical call, each of them told',
  run: async () => {
    const audits = await eachCase(passing, 6, auditOf)
    const worst = Math.max(...audits.map(({ sent }) => sent))
    const untold = audits.filter(({ sent, calls }) => sent !== calls.length).length
    const typed = audits.filter(({ error }) => (error as { retry?: string } | null)?.retry === 'later').length
    return {
      holds: worst <= 3 && untold === 0 && typed === audits.length,
      figures: {
        'logical calls': audits.length,
        'most provider calls': worst,
        untold,
        'typed errors': `${typed}/${audits.length}`,
      },
    }
  },
}

const taker = async (args: string[]): Promise<Got> => {
  const { stdout } = await promisify(execFile)(process.execPath, [process.argv[1] ?? '', 'taker', ...args], {
    maxBuffer: 1e8,
  })
  return JSON.parse(stdout) as Got
}

export const L4: Row = {
  id: 'L4',
  promise: 'one provider’s buckets shared by 4 processes: ≤ 1 % over the limit in any minute, and the limit is used',
  run: async (scale) => {
    const forMs = scale === 'full' ? 20_000 : 4_000
    const redis = await startPrivateRedis()
    const over = async (requests: number, tokens: number): Promise<{ over: number; used: number }> => {
      const { highest, total } = await admission({ url: redis.url, minuteMs: 2_000, requests, tokens, forMs }, taker)
      return {
        over: Math.max(0, requests > 0 ? highest.requests / requests - 1 : highest.tokens / tokens - 1),
        used: total / (forMs / 2_000),
      }
    }
    const requests = await over(200, 0)
    const tokens = await over(0, 20_000)
    await redis.stop()
    const both = [requests, tokens]
    return {
      holds: both.every((one) => one.over <= 0.01 && one.used > 0.9),
      figures: {
        processes: 4,
        'requests over': percent(requests.over),
        'requests used': percent(requests.used),
        'tokens over': percent(tokens.over),
        'tokens used': percent(tokens.used),
      },
    }
  },
}

export const L5: Row = {
  id: 'L5',
  promise: 'hangs, trickles, resets, wrong types: a call ends by its task’s deadline + 1 s, and nothing is sent after',
  run: async (scale) => {
    const deadlineMs = scale === 'full' ? 1_000 : 600
    const ends = await eachCase(endless, 9, (server, fault, form) => endOf(server, fault, form, deadlineMs))
    const slowest = Math.max(...ends.map(({ tookMs }) => tookMs)) - deadlineMs
    const late = ends.reduce((sum, end) => sum + end.late.length, 0)
    const failed = ends.filter(({ error }) => error !== null).length
    return {
      holds: slowest <= 1_000 && late === 0 && failed === ends.length,
      figures: {
        calls: ends.length,
        'slowest after the deadline': seconds(Math.max(0, slowest)),
        'sent late': late,
        'typed or aborted': `${failed}/${ends.length}`,
      },
    }
  },
}

export const L7: Row = {
  id: 'L7',
  promise: 'malformed structured outputs: ≤ 1 repair each, then a typed failure, never an empty answer',
  run: async (scale) => {
    const count = scale === 'full' ? 500 : 100
    const ask = (repairs: 'never' | 'good') =>
      withServer((server) => {
        const chat = chatOver({ first: server })
        return askMalformed(server, () => chat, count, repairs)
      })
    const never = await ask('never')
    const good = await ask('good')
    const typed = never.codes.filter((code) => code === 'model.malformed').length
    const whole = good.values.filter((asked) => asked.kind === 'answered' && asked.value.moons === 2).length
    return {
      holds:
        typed === count &&
        never.values.length === 0 &&
        never.sent === 2 * count &&
        whole === count &&
        good.sent === 2 * count,
      figures: {
        outputs: count,
        'typed failures': typed,
        'empty answers': never.values.length,
        'calls each': never.sent / count,
        'put right by the repair': `${whole}/${count}`,
      },
    }
  },
}
