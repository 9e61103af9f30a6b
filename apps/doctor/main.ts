import { styleText } from 'node:util'
import { readWordsOrExit } from '@plumbline/commands/command.mjs'
import { doctor } from '@plumbline/commands/rows/doctor.mjs'
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
  found.length === 0 ? 'No problems found.' : `${found.length} ${found.length === 1 ? 'problem' : 'problems'} found.`,
]

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
    process.stderr.write('Run npm run plumbline -- doctor, fix the reported problems, and run this command again.\n')
    return 1
  }
}

const { values } = readWordsOrExit(doctor, process.argv.slice(2))
if (values.json && values['adopt-originals']) {
  process.stderr.write('Give --json or --adopt-originals, not both.\n')
  process.exit(2)
}
process.exitCode = values['adopt-originals'] ? await adopt() : await report(values.json)
