import { datesIn } from './locale-words'

/** Returns `22` and `22.0` for `v22` or `22.x`. `isOpen`: `.x` follows, so a number such as `22.1` is a version. */
export const versionForms = (token: string, isOpen: boolean): string[] => {
  const [, major, minor = '0'] =
    /^v(\d+)(?:\.(\d+))?(?:\.\d+)*$/.exec(token) ??
    /^(\d+)\.(\d+)\.\d+$/.exec(token) ??
    (isOpen ? (/^(\d+)(?:\.(\d+))?$/.exec(token) ?? []) : [])
  return major === undefined ? [] : [major, `${major}.${minor}`].filter((form) => form !== token)
}

const betweenWordAndVersion = /^(?:-|(?:[ :@^~≥≤("'`]|[<>]=?|==){1,6})$/

/** Returns `20` for `20.11` after a word, because this may be a version and people often ask only for version 20. */
export const majorOf = (token: string, between: string): string[] =>
  betweenWordAndVersion.test(between) ? [...(/^\d+(?=\.\d+$)/.exec(token) ?? [])] : []

/** The time in `2026-10-20T10:20:30Z` is treated as part of the date. */
const timeBehind = /^T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?/

type WrittenDate = { from: number; to: number; forms: string[] }

/** Returns the dates that have a year. Each has one form for every day that it may mean. */
export const wholeDates = (text: string): WrittenDate[] =>
  /\d{4}/.test(text)
    ? datesIn(text)
        .filter(({ raw }) => /\d{4}/.test(raw))
        .map(({ raw, at, days }) => ({
          from: at,
          to: at + raw.length + (timeBehind.exec(text.slice(at + raw.length, at + raw.length + 40))?.[0].length ?? 0),
          forms: days.map((day) => day.replaceAll('-', '_')),
        }))
    : []
