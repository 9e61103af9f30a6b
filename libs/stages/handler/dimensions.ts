import type { Evidence } from '@plumbline/contracts'
import { passing, type Run } from '@plumbline/flow'
import { headingsOf } from '@plumbline/skills/skill/prompt'

const most = 8
const sectionNumber = /^[\p{N}.)§\s]+/u

/**
 * Returns titles and headings that can narrow a broad question. Sensitive passages are left out. Names without digits
 * are preferred, because the reply should contain no digits.
 */
export const dimensionsOf = (run: Run, evidence: readonly Evidence[]): string[] => {
  const rows = run.steps.flatMap((step) => passing(run.policy, step))
  const open = new Set(rows.filter(({ grade, mark }) => !grade?.sensitive && !mark?.sensitive).map(({ id }) => id))
  const offered = evidence.filter(({ id }) => open.has(id))
  const titles = new Set(offered.map(({ title }) => title))
  const headings = offered.flatMap((passage) => headingsOf(passage).at(-1)?.replace(sectionNumber, '') ?? [])
  const names = new Set([...(titles.size > 1 || headings.length === 0 ? titles : []), ...headings].filter(Boolean))
  const plain = [...names].filter((name) => !/\p{N}/u.test(name))
  return (plain.length > 0 ? plain : [...names]).slice(0, most)
}
