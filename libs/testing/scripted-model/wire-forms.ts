/** A judgement of one claim, as recordings and specs write it. */
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

/** A check is sent as lists of claims by verdict, with words for failed ones only. */
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
  sensitive: false,
  outdated: [],
  lowAuthority: [],
  ...rest,
})

/** Grades are sent as lists of relevant passages, with one line for all others. */
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

/** A route is sent with one note, and with a question only if it is another one than the message. */
const routeForm = ({ logic, title, ...rest }: Fields): Fields => ({
  note: title ?? (rest['to'] === 'research' ? null : logic) ?? null,
  ...rest,
})

/** The fields as their prompt asks for them, of those that recordings and specs write at more length. */
export const wireForm = (name: string | undefined, given: unknown): unknown => {
  if (typeof given !== 'object' || given === null) return given
  const fields = given as Fields
  if (name === 'check' && Array.isArray(fields['claims'])) return checkForm(fields as Fields & { claims: Judgement[] })
  if (name === 'grade-evidence' && Array.isArray(fields['grades']))
    return gradesForm(fields as Fields & { grades: Graded[] })
  return name?.startsWith('route') ? routeForm(fields) : given
}
