/** The judgement of one claim in the long form, which recordings and specs use. */
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

/** Converts the rating of a check: each part has a reason or null, and the reason says whether a question is too broad. */
const ratingForm = ({ parts, tooBroad, ...rest }: Fields): Fields => ({
  ...rest,
  ...(Array.isArray(parts) && { parts: (parts as Fields[]).map((part) => ({ why: null, ...part })) }),
  ...(tooBroad !== undefined && {
    tooBroad: tooBroad === true ? 'It leaves open which thing is meant.' : tooBroad || null,
  }),
})

/** Converts a check to the short form of the prompt: lists of claims by verdict. Only failed claims have a reason. */
const checkForm = ({ claims, ...rest }: Fields & { claims: Judgement[] }): Fields => ({
  supported: claims
    .filter((one) => states(one) && one.verdict === 'supported')
    .map(({ claim, passage }) => ({ claim, passage })),
  failed: claims
    .filter((one) => states(one) && one.verdict !== 'supported')
    .map(({ claim, verdict, reason, passage, conflictsWith = null }) => ({
      claim,
      verdict,
      reason,
      passage,
      conflictsWith,
    })),
  nothing: claims.filter((one) => !states(one)).map(({ claim }) => claim),
  why: null,
  tooBroad: null,
  absent: [],
  sensitive: false,
  outdated: [],
  lowAuthority: [],
  ...ratingForm(rest),
})

/** Converts a check to the short form of a check of a part: claims that may be shown, and claims that wait. */
const checkPartForm = ({ claims }: Fields & { claims: Judgement[] }): Fields => {
  const passed = claims.filter(
    (one) => states(one) && one.verdict === 'supported' && one.passage !== null && (one.conflictsWith ?? null) === null,
  )
  return {
    supported: passed.map(({ claim, passage }) => ({ claim, passage })),
    wait: claims.filter((one) => !passed.includes(one)).map(({ claim }) => claim),
  }
}

/** Converts grades to the short form of the prompt: lists of relevant passages, and one line for all other passages. */
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

/** Converts a route to the short form of the prompt: one note, and a question only if it differs from the message. */
const routeForm = ({ logic, title, ...rest }: Fields): Fields => ({
  note: title ?? (rest['to'] === 'research' ? null : logic) ?? null,
  ...rest,
})

/** Converts fields from the long form, which recordings and specs use, to the form that the prompt requests. */
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
