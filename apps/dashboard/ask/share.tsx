import type { Answer } from '@plumbline/contracts'
import { CopyButton } from '../ui/copy-button'
import { passageAddress, sourceLocation } from './source-panel'

const plainAnswer = ({ text, citations }: Answer): string =>
  [
    text,
    ...(citations.length > 0 ? ['', 'Sources'] : []),
    ...citations.map((one) => `[${one.n}] ${sourceLocation(one)}`),
  ].join('\n')

const escaped = (text: string): string => text.replaceAll(/[\\[\]*_`<>]/g, '\\$&')
const linkTarget = (address: string): string => address.replaceAll('(', '%28').replaceAll(')', '%29')

const markdownAnswer = ({ text, citations }: Answer, origin: string): string =>
  [
    text,
    ...(citations.length > 0 ? ['', '**Sources**', ''] : []),
    ...citations.map(
      (one) =>
        `- [${one.n}] [${escaped(sourceLocation(one))}](${linkTarget(one.url ?? `${origin}${passageAddress(one)}`)})`,
    ),
  ].join('\n')

export const CopyAnswer = ({ answer }: { answer: Answer }) => (
  <p className="small line">
    <CopyButton quiet label="Copy answer" text={plainAnswer(answer)} />{' '}
    <CopyButton quiet label="Copy answer as Markdown" text={markdownAnswer(answer, location.origin)} />
  </p>
)
