import type { ReviewList, ReviewOrder } from '@plumbline/contracts'
import { usePeople } from '../people'
import { Button } from '../ui/controls'
import { type ChoiceName, choiceNames, type DeskAddress, filterNames } from './address'
import { shortReason } from './labels'
import { Views } from './views'

type Choice = { value: string; words: string }

const choicesOf = (counts: Record<string, number> = {}, words = (name: string): string => name): Choice[] =>
  Object.entries(counts)
    .sort(([, a], [, b]) => b - a)
    .map(([value, count]) => ({ value, words: `${words(value)} (${count})` }))

type SelectProps = {
  name: ChoiceName
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

type FiltersProps = { address: DeskAddress; counts: ReviewList['counts'] | undefined; who: string }

export const FilterBar = ({ address, counts, who }: FiltersProps) => {
  const { filters, filter } = address
  const nameOf = usePeople()
  const choices: Record<ChoiceName, Choice[]> = {
    collection: choicesOf(counts?.collections),
    policy: choicesOf(counts?.policies),
    reason: choicesOf(counts?.reasons, shortReason),
    assignee: choicesOf({ [who]: 0, none: 0, ...counts?.assignees }, (name) =>
      name === who ? 'me' : name === 'none' ? 'nobody' : nameOf(name),
    ),
  }
  const labels: Record<ChoiceName, string> = {
    collection: 'Collection',
    policy: 'Policy',
    reason: 'Reason',
    assignee: 'Assigned to',
  }
  return (
    <div className="filters" role="group" aria-label="Filters">
      <Views address={address} />
      <label className="chip">
        Order
        <select value={filters.order} onChange={({ target }) => filter({ order: target.value as ReviewOrder })}>
          <option value="deadline">by deadline</option>
          <option value="age">by age</option>
          <option value="risk">by risk</option>
        </select>
      </label>
      {choiceNames.map((name) => (
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
          Clear filters
        </Button>
      )}
    </div>
  )
}
