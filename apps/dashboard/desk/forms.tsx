import { type FormEvent, type ReactNode, useRef, useState } from 'react'
import type { ReviewAction, ReviewView } from '@plumbline/contracts'
import { Button, Field } from '../ui/controls'
import type { Choice } from './deciding'
import { forgetUnsentEdit, keepUnsentEdit, unsentEdit } from './unsent-edit'
import { actionWords, tally } from './words'

export type Asking = Exclude<ReviewAction, 'approve'>
type FormProps = { view: ReviewView; onChoice: (choice: Choice) => void; onClose: () => void; isBusy: boolean }

type FrameProps = {
  action: Asking
  onClose: () => void
  onSubmit: () => void
  isReady: boolean
  keyWord: string
  children: ReactNode
}

/** What a decision needs said, below the draft and beside its evidence. Esc leaves everything as it was. */
const Frame = ({ action, onClose, onSubmit, isReady, keyWord, children }: FrameProps) => {
  const { button, next } = actionWords[action]
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

const numbersIn = (text: string): Set<string> => new Set(Array.from(text.matchAll(/\[(\d+)\]/g), ([, n = '']) => n))
const inWords = (numbers: Set<string>): string => [...numbers].map((n) => `[${n}]`).join(', ')

export type Keeping = { isKept: boolean; setKept: (isKept: boolean) => void }

/** Whether the released answer is given to the same question again. */
export const Keep = (props: { keeping: Keeping; hotkey?: string; isDisabled?: boolean }) => {
  const { keeping, hotkey, isDisabled = false } = props
  return (
    <label className="check small">
      <input
        type="checkbox"
        checked={keeping.isKept}
        disabled={isDisabled}
        onChange={({ target }) => keeping.setKept(target.checked)}
      />
      <span>Once released, give it to the same question too, until a document it cites changes</span>
      {hotkey !== undefined && <kbd>{hotkey}</kbd>}
    </label>
  )
}

/** The draft as plain text: citations are numbers in brackets, and one that is gone is told. */
export const EditForm = ({ view, onChoice, onClose, isBusy, keeping }: FormProps & { keeping: Keeping | null }) => {
  const { taskId, run } = view
  const [text, setText] = useState(() => {
    const unsent = unsentEdit(run.id)
    return unsent?.taskId === taskId ? unsent.text : view.draft.text
  })
  const type = (typed: string): void => {
    setText(typed)
    keepUnsentEdit(run.id, { taskId, text: typed })
  }
  const close = (): void => {
    forgetUnsentEdit(run.id)
    onClose()
  }
  const lost = numbersIn(view.draft.text).difference(numbersIn(text))
  const unknown = numbersIn(text).difference(new Set(view.draft.citations.map(({ n }) => `${n}`)))
  return (
    <Frame
      action="edit"
      onClose={close}
      keyWord="Ctrl ↵"
      isReady={!isBusy && text.trim() !== ''}
      onSubmit={() => onChoice({ action: 'edit', text: text.trim() })}
    >
      <Field label="The answer" lines={8} value={text} onChange={type} autoFocus />
      <p className="small warn" role="status">
        {lost.size > 0 &&
          `${inWords(lost)} stood in the draft and ${lost.size === 1 ? 'is' : 'are'} gone. A sentence without a citation does not pass the check. `}
        {unknown.size > 0 && `${inWords(unknown)} cites nothing: this draft has no such source.`}
      </p>
      {keeping && <Keep keeping={keeping} />}
    </Frame>
  )
}

const missingIn = ({ parts, claims }: ReviewView): string =>
  (
    parts.find(({ outcome }) => outcome !== 'answered')?.what ??
    claims.find(({ verdict }) => verdict !== 'supported')?.text ??
    ''
  ).replace(/\s*\[\d+\]/g, '')

const texts: Record<
  Exclude<Asking, 'edit'>,
  { label: string; filled: (view: ReviewView) => string; mayBeEmpty: boolean }
> = {
  retry: { label: 'What should be different? (may stay empty)', filled: () => '', mayBeEmpty: true },
  research: { label: 'What is missing?', filled: missingIn, mayBeEmpty: false },
  reject: { label: 'Why is it rejected?', filled: ({ claims }) => tally(claims), mayBeEmpty: false },
}

const choiceOf = (action: Exclude<Asking, 'edit'>, text: string): Choice => {
  if (action === 'research') return { action, guidance: text }
  if (action === 'retry') return { action, ...(text !== '' && { guidance: text }) }
  return { action, note: text }
}

/** One line for the decision; what is filled in can be typed over. */
export const LineForm = ({
  action,
  view,
  onChoice,
  onClose,
  isBusy,
}: FormProps & { action: Exclude<Asking, 'edit'> }) => {
  const { label, filled, mayBeEmpty } = texts[action]
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
