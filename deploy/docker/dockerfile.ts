import { cpSync, existsSync, mkdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'

type Instruction = { word: string; rest: string }
export type BuildStage = { name: string; from: string; instructions: Instruction[] }

export const parseDockerfile = (text: string): { args: Record<string, string>; stages: BuildStage[] } => {
  const lines = text
    .replaceAll(/\\\n/g, ' ')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line && !line.startsWith('#'))
  const args: Record<string, string> = {}
  const stages: BuildStage[] = []
  for (const line of lines) {
    const [word = '', ...words] = line.split(/\s+/)
    const rest = line.slice(word.length).trim()
    const stage = stages.at(-1)
    if (word === 'FROM') stages.push({ from: words[0] ?? '', name: words[2] ?? `${stages.length}`, instructions: [] })
    else if (stage) stage.instructions.push({ word, rest })
    else if (word === 'ARG') args[words[0]?.split('=')[0] ?? ''] = words[0]?.split('=')[1] ?? ''
    else throw new Error(`${word} comes before the first FROM`)
  }
  return { args, stages }
}

const fill = (text: string, values: Record<string, string>): string =>
  text.replaceAll(/\$\{(\w+)\}/g, (_, name: string) => values[name] ?? '')

/** Runs the COPY and RUN instructions of a build stage. A separate folder serves as the root folder of the image. */
export const runStage = async (
  stage: BuildStage,
  where: {
    context: string
    folderOf: (stage: string) => string
    values: Record<string, string>
    run: (command: string, cwd: string) => Promise<void>
  },
): Promise<void> => {
  const root = where.folderOf(stage.name)
  let cwd = root
  mkdirSync(root, { recursive: true })
  for (const { word, rest } of stage.instructions) {
    if (word === 'WORKDIR') mkdirSync((cwd = join(root, rest)), { recursive: true })
    if (word === 'RUN') await where.run(fill(rest, where.values), cwd)
    if (word !== 'COPY') continue
    const parts = fill(rest, where.values)
      .split(/\s+/)
      .filter((part) => !part.startsWith('--chown='))
    const from = parts[0]?.startsWith('--from=')
      ? join(where.folderOf(parts.shift()?.slice(7) ?? ''), '/')
      : where.context
    const to = parts.pop() ?? '.'
    for (const part of parts) {
      const source = join(from, part)
      if (!existsSync(source)) throw new Error(`COPY ${part}: not there`)
      const folder = to.startsWith('/') ? root : cwd
      // If the source is a folder, COPY copies the files in it, not the folder itself.
      const isFile = statSync(source).isFile()
      const target = isFile && (parts.length > 1 || to.endsWith('/')) ? join(folder, to, part) : join(folder, to)
      mkdirSync(dirname(target), { recursive: true })
      cpSync(source, target, { recursive: true })
    }
  }
}
