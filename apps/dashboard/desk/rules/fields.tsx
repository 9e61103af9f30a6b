import type { WeekDay } from '@plumbline/contracts'
import { Check, Field, toggleItem } from '../../ui/controls'
import type { Draft } from './draft'
import { dayNames } from './rule-sentences'

type Change = (fields: Partial<Draft>) => void
type Props = { draft: Draft; change: Change }

type ChoicesProps<T> = {
  legend: string
  all: T[]
  named?: (one: T) => string
  chosen: T[]
  set: (chosen: T[]) => void
}
const Checkboxes = <T extends string>({ legend, all, named = (one) => one, chosen, set }: ChoicesProps<T>) => (
  <fieldset className="choices">
    <legend>{legend}</legend>
    {all.map((one) => (
      <Check key={one} label={named(one)} on={chosen.includes(one)} set={(on) => set(toggleItem(chosen, one, on))} />
    ))}
  </fieldset>
)

const NumberField = (props: { label: string; value: string; onChange: (value: string) => void }) => (
  <Field {...props} type="number" inputMode="decimal" />
)

type HoldProps = Props & { collections: string[] }
export const HoldFields = ({ draft, change, collections }: HoldProps) => {
  const shown = [...new Set([...collections, ...draft.collections])].sort()
  return (
    <>
      <Check label="Hold every answer" on={draft.everything} set={(everything) => change({ everything })} />
      {!draft.everything && (
        <>
          <NumberField
            label="Hold a random sample (% of all answers)"
            value={draft.percent}
            onChange={(percent) => change({ percent })}
          />
          {shown.length > 0 && (
            <Checkboxes
              legend="Hold every answer from these collections"
              all={shown}
              chosen={draft.collections}
              set={(collections) => change({ collections })}
            />
          )}
          <Field
            label="Hold every answer to a question that contains one of these words or phrases (one per line)"
            lines={3}
            placeholder="for example: notice period"
            value={draft.words}
            onChange={(words) => change({ words })}
          />
        </>
      )}
    </>
  )
}

const WorkingHours = ({ draft, change }: Props) => (
  <>
    <Checkboxes
      legend="Working days"
      all={Object.keys(dayNames) as WeekDay[]}
      named={(day) => dayNames[day]}
      chosen={draft.days}
      set={(days) => change({ days })}
    />
    <div className="beside">
      <Field label="Work starts at" type="time" value={draft.from} onChange={(from) => change({ from })} />
      <Field label="Work ends at" type="time" value={draft.to} onChange={(to) => change({ to })} />
      <Field label="Time zone" value={draft.timeZone} onChange={(timeZone) => change({ timeZone })} />
    </div>
  </>
)

const overdueActions = {
  refuse: 'Refuse the answer',
  caveat: 'Release the answer with a caveat',
  escalate: 'Escalate the answer',
} as const

type DeadlineProps = Props & { mayRelease: boolean }
export const DeadlineFields = ({ draft, change, mayRelease }: DeadlineProps) => (
  <>
    <Check label="Set a deadline for decisions" on={draft.hasDeadline} set={(hasDeadline) => change({ hasDeadline })} />
    {draft.hasDeadline && (
      <>
        <NumberField label="Hours to wait for a decision" value={draft.wait} onChange={(wait) => change({ wait })} />
        <Check label="Count working hours only" on={draft.inHours} set={(inHours) => change({ inHours })} />
        {draft.inHours && <WorkingHours draft={draft} change={change} />}
        <fieldset className="choices">
          <legend>If nobody decides in time</legend>
          {(Object.keys(overdueActions) as (keyof typeof overdueActions)[]).map((way) => (
            <label key={way} className="check">
              <input
                type="radio"
                name="then"
                checked={draft.then === way}
                disabled={way === 'caveat' && !mayRelease}
                onChange={() => change({ then: way })}
              />{' '}
              {overdueActions[way]}
            </label>
          ))}
        </fieldset>
        {!mayRelease && (
          <p className="small soft">
            This tenant never releases an answer without a decision. To allow such releases, the operator must add this
            tenant to the setting MARKED_ANSWERS.
          </p>
        )}
        {draft.then === 'escalate' && (
          <NumberField
            label="Hours until an escalated answer is refused"
            value={draft.escalatedWait}
            onChange={(escalatedWait) => change({ escalatedWait })}
          />
        )}
      </>
    )}
  </>
)
