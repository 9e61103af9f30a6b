import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { passageIndexContract } from '@plumbline/ports/passage-index/passage-index.contract'
import { afterAll } from 'vitest'
import { openSqlitePassageIndex } from './sqlite-passage-index'

const folder = await mkdtemp(join(tmpdir(), 'plumbline-sqlite-'))
afterAll(() => rm(folder, { recursive: true }))

passageIndexContract('sqlite', () => openSqlitePassageIndex({ file: join(folder, 'contract.sqlite') }))
