import { type FormEvent, useState } from 'react'
import { useSession } from '../session'
import { Button, Field } from '../ui/controls'
import { type DeskAddress, searchOf } from './address'

type View = { name: string; search: string }
const storageKey = 'plumbline.desk.views'

const readViews = (): View[] => {
  try {
    return JSON.parse(localStorage.getItem(storageKey) ?? '[]') as View[]
  } catch {
    return []
  }
}

export const Views = ({ address }: { address: DeskAddress }) => {
  const { me } = useSession()
  const [saved, setSaved] = useState(readViews)
  const [name, setName] = useState<string | null>(null)
  const search = searchOf(address.filters)
  const offered: View[] = [
    { name: 'All held answers', search: '' },
    { name: 'Overdue', search: searchOf({ order: 'deadline', escalated: 'true' }) },
    { name: 'Assigned to me', search: searchOf({ order: 'deadline', assignee: me.name }) },
    { name: 'Contradicted', search: searchOf({ order: 'deadline', reason: 'parked.contradicted' }) },
    { name: 'Highest risk first', search: searchOf({ order: 'risk' }) },
  ]
  const all = [...offered, ...saved]
  const isSaved = saved.some((view) => view.search === search)
  const keep = (views: View[]): void => {
    localStorage.setItem(storageKey, JSON.stringify(views))
    setSaved(views)
  }
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    const given = name?.trim()
    if (given) keep([...saved.filter((view) => view.name !== given), { name: given, search }])
    setName(null)
  }
  if (name !== null)
    return (
      <form className="save-view" onSubmit={submit} onKeyDown={({ key }) => key === 'Escape' && setName(null)}>
        <Field label="View name" value={name} onChange={setName} maxLength={40} autoFocus />
        <Button type="submit">Save</Button>
        <Button onPress={() => setName(null)}>Cancel</Button>
      </form>
    )
  return (
    <>
      <label className="chip">
        Saved view
        <select value={search} onChange={({ target }) => address.view(target.value)}>
          {!all.some((view) => view.search === search) && <option value={search}>unsaved filters</option>}
          {all.map((view) => (
            <option key={view.name} value={view.search}>
              {view.name}
            </option>
          ))}
        </select>
      </label>
      {isSaved ? (
        <Button quiet onPress={() => keep(saved.filter((view) => view.search !== search))}>
          Delete view
        </Button>
      ) : (
        !offered.some((view) => view.search === search) && (
          <Button quiet onPress={() => setName('')}>
            Save view
          </Button>
        )
      )}
    </>
  )
}
