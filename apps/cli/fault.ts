import { cleanName } from '@plumbline/contracts'
import { ProblemError, Unreachable } from '@plumbline/client'

const hints: Record<number, string> = {
  401: 'Give an API key: use --key <key>, or set PLUMBLINE_KEY in the environment.',
  403: 'This key does not have the required permission. Ask an admin for a key with the role that the message above names.',
  503: 'The gateway runs, but its store (Redis) does not answer. Try again in a moment.',
}

/** Explains an error and what the user can do. Returns null for an unexpected error. */
export const faultText = (error: unknown, url: string): string | null => {
  if (error instanceof Unreachable) {
    const local = /\/\/(127\.0\.0\.1|localhost|\[::1\])[:/]?/.test(url)
    return `${cleanName(error.message)}.\n${local ? 'Start it with "npm start" in another terminal, or give the address of another gateway with --url.' : 'Check that the address is correct and that the gateway is running. --url gives the address of another gateway.'}`
  }
  if (!(error instanceof ProblemError)) return null
  const { status, detail, errors = [] } = error.problem
  const fields = errors
    .filter(({ message }) => !detail.includes(message))
    .map(({ field, message }) => `  ${cleanName(field)}: ${cleanName(message)}`)
  return [cleanName(detail), ...fields, ...(hints[status] ? [hints[status]] : [])].join('\n')
}
