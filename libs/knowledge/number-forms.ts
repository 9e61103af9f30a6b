import { datesIn } from './locale-words'

/**
 * Returns other forms of a version, such as `22` and `22.0` for `v22`. `isOpen` is true if `.x` follows the token. A
 * number such as `22.1` is then a version even without `v`.
 */
export const versionForms = (token: string, isOpen: boolean): string[] => {
  const [, major, minor = '0'] =
    /^v(\d+)(?:\.(\d+))?(?:\.\d+)*$/.exec(token) ??
    /^(\d+)\.(\d+)\.\d+$/.exec(token) ??
    (isOpen ? (/^(\d+)(?:\.(\d+))?$/.exec(token) ?? []) : [])
  return major === undefined ? [] : [major, `${major}.${minor}`].filter((form) => form !== token)
}

const betweenWordAndVersion = /^(?:-|(?:[ :@^~≥≤("'`]|[<>]=?|==){1,6})$/

/** Returns `20` for the version in `Node 20.11`, because people often ask only for version 20. */
export const majorOf = (token: string, between: string): string[] =>
  betweenWordAndVersion.test(between) ? [...(/^\d+(?=\.\d+$)/.exec(token) ?? [])] : []

/** Matches the time after a date, as in `2026-10-20T10:20:30Z`. This time counts as part of the date. */
const timeBehind = /^T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?/

type WrittenDate = { from: number; to: number; forms: string[] }

/** Returns the dates with a year of four digits. `forms` lists every day that the date can mean, such as `2024_3_5`. */
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
