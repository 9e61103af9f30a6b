import { styleText } from 'node:util'
import { clean } from '@plumbline/contracts'
import { AppError } from '@plumbline/platform'
import { documentsOf, examine } from './doctor'
import { adoptOriginals } from './documents'
import type { Finding } from './finding'

const marks = { fault: styleText('red', 'FAULT  '), warning: styleText('yellow', 'warning') }

const lines = (found: Finding[]): string[] => [
  ...found.flatMap(({ level, check, says, fix }) => [
    `${marks[level]}  ${styleText('bold', check)}  ${clean(says)}`,
    `         → ${clean(fix)}`,
  ]),
  found.length === 0 ? 'Nothing is wrong.' : `${found.length} found.`,
]

const help = `npm run doctor [-- --json | --adopt-originals]
  --json             prints the findings as JSON
  --adopt-originals  adds stored documents that are missing from the catalog, with their stored access tags
Settings are environment variables.
`

const report = async (asJson: boolean): Promise<number> => {
  const found = await examine(process.env)
  process.stdout.write(asJson ? `${JSON.stringify(found, null, 2)}\n` : `${lines(found).join('\n')}\n`)
  return found.some(({ level }) => level === 'fault') ? 1 : 0
}

const adopt = async (): Promise<number> => {
  try {
    const { store, redisUrl } = documentsOf(process.env)
    await adoptOriginals(store, redisUrl, (line) => process.stdout.write(`${clean(line)}\n`))
    return 0
  } catch (error) {
    const cause = error instanceof AppError && error.cause instanceof Error ? error.cause : error
    process.stderr.write(
      `Not all documents were added again: ${cause instanceof Error ? cause.message : String(cause)}\n`,
    )
    process.stderr.write('Run npm run doctor, fix the reported problems, and run this command again.\n')
    return 1
  }
}

const [word, ...more] = process.argv.slice(2)
if (more.length > 0 || (word !== undefined && word !== '--json' && word !== '--adopt-originals')) {
  process.stderr.write(help)
  process.exit(2)
}
process.exitCode = word === '--adopt-originals' ? await adopt() : await report(word === '--json')
