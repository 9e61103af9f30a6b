import { reasons } from '@plumbline/contracts'

const introduction = [
  '# Reasons',
  '',
  'Every run (the processing of a question) has a `status` and a `reason`. The reason begins with the status, and programs may branch on it.',
  'A run that is `queued` or `running` has no reason. A `parked` run waits for a person. All other statuses are final. Only an `answered` run',
  'has an answer to the question. Expect new reasons in later versions.',
  '',
  'This page is generated from the code by `node tools/draw-flow/main.mjs`. Do not edit it.',
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
