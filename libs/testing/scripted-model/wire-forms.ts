type Judgement = {
  claim: number
  kind?: string
  reason: string
  verdict: string
  passage: number | null
  conflictsWith?: number | null
}
type Graded = {
  passage: number
  relevant: boolean
  level?: string | null
  reason?: string
  outdated?: boolean | null
  sensitive?: boolean | null
  authority?: string | null
}
type Fields = Record<string, unknown>

const states = ({ kind, verdict }: Judgement): boolean => kind !== 'none' || verdict === 'supported'

/**
 * Returns a rating in the form that the prompt requests. Each part of the question has a reason or null. `tooBroad` is
 * the reason why the question is too broad, or null.
 */
const ratingForm = ({ parts, tooBroad, ...rest }: Fields): Fields => ({
  ...rest,
  ...(Array.isArray(parts) && { parts: (parts as Fields[]).map((part) => ({ why: null, ...part })) }),
  ...(tooBroad !== undefined && {
    tooBroad: tooBroad === true ? 'It leaves open which thing is meant.' : tooBroad || null,
  }),
})

type Marks = { absent?: number[]; sensitive?: boolean; outdated?: number[]; lowAuthority?: number[] }
const marksForm = ({ absent = [], sensitive = false, outdated = [], lowAuthority = [] }: Marks): Fields[] => [
  ...Object.entries({ absent, outdated, lowAuthority }).flatMap(([mark, numbers]) =>
    numbers.map((number) => ({ mark, number })),
  ),
  ...(sensitive ? [{ mark: 'sensitive', number: null }] : []),
]

/** Returns a check in its short form: supported claims are only numbers, and the other claims have a reason. */
const checkForm = ({
  claims,
  absent,
  sensitive,
  outdated,
  lowAuthority,
  ...rest
}: Fields & Marks & { claims: Judgement[] }): Fields => ({
  supported: claims.filter((one) => states(one) && one.verdict === 'supported').map(({ claim }) => claim),
  others: claims
    .filter((one) => !states(one) || one.verdict !== 'supported')
    .map((one) => ({
      claim: one.claim,
      verdict: states(one) ? one.verdict : 'nothing',
      reason: one.reason,
      passage: one.passage,
      conflictsWith: one.conflictsWith ?? null,
    })),
  marks: marksForm({ absent, sensitive, outdated, lowAuthority }),
  why: null,
  tooBroad: null,
  ...ratingForm(rest),
})

const checkPartForm = ({ claims }: Fields & { claims: Judgement[] }): Fields => {
  const passed = claims.filter(
    (one) => states(one) && one.verdict === 'supported' && one.passage !== null && (one.conflictsWith ?? null) === null,
  )
  return {
    supported: passed.map(({ claim }) => claim),
    wait: claims.filter((one) => !passed.includes(one)).map(({ claim }) => claim),
  }
}

/** Returns grades in their short form: relevant passages are listed by number, and all others share one reason. */
const gradesForm = ({ grades, ...rest }: Fields & { grades: Graded[] }): Fields => {
  const relevant = grades.filter((grade) => grade.relevant)
  const numbers = (has: (grade: Graded) => boolean): number[] => relevant.filter(has).map(({ passage }) => passage)
  return {
    high: numbers(({ level }) => level === 'high'),
    medium: numbers(({ level }) => level !== 'high'),
    rest: grades.find((grade) => !grade.relevant)?.reason ?? null,
    outdated: numbers(({ outdated }) => outdated === true),
    lowAuthority: numbers(({ authority }) => authority === 'low'),
    sensitive: numbers(({ sensitive }) => sensitive === true),
    confidence: 0.9,
    ...rest,
  }
}

/** Returns a route in its short form, which has a single note instead of a title and a reason. */
const routeForm = ({ logic, title, ...rest }: Fields): Fields => ({
  note: title ?? (rest['to'] === 'research' ? null : logic) ?? null,
  ...rest,
})

/** Turns the long form of recordings and specs into the short form that the prompt requests. */
export const wireForm = (name: string | undefined, given: unknown): unknown => {
  if (typeof given !== 'object' || given === null) return given
  const fields = given as Fields
  if (name === 'check')
    return Array.isArray(fields['claims']) ? checkForm(fields as Fields & { claims: Judgement[] }) : ratingForm(fields)
  if (name === 'check-part' && Array.isArray(fields['claims']))
    return checkPartForm(fields as Fields & { claims: Judgement[] })
  if (name === 'grade-evidence' && Array.isArray(fields['grades']))
    return gradesForm(fields as Fields & { grades: Graded[] })
  return name?.startsWith('route') ? routeForm(fields) : given
}
