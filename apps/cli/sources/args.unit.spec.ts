import { expect, it } from 'vitest'
import { readSourcesArgs } from './args'

const read = (...words: string[]) => readSourcesArgs(words, {}, null)
const added = (...words: string[]) => {
  const command = read('add', 'docs', ...words)
  return command.kind === 'sources' && command.options.do === 'add' ? command.options.source : command
}

it('takes the kind of a source from its place', () => {
  expect(added('/data/docs')).toEqual({ settings: { kind: 'folder', path: '/data/docs' } })
  expect(added('/data/docs', '--every', 'never')).toMatchObject({ schedule: { by: 'button' } })
  expect(added('s3://papers/a/b', '--set', 'region=eu-central-1', '--every', '5')).toMatchObject({
    settings: { kind: 's3', bucket: 'papers', prefix: 'a/b', region: 'eu-central-1' },
    schedule: { by: 'interval', minutes: 5 },
  })
  expect(added('https://example.org/docs/', '--cron', '0 3 * * *', '--set', 'depth=1')).toMatchObject({
    settings: { kind: 'website', depth: 1 },
    schedule: { by: 'cron', cron: '0 3 * * *' },
  })
  expect(added('https://example.org/a.git', '--access', 'hr/**=hr,board')).toMatchObject({
    settings: { kind: 'git', url: 'https://example.org/a.git' },
    access: [{ paths: 'hr/**', access: ['hr', 'board'] }],
  })
})

it.each([
  [['add', 'docs'], 'Give the location'],
  [['add', 'Docs', '/data'], 'lower-case'],
  [['add', 'docs', '/data', '--every', 'x'], 'schedule.minutes'],
  [['add', 'docs', '/data', '--every', '5', '--cron', '0 3 * * *'], 'not both'],
  [['add', 'docs', '/data', '--access', 'hr'], 'hr/**=hr'],
  [['remove', 'docs'], '--documents keep'],
  [['fetch', 'docs'], 'Its commands are list, add'],
  [['docs'], 'sources has no command "docs".'],
  [['add'], 'add <name> <folder or address>'],
  [['add', 'docs', 'https://example.org/docs', '--set', 'branch=main'], 'kind website has no setting branch. --kind'],
  [['--wrong'], 'wrong'],
])('says what is wrong with %j', (words, message) =>
  expect(read(...words)).toMatchObject({ kind: 'fault', message: expect.stringContaining(message) as string }),
)
