import { forwardRef } from 'react'
import type { ReviewList, ReviewOrder } from '@plumbline/contracts'
import { Button } from '../ui/controls'
import { type Address, type FilterName, filterNames } from './address'
import { heldBecause } from './words'

type Choice = { value: string; words: string }

const choicesOf = (counts: Record<string, number> = {}, words = (name: string): string => name): Choice[] =>
  Object.entries(counts)
    .sort(([, a], [, b]) => b - a)
    .map(([value, count]) => ({ value, words: `${words(value)} (${count})` }))

type SelectProps = {
  name: FilterName
  label: string
  value: string | undefined
  choices: Choice[]
  onChange: (value: string) => void
}

const Select = ({ name, label, value = '', choices, onChange }: SelectProps) => (
  <label className="chip">
    {label}
    <select name={name} value={value} onChange={({ target }) => onChange(target.value)}>
      <option value="">any</option>
      {value !== '' && !choices.some((choice) => choice.value === value) && <option value={value}>{value}</option>}
      {choices.map((choice) => (
        <option key={choice.value} value={choice.value}>
          {choice.words}
        </option>
      ))}
    </select>
  </label>
)

type FiltersProps = { address: Address; counts: ReviewList['counts'] | undefined; who: string }

/** What of the queue is shown. `/` leads here. */
export const FilterBar = forwardRef<HTMLSelectElement, FiltersProps>(({ address, counts, who }, first) => {
  const { filters, filter } = address
  const choices: Record<FilterName, Choice[]> = {
    collection: choicesOf(counts?.collections),
    policy: choicesOf(counts?.policies),
    reason: choicesOf(counts?.reasons, heldBecause),
    assignee: choicesOf({ [who]: 0, none: 0, ...counts?.assignees }, (name) =>
      name === who ? 'me' : name === 'none' ? 'nobody' : name,
    ),
  }
  const labels: Record<FilterName, string> = {
    collection: 'Collection',
    policy: 'Policy',
    reason: 'Held because',
    assignee: 'Assigned to',
  }
  return (
    <div className="filters" role="group" aria-label="What is shown">
      <label className="chip">
        Order
        <select
          ref={first}
          value={filters.order}
          onChange={({ target }) => filter({ order: target.value as ReviewOrder })}
        >
          <option value="deadline">by deadline</option>
          <option value="age">by age</option>
          <option value="risk">by risk</option>
        </select>
      </label>
      {filterNames.map((name) => (
        <Select
          key={name}
          name={name}
          label={labels[name]}
          value={filters[name]}
          choices={choices[name]}
          onChange={(value) => filter({ [name]: value })}
        />
      ))}
      {filterNames.some((name) => filters[name]) && (
        <Button quiet onPress={address.clear}>
          Show all
        </Button>
      )}
    </div>
  )
})
FilterBar.displayName = 'FilterBar'
