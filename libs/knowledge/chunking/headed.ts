import type { Passage } from '@plumbline/contracts'

/** A passage as embedders and rerankers read it: one line that names what it is about, then its text. */
export const headed = ({ title, headingPath, text }: Pick<Passage, 'title' | 'headingPath' | 'text'>): string =>
  `${[title, ...headingPath.filter((heading) => heading !== title)].join(' · ')}\n${text}`
