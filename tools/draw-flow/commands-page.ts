import { helpOf } from '@plumbline/commands/help.mjs'
import { commandsOf } from '@plumbline/commands/table.mjs'

const introduction = `# Commands

\`npm run plumbline -- <command>\` runs the commands for users and operators, and \`npm run lab -- <command>\` those
for developers. A few commands have a shorter name, such as \`npm run ask\`. \`--help\` after a command prints
the text that this page has for the command.

npm writes a line of its own to standard output. If a program reads the output, use \`npm run -s\`. With \`--json\`,
the commands of users print one JSON value. Errors and progress are printed on standard error. An unknown command
or option ends with exit code 2.

A command first installs missing packages, and builds Plumbline if a source file has changed. If this fails, the command
ends with exit code 1.

This page is generated from \`libs/commands\` by \`node tools/draw-flow/main.mjs\`. Do not edit it.`

const titles = { plumbline: 'Users and operators', lab: 'Developers' } as const

const section = async (program: keyof typeof titles): Promise<string[]> => [
  `## ${titles[program]}`,
  ...(await commandsOf(program)).map((command) => `### ${command.name}\n\n\`\`\`text\n${helpOf(command)}\n\`\`\``),
]

export const commandsPage = async (): Promise<string> =>
  `${[introduction, ...(await section('plumbline')), ...(await section('lab'))].join('\n\n')}\n`
