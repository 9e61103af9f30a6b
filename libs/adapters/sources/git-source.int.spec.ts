import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { documentSourceContract } from '@plumbline/ports/document-source.contract'
import { allowing } from '../fetching/target'
import { openSource } from './open-source'
import { createRepository, startGitServer } from './spec/git-server'

documentSourceContract('git', async () => {
  const server = await startGitServer()
  const { put, remove, folder } = await createRepository(server.root, 'docs')
  return {
    put,
    remove,
    makeFolder: async (path) => void (await mkdir(join(folder, path))),
    breaks: 'before a list',
    // A part of the pack, and then nothing.
    breakDown: async () =>
      server.answerInstead((request, response) => {
        if (request.method !== 'POST') return false
        response.writeHead(200, { 'content-type': 'application/x-git-upload-pack-result' })
        response.write('0008NAK\n', () => response.destroy())
        return true
      }),
    mend: async () => server.answerInstead(() => false),
    open: (limits = {}) =>
      openSource({ kind: 'git', url: `${server.url}/docs/.git` }, { allowed: allowing([server.host]), limits }),
    close: server.close,
  }
})
