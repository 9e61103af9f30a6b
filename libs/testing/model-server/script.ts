import { setTimeout as wait } from 'node:timers/promises'
import type { ModelRequest, Kind } from './request'
import type { Answer } from './answer'

/** The delay before an answer. Equal seeds give equal sequences of delays. */
export type Latency =
  { kind: 'fixed'; ms: number } | { kind: 'lognormal'; medianMs: number; sigma: number; mostMs?: number; seed?: number }

const seeded = (seed: number): (() => number) => {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

export const sampler = (latency: Latency): (() => number) => {
  if (latency.kind === 'fixed') return () => latency.ms
  const random = seeded(latency.seed ?? 1)
  const normal = (): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
  return () => Math.min(latency.mostMs ?? Infinity, latency.medianMs * Math.exp(latency.sigma * normal()))
}

export const createLatencies = () => {
  let set: { matcher: Matcher; sample: () => number }[] = []
  return {
    add: (latency: Latency, matcher: Matcher): void => void set.unshift({ matcher, sample: sampler(latency) }),
    of: (asked: ModelRequest): number => set.find(({ matcher }) => matches(matcher, asked))?.sample() ?? 0,
    clear: () => {
      set = []
    },
  }
}

/** Waits for a time. If the client disconnects, resolves early and does not reject. */
export const pause = async (ms: number, signal: AbortSignal): Promise<void> => {
  if (ms > 0) await wait(ms, undefined, { signal }).catch(() => undefined)
}

/**
 * Selects requests. A string is the name of an output or tool. A regular expression is searched for in the messages.
 * All given fields must match.
 */
export type Matcher =
  string | RegExp | { kind?: Kind; name?: string; model?: string; text?: RegExp } | ((asked: ModelRequest) => boolean)

/** An answer, or a function that returns one and may wait for the spec. A string is sent as the text of the answer. */
export type Scripted = string | Answer | ((asked: ModelRequest) => string | Answer | Promise<string | Answer>)

export const matches = (matcher: Matcher, asked: ModelRequest): boolean => {
  if (typeof matcher === 'function') return matcher(asked)
  if (typeof matcher === 'string') return asked.name === matcher
  if (matcher instanceof RegExp) return new RegExp(matcher.source, matcher.flags.replace(/[gy]/g, '')).test(asked.text)
  return (
    (matcher.kind === undefined || matcher.kind === asked.kind) &&
    (matcher.name === undefined || matcher.name === asked.name) &&
    (matcher.model === undefined || matcher.model === asked.model) &&
    (matcher.text === undefined || matches(matcher.text, asked))
  )
}

type Entry = { matcher: Matcher; left: Scripted[] }

const usual: Answer = { kind: 'content', content: { kind: 'default' } }

export const createScript = () => {
  let entries: Entry[] = []
  return {
    add: (matcher: Matcher, answers: Scripted[]): void => {
      if (answers.length === 0) throw new Error('a script needs at least one answer')
      entries.unshift({ matcher, left: [...answers] })
    },
    next: async (asked: ModelRequest): Promise<Answer> => {
      const left = entries.find(({ matcher }) => matches(matcher, asked))?.left
      const taken = left && left.length > 1 ? left.shift() : left?.[0]
      const given = typeof taken === 'function' ? await taken(asked) : taken
      return typeof given === 'string' ? { kind: 'content', content: { kind: 'text', text: given } } : (given ?? usual)
    },
    clear: () => {
      entries = []
    },
  }
}
