import type { Passage } from '@plumbline/contracts'
import { asShown } from './citations'

/** Schemes whose addresses have no `//`. */
const bare = 'mailto|tel|sms|javascript|vbscript|data|blob|file|about|magnet|intent|market|skype|whatsapp|facetime'
const written = new RegExp(
  [
    // where a link or an image of Markdown or HTML leads, named at once or in a line of its own
    String.raw`\]\(\s*<?(?<link>[^\s<>)]+)`,
    String.raw`(?:^|\n)[ \t]{0,3}(?:\[[^\]^][^\]]*\])?:\s*<?(?<note>[^\s<>]+)`,
    String.raw`(?:href|src|action|srcset|data|poster|formaction)(?<=<[^<>]*[\s"'/]\w+)\s*=\s*["']?(?<tag>[^\s"'<>]+)`,
    // any scheme
    String.raw`(?<url>(?<![\p{L}\p{N}+.-])(?:[a-z][a-z\d+.-]*:\/\/|(?:${bare}):(?=\S))[^\s<>"'\x60|]+)`,
    // mail addresses and names on a network; hosts, file names and paths
    String.raw`(?<mail>(?<![\p{L}\p{N}._%+-])[\p{L}\p{N}._%+-]*@[\p{L}\p{N}_][\p{L}\p{N}._/-]*)`,
    String.raw`(?<host>(?<![\p{L}\p{N}._-])(?:[\p{L}\p{N}_-]+\.)+(?:\p{L}{2,}|xn--[a-z\d-]+)(?![\p{L}\p{N}_])(?:[/:?#\\][^\s<>"'\x60|]*)?)`,
    String.raw`(?<ip>(?<![\p{N}.])\d{1,3}(?:\.\d{1,3}){3}(?![\p{N}.]\d)(?:[/:][^\s<>"'\x60|]*)?)`,
    String.raw`(?<path>(?<![^\s"'(\x60=:])(?:~|\.{1,2}|[a-z]:)?(?:\/|\\{1,2})[\p{L}\p{N}._~-][^\s<>"'\x60|]*)`,
  ].join('|'),
  'giu',
)
/** A number to call: its digits come in groups, or behind a plus or a nought. */
const called = /(?<![\p{L}\p{N}.,])(?:\+\s?|\()?\d(?:[\s()./\u2010-\u2015-]{0,2}\d){6,}(?![\p{L}\p{N}]|[.,]\d)/gu

const plain = (text: string): string =>
  asShown(text)
    .replace(/\\(?=[._*-])/g, '')
    .replace(/[[(]\.[\])]/g, '.')

/** Hosts are alike in any case; `https`, `www` and the end of the sentence tell no two addresses apart. */
const form = (address: string): string => {
  const bareOne = address.replace(/^(?:https?:)?\/\/(?:www\.)?|^www\.|^mailto:/i, '')
  const host = /^[^/?#\\]*/.exec(bareOne)?.[0] ?? ''
  return (host.toLowerCase() + bareOne.slice(host.length)).replace(/\/+$/, '')
}

const addressesIn = (text: string): string[] =>
  Array.from(plain(text).matchAll(written), ({ groups }) => Object.values(groups ?? {}).find(Boolean) ?? '').map(
    (address) => address.replace(/[.,;:!?)\]*_'"”’]+$/, ''),
  )

/** Days, spans of years and figures in groups of thousands are no numbers to call. */
const isFigure = (run: string): boolean =>
  /^(?:\d{1,4}[./\u2010-\u2015-]\d{1,2}[./\u2010-\u2015-]\d{1,4}|\d{4}\s?[/\u2010-\u2015-]\s?\d{4}|[1-9]\d{0,2}(?:[\s.]\d{3})+|[1-9]\d*)$/.test(
    run,
  )
const numbersIn = (text: string): string[] =>
  Array.from(plain(text).replace(written, ' ').matchAll(called), ([run]) => run).filter((run) => !isFigure(run))
const digits = (run: string): string => run.replace(/\D/g, '')

type Held = { addresses: Set<string>; numbers: Set<string> }
const read = new WeakMap<Passage, Held>()
const heldIn = (passage: Passage): Held => {
  const { title, headingPath, text, file = '', url = '' } = passage
  const told = [title, ...headingPath, text, file, url].join('\n')
  const held = read.get(passage) ?? {
    // A chain of calls in code goes on behind a line break.
    addresses: new Set([told, told.replace(/\s*\n\s*(?=\.\p{L})/gu, '')].flatMap(addressesIn).map(form)),
    numbers: new Set(numbersIn(told).map(digits)),
  }
  read.set(passage, held)
  return held
}

/** Addresses, files and numbers to call that stand in none of the passages. */
export const strayAddresses = (text: string, passages: Passage[]): string[] => {
  const held = passages.map(heldIn)
  const isStray = (address: string): boolean =>
    form(address) !== '' && !held.some(({ addresses }) => addresses.has(form(address)))
  const isUnknown = (run: string): boolean => !held.some(({ numbers }) => numbers.has(digits(run)))
  return [...new Set([...addressesIn(text).filter(isStray), ...numbersIn(text).filter(isUnknown)])]
}
