import { datesIn } from './locale-words'

/** A version in the shorter forms that people use: `v22`, `22.x` and `22.0.0` are 22 and 22.0. A figure of two parts may be a decimal. */
export const versionForms = (token: string, isOpen: boolean): string[] => {
  const [, major, minor = '0'] =
    /^v(\d+)(?:\.(\d+))?(?:\.\d+)*$/.exec(token) ??
    /^(\d+)\.(\d+)\.\d+$/.exec(token) ??
    (isOpen ? (/^(\d+)(?:\.(\d+))?$/.exec(token) ?? []) : [])
  return major === undefined ? [] : [major, `${major}.${minor}`].filter((form) => form !== token)
}

type WrittenDate = { from: number; to: number; forms: string[] }

/** The dates of a text that name a year. Each has one form for every day that it may mean. */
export const wholeDates = (text: string): WrittenDate[] =>
  /\d{4}/.test(text)
    ? datesIn(text)
        .filter(({ raw }) => /\d{4}/.test(raw))
        .map(({ raw, at, days }) => ({
          from: at,
          to: at + raw.length,
          forms: days.map((day) => day.replaceAll('-', '_')),
        }))
    : []
