import { styleText } from 'node:util'
import { clean } from '@plumbline/contracts'
import { examine } from './doctor'
import type { Finding } from './finding'

const marks = { fault: styleText('red', 'FAULT  '), warning: styleText('yellow', 'warning') }

const lines = (found: Finding[]): string[] => [
  ...found.flatMap(({ level, check, says, fix }) => [
    `${marks[level]}  ${styleText('bold', check)}  ${clean(says)}`,
    `         → ${clean(fix)}`,
  ]),
  found.length === 0 ? 'Nothing is wrong.' : `${found.length} found.`,
]

const words = process.argv.slice(2)
if (words.some((word) => word !== '--json')) {
  process.stderr.write('npm run doctor [-- --json]: it takes no other word. Settings are environment variables.\n')
  process.exit(2)
}
const found = await examine(process.env)
process.stdout.write(words.includes('--json') ? `${JSON.stringify(found, null, 2)}\n` : `${lines(found).join('\n')}\n`)
process.exitCode = found.some(({ level }) => level === 'fault') ? 1 : 0
