import { type FormEvent, useState } from 'react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { NewSource, SourceSchedule, SourceSettings, SourceView } from '@plumbline/contracts'
import { useSession } from '../session'
import { Field, FormEnd, Select } from '../ui/controls'
import { Problem } from '../ui/problem'

type Kind = SourceSettings['kind']
const kinds: readonly (readonly [Kind, string])[] = [
  ['folder', 'Folder on the server'],
  ['s3', 'S3 bucket'],
  ['website', 'Website'],
  ['git', 'Git repository'],
]
const fieldsOf: Record<Kind, readonly (readonly [string, string])[]> = {
  folder: [['path', 'Folder, for example /data/handbook']],
  s3: [
    ['bucket', 'Bucket'],
    ['prefix', 'Path prefix (optional)'],
    ['region', 'Region (optional)'],
    ['endpoint', 'Endpoint, if not Amazon (optional)'],
    ['credentials', 'Name of the credentials (optional)'],
  ],
  website: [['url', 'Address of the start page']],
  git: [
    ['url', 'Address of the repository'],
    ['branch', 'Branch (optional)'],
    ['path', 'Folder (optional)'],
    ['credentials', 'Name of the credentials (optional)'],
  ],
}

type Draft = {
  name: string
  settings: Record<string, unknown> & { kind: Kind }
  collection: string
  schedule: SourceSchedule
  rules: string
}

const draftOf = (source: SourceView | undefined): Draft => ({
  name: source?.name ?? '',
  settings: source?.settings ?? { kind: 'folder' },
  collection: source?.collection ?? 'default',
  schedule: source?.schedule ?? { by: 'button' },
  rules: (source?.access ?? []).map(({ paths, access }) => `${paths} = ${access.join(', ')}`).join('\n'),
})

const rulesOf = (text: string): NewSource['access'] =>
  text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const at = line.lastIndexOf('=')
      const [paths, tags] = at < 0 ? [line, ''] : [line.slice(0, at), line.slice(at + 1)]
      return {
        paths: paths.trim(),
        access: tags
          .split(',')
          .map((tag) => tag.trim())
          .filter(Boolean),
      }
    })

const newSourceOf = ({ settings, collection, schedule, rules }: Draft): NewSource => ({
  // Omit empty fields, so that the gateway reports them as missing.
  settings: Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== '')) as SourceSettings,
  collection,
  schedule,
  access: rulesOf(rules),
})

const scheduleBy: Record<SourceSchedule['by'], SourceSchedule> = {
  button: { by: 'button' },
  interval: { by: 'interval', minutes: 60 },
  cron: { by: 'cron', cron: '0 3 * * *' },
}

const Schedule = ({ schedule, set }: { schedule: SourceSchedule; set: (schedule: SourceSchedule) => void }) => (
  <>
    <Select
      label="Schedule"
      value={schedule.by}
      options={[
        ['button', 'manual'],
        ['interval', 'at an interval'],
        ['cron', 'by a cron expression'],
      ]}
      onChange={(by) => set(scheduleBy[by])}
    />
    {schedule.by === 'interval' && (
      <Field
        label="Interval in minutes"
        type="number"
        value={`${schedule.minutes}`}
        onChange={(text) => set({ by: 'interval', minutes: Number(text) })}
      />
    )}
    {schedule.by === 'cron' && (
      <Field
        label="Cron schedule in UTC: minute, hour, day, month, weekday"
        value={schedule.cron}
        onChange={(cron) => set({ by: 'cron', cron })}
      />
    )}
  </>
)

const useSave = (draft: Draft, saved: () => void) => {
  const { client } = useSession()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: () => client.putSource(draft.name.trim(), newSourceOf(draft)),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['sources'] })
      saved()
    },
  })
}

type SourceFormProps = { source?: SourceView; taken?: string[]; close: () => void }

export const SourceForm = ({ source, taken = [], close }: SourceFormProps) => {
  const [draft, setDraft] = useState(() => draftOf(source))
  const { name, settings, collection, schedule, rules } = draft
  const isTaken = taken.includes(name.trim())
  const change = (part: Partial<Draft>): void => setDraft((before) => ({ ...before, ...part }))
  const save = useSave(draft, close)
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    save.mutate()
  }
  return (
    <form className="card settings" onSubmit={submit} aria-label={source ? `Settings of ${name}` : 'New source'}>
      {!source && (
        <>
          <Field
            label="Name (lower-case letters, digits and -)"
            value={name}
            onChange={(name) => change({ name })}
            autoFocus
          />
          <Select
            label="Type"
            value={settings.kind}
            options={kinds}
            onChange={(kind) => change({ settings: { kind } })}
          />
        </>
      )}
      {fieldsOf[settings.kind].map(([field, label]) => (
        <Field
          key={field}
          label={label}
          value={typeof settings[field] === 'string' ? settings[field] : ''}
          onChange={(text) => change({ settings: { ...settings, [field]: text } })}
        />
      ))}
      <Field label="Collection" value={collection} onChange={(collection) => change({ collection })} />
      <Schedule schedule={schedule} set={(schedule) => change({ schedule })} />
      <Field
        label="Access rules: paths = access tags, one rule per line; the first match applies"
        placeholder="hr/** = hr, board"
        lines={3}
        value={rules}
        onChange={(rules) => change({ rules })}
      />
      <p className="faint small">A file that matches no rule can be read by everyone who may ask questions.</p>
      {isTaken && <p role="alert">A source with this name exists. Change that source, or choose another name.</p>}
      {save.error && <Problem error={save.error} />}
      <FormEnd isReady={name.trim() !== '' && !isTaken && !save.isPending} onCancel={close}>
        {source ? 'Save' : 'Add source'}
      </FormEnd>
    </form>
  )
}
