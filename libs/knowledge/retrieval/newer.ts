import type { Passage } from '@plumbline/contracts'

export const newer = (a: Passage, b: Passage): boolean => (a.date ?? '') > (b.date ?? '')
