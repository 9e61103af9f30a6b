import { type FormEvent, useId, useState } from 'react'
import { useLocation, useSearchParams } from 'wouter'
import { reasons, RunStatus } from '@plumbline/contracts'
import { Button, Field, Select } from '../ui/controls'
import { address } from './figures'
import { statusLabel } from './run-rows'

export const runFilters = ['words', 'status', 'policy', 'collection', 'reason', 'from', 'to'] as const
export type RunFilter = Partial<Record<(typeof runFilters)[number], string>>

type FilterProps = {
  label: string
  value: string | undefined
  options: (readonly [value: string, name: string])[]
  onPick: (value: string) => void
}
const Filter = ({ label, value = '', options, onPick }: FilterProps) => (
  <Select label={label} value={value} options={[['', 'any'], ...options]} onChange={onPick} />
)

const toField = (iso: string | undefined): string => {
  if (iso === undefined) return ''
  const at = new Date(iso)
  return Number.isNaN(at.getTime())
    ? ''
    : new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}
const fromField = (text: string): string => (text === '' ? '' : new Date(text).toISOString())

const DateFilter = ({ label, value, onPick }: Omit<FilterProps, 'options'>) => {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        type="datetime-local"
        value={toField(value)}
        onChange={({ target }) => onPick(fromField(target.value))}
      />
    </div>
  )
}

const reasonOptions = (status = ''): (readonly [string, string])[] =>
  Object.entries(reasons).filter(([reason]) => reason.startsWith(status === '' ? '' : `${status}.`))

const asOptions = (names: string[]): (readonly [string, string])[] => names.map((name) => [name, name] as const)

type Props = { filter: RunFilter; policies: string[]; collections: string[] }

export const RunFilters = ({ filter, policies, collections }: Props) => {
  const [, go] = useLocation()
  const [params] = useSearchParams()
  const [words, setWords] = useState(filter.words ?? '')
  const others = (['policy', 'collection', 'from', 'to'] as const).filter((name) => filter[name] !== undefined)
  const [isOpen, setOpen] = useState(others.length > 0)
  const change = (changed: RunFilter): void =>
    go(address('/runs', { ...filter, ...changed, sort: params.get('sort') ?? '' }))
  const pick = (name: keyof RunFilter) => (value: string) => change({ [name]: value })
  // Clear the reason too, because each reason belongs to only one status.
  const pickStatus = (status: string): void => change({ status, reason: '' })
  const search = (event: FormEvent): void => {
    event.preventDefault()
    pick('words')(words.trim())
  }
  const clear = (): void => {
    setWords('')
    go('/runs')
  }
  return (
    <form className="filters" role="search" onSubmit={search}>
      <Field label="Question contains" value={words} onChange={setWords} type="search" />
      <Filter
        label="Status"
        value={filter.status}
        options={RunStatus.options.map((each) => [each, statusLabel(each)] as const)}
        onPick={pickStatus}
      />
      <Filter label="Reason" value={filter.reason} options={reasonOptions(filter.status)} onPick={pick('reason')} />
      {isOpen && (
        <>
          <Filter label="Policy" value={filter.policy} options={asOptions(policies)} onPick={pick('policy')} />
          <Filter
            label="Collection"
            value={filter.collection}
            options={asOptions(collections)}
            onPick={pick('collection')}
          />
          <DateFilter label="Asked from (time)" value={filter.from} onPick={pick('from')} />
          <DateFilter label="Asked until (time)" value={filter.to} onPick={pick('to')} />
        </>
      )}
      <Button type="submit" main>
        Search
      </Button>
      <Button quiet aria-expanded={isOpen} onPress={() => setOpen(!isOpen)}>
        {isOpen ? 'Fewer filters' : 'More filters'}
      </Button>
      {Object.keys(filter).length > 0 && (
        <Button quiet onPress={clear}>
          Clear filters
        </Button>
      )}
    </form>
  )
}
