import { type FormEvent, type ReactNode, useRef, useState } from 'react'
import type { ReviewAction, ReviewView } from '@plumbline/contracts'
import { Button, Field } from '../ui/controls'
import type { Choice } from './decisions'
import { actionLabels, claimsSummary } from './labels'
import { RejectTellsAsker } from './shown-part'

type FormProps = { view: ReviewView; onChoice: (choice: Choice) => void; onClose: () => void; isBusy: boolean }

type FrameProps = {
  action: ReviewAction
  onClose: () => void
  onSubmit: () => void
  isReady: boolean
  keyWord: string
  children: ReactNode
}

const Frame = ({ action, onClose, onSubmit, isReady, keyWord, children }: FrameProps) => {
  const { button, next } = actionLabels[action]
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (isReady) onSubmit()
  }
  return (
    <form
      className="decision-form"
      aria-label={button}
      onSubmit={submit}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onClose()
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit(event)
      }}
    >
      {children}
      <div className="buttons">
        <Button type="submit" main hotkey={keyWord} isDisabled={!isReady}>
          {button}
        </Button>
        <Button hotkey="Esc" onPress={onClose}>
          Cancel
        </Button>
        <span className="small soft">Then {next}.</span>
      </div>
    </form>
  )
}

export type ReuseChoice = { isReused: boolean; setReused: (isReused: boolean) => void }

export const ReuseCheckbox = (props: { reuse: ReuseChoice; hotkey?: string; isDisabled?: boolean }) => {
  const { reuse, hotkey, isDisabled = false } = props
  return (
    <label className="check small">
      <input
        type="checkbox"
        checked={reuse.isReused}
        disabled={isDisabled}
        onChange={({ target }) => reuse.setReused(target.checked)}
      />
      <span>
        Reuse this answer
        <span className="rest"> when the question is asked again, until a document it cites changes</span>
      </span>
      {hotkey !== undefined && <kbd>{hotkey}</kbd>}
    </label>
  )
}

const missingText = ({ parts, claims }: ReviewView): string =>
  (
    parts.find(({ outcome }) => outcome !== 'answered')?.what ??
    claims.find(({ verdict }) => verdict !== 'supported')?.text ??
    ''
  ).replace(/\s*\[\d+\]/g, '')

const formTexts: Record<
  Exclude<ReviewAction, 'edit'>,
  { label: string; filled: (view: ReviewView) => string; mayBeEmpty: boolean }
> = {
  retry: { label: 'What should change? (optional)', filled: () => '', mayBeEmpty: true },
  research: { label: 'What is missing?', filled: missingText, mayBeEmpty: false },
  approve: { label: 'A claim is contradicted. Why do you approve the draft?', filled: () => '', mayBeEmpty: false },
  reject: { label: 'Why do you reject this answer?', filled: ({ claims }) => claimsSummary(claims), mayBeEmpty: false },
}

const choiceOf = (action: Exclude<ReviewAction, 'edit'>, text: string): Choice => {
  if (action === 'research') return { action, guidance: text }
  if (action === 'retry') return { action, ...(text !== '' && { guidance: text }) }
  return { action, note: text }
}

export const LineForm = ({
  action,
  view,
  onChoice,
  onClose,
  isBusy,
}: FormProps & { action: Exclude<ReviewAction, 'edit'> }) => {
  const { label, filled, mayBeEmpty } = formTexts[action]
  const [text, setText] = useState(() => filled(view))
  const wasChosen = useRef(false)
  return (
    <Frame
      action={action}
      onClose={onClose}
      keyWord="↵"
      isReady={!isBusy && (mayBeEmpty || text.trim() !== '')}
      onSubmit={() => onChoice(choiceOf(action, text.trim()))}
    >
      {action === 'reject' && <RejectTellsAsker view={view} />}
      <Field
        label={label}
        value={text}
        onChange={setText}
        maxLength={2_000}
        autoFocus
        onFocus={({ target }) => {
          if (!wasChosen.current && target instanceof HTMLInputElement) target.select()
          wasChosen.current = true
        }}
      />
    </Frame>
  )
}
