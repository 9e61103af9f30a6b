import { expect, it } from 'vitest'
import { openBackgroundFetch, stillFetching } from './background-fetch'

const never = new AbortController().signal
const hanging = (): Promise<void> => new Promise(() => undefined)

it('waits briefly for a download, which continues by itself and begins only once', async () => {
  const background = openBackgroundFetch({ atOnce: 2, waitMs: 5 })
  const answer = Promise.withResolvers<void>()
  let begun = 0
  const ask = () => background.run('page', () => ((begun += 1), answer.promise), never)
  await expect(ask()).rejects.toMatchObject({ code: stillFetching, retry: 'later' })
  await expect(ask()).rejects.toMatchObject({ code: stillFetching })
  answer.resolve()
  await ask()
  expect(begun).toBe(1)
})

it('reports a failure to the next caller only, and then begins again', async () => {
  const background = openBackgroundFetch({ atOnce: 2, waitMs: 5 })
  const answer = Promise.withResolvers<void>()
  await expect(background.run('page', () => answer.promise, never)).rejects.toMatchObject({ code: stillFetching })
  answer.reject(new Error('gone'))
  await expect(background.run('page', () => Promise.resolve(), never)).rejects.toThrow('gone')
  await background.run('page', () => Promise.resolve(), never)
})

it('limits the downloads in progress, not counting those that have ended', async () => {
  const background = openBackgroundFetch({ atOnce: 1, waitMs: 5 })
  const answer = Promise.withResolvers<void>()
  await expect(background.run('slow', () => answer.promise, never)).rejects.toMatchObject({ code: stillFetching })
  let begun = false
  const next = () => background.run('next', () => Promise.resolve(void (begun = true)), never)
  await expect(next()).rejects.toMatchObject({ code: stillFetching })
  expect(begun).toBe(false)
  answer.resolve()
  await answer.promise
  await next()
  expect(begun).toBe(true)
})

it('stops waiting when the delivery ends, and stops the download when the worker stops', async () => {
  const background = openBackgroundFetch({ atOnce: 2, waitMs: 60_000 })
  const delivery = new AbortController()
  const waiting = background.run(
    'page',
    (signal) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('stopped')))),
    delivery.signal,
  )
  delivery.abort(new Error('drained'))
  await expect(waiting).rejects.toThrow('drained')
  await background.stop()
  await expect(background.run('page', hanging, never)).rejects.toThrow('stopped')
})
