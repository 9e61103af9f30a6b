import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { documentSourceContract } from '@plumbline/ports/document-source.contract'
import { openSource } from './open-source'

const put = async (file: string, content: string): Promise<void> => {
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, content)
}

documentSourceContract('folder', async () => {
  const top = await mkdtemp(join(tmpdir(), 'folder-source-'))
  const path = join(top, 'documents')
  await mkdir(path)
  return {
    put: (name, content) => put(join(path, name), content),
    remove: (name) => rm(join(path, name)),
    makeFolder: async (name) => void (await mkdir(join(path, name))),
    breaks: 'within a list',
    breakDown: () => rename(path, `${path}-away`),
    mend: () => rename(`${path}-away`, path),
    open: (limits = {}) => openSource({ kind: 'folder', path }, { folders: [top], limits }),
    close: () => rm(top, { recursive: true }),
  }
})
