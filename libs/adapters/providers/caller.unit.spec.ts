import { describe, expect, it } from 'vitest'
import type { ProviderCall } from '@plumbline/ports/chat-model'
import { callerOver } from './caller'
import { guard, resilience, type Resilience } from './resilience'
import { ProviderError, type Provider } from './provider'
import type { Clock } from './clock'
import { thrownBy } from './spec/chat'

type Answer = string | Error
const never = new AbortController().signal

/** Opens a provider that returns these answers one after another, and then repeats the last answer. */
const provider = (answers: Answer[], model = 'm'): Provider<string, string> & { sent: number[] } => {
  const sent: number[] = []
  return {
    model,
    host: 'here',
    sent,
    operation: 'chat' as const,
    estimate: () => 100,
    send: () => {
      sent.push(sent.length)
      const answer = answers.length > 1 ? answers.shift() : answers[0]
      return typeof answer === 'string'
        ? Promise.resolve({ out: answer, spent: { tokensIn: 10, tokensOut: 5 } })
        : Promise.reject(answer ?? new Error('nothing to say'))
    },
  }
}
const down = (): ProviderError => new ProviderError('unavailable', 'down')

const bench = (random = 1, more: Partial<Resilience> = {}) => {
  const waits: number[] = []
  let at = 1_000_000
  const clock: Clock = {
    now: () => at,
    random: () => random,
    wait: (ms) => {
      waits.push(ms)
      at += ms
      return Promise.resolve()
    },
  }
  const settled: number[] = []
  const buckets = {
    ...resilience.buckets,
    settle: (_name: string, _slot: string, by: number) => Promise.resolve(void settled.push(by)),
  }
  const parts: Resilience = { ...resilience, clock, buckets, ...more }
  const calls: ProviderCall[] = []
  const ask = (first: Provider<string, string>, ...others: Provider<string, string>[]) =>
    callerOver([guard(first, parts), ...others.map((each) => guard(each, parts, { fallback: true }))], parts)(
      'question',
      { signal: never, onCall: (call) => void calls.push(call) },
    )
  return { waits, clock, parts, calls, settled, ask }
}

describe('one logical call', () => {
  it('waits between its calls by full jitter, up to a limit', async () => {
    const most = bench(1)
    await most.ask(provider([down(), down(), 'yes']))
    expect(most.waits).toEqual([400, 800])
    const least = bench(0)
    await least.ask(provider([down(), down(), 'yes']))
    expect(least.waits).toEqual([0, 0])
    const capped = bench(1, { calls: 6, backoff: { baseMs: 1_000, capMs: 2_500 } })
    await thrownBy(capped.ask(provider([down()])))
    expect(capped.waits.at(-1)).toBe(2_500)
  })

  it('waits for the requested time, without jitter', async () => {
    const { ask, waits, clock } = bench(0.5)
    await ask(provider([new ProviderError('limited', 'slow', { notBefore: clock.now() + 1_500 }), 'yes']))
    expect(waits).toEqual([1_500])
  })

  it('does not wait if the wait is too long, and returns the time of the next call', async () => {
    const { ask, waits, clock } = bench()
    const notBefore = clock.now() + 30_000
    expect(await thrownBy(ask(provider([new ProviderError('limited', 'slow', { notBefore })])))).toMatchObject({
      code: 'provider.limited',
      retry: 'later',
      notBefore,
    })
    expect(waits).toEqual([])
  })

  it('names the soonest time of all providers that are limited', async () => {
    const { ask, clock } = bench()
    const at = (ms: number): ProviderError => new ProviderError('limited', 'slow', { notBefore: clock.now() + ms })
    expect(await thrownBy(ask(provider([at(60_000)]), provider([at(20_000)])))).toMatchObject({
      code: 'provider.limited',
      notBefore: clock.now() + 20_000,
    })
  })

  it('reserves one of its calls for the fallback provider', async () => {
    const { ask, calls } = bench(0)
    expect(await ask(provider([down()], 'first'), provider(['yes'], 'second'))).toBe('yes')
    expect(calls.map(({ model, fallback }) => [model, fallback])).toEqual([
      ['first', undefined],
      ['first', undefined],
      ['second', true],
    ])
  })

  it('settles its reservation: the used tokens, none after a refusal, or all if the usage is unknown', async () => {
    const { ask, settled } = bench(0)
    await ask(provider([down(), new ProviderError('malformed', 'what'), 'yes']))
    expect(settled).toEqual([-100, -85])
  })

  it('ends at once on an error that is no fault of the provider', async () => {
    const broken = provider([new TypeError('ours')])
    const { ask, calls } = bench()
    await expect(ask(broken)).rejects.toThrow('ours')
    expect([broken.sent.length, calls.length]).toEqual([1, 1])
  })
})
