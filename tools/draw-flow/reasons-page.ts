import { reasons } from '@plumbline/contracts'

const introduction = [
  '# Reasons',
  '',
  'Every run has a `status`, and a `reason` that begins with it and that programs may switch on. `queued` and `running` have no',
  'reason, `parked` waits for a person, and all others are final. Only `answered` has an answer to the question.',
  'Expect new reasons in later versions.',
  '',
  'This page is generated from the core by `node tools/draw-flow/main.mjs`. Do not edit it.',
  '',
]

export const reasonsPage = (): string => {
  const byStatus = Map.groupBy(Object.entries(reasons), ([reason]) => reason.split('.')[0])
  const lists = [...byStatus].flatMap(([status, list]) => [
    `## ${status}`,
    '',
    ...list.map(([reason, meaning]) => `- \`${reason}\`: ${meaning}`),
    '',
  ])
  return [...introduction, ...lists].join('\n')
}
