import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { markWhole, removeNote, writeNote } from '@lodge/driver/storage/note.ts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type DataRecord, readData, readOwnData, writeData } from './data.ts'
import { machinePaths, noteIn } from './layout.ts'

const RECORD: DataRecord = {
  ...{ generation: 1, run: 1, fingerprint: 'one', uuid: 'b5c0ee1d-8a5b-4b8e-8f0c-0c8b5d8a0a01' },
  ...{ disks: ['system'], firmware: true, unfinished: null },
}

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'lodge-data-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

test('a copy on the disk of the node starts although a restore on the shared storage was not finished', async () => {
  const paths = () => machinePaths(path.join(folder, 'node'), 'one')
  await writeData(paths(), RECORD)
  const note = noteIn(paths().folder)
  await writeNote(note, { id: 'shared', home: path.join(folder, 'shared/one') })
  await markWhole(paths().folder)
  await writeData(paths(), RECORD)
  await writeData(paths(), { ...RECORD, generation: 2, firmware: false, unfinished: 'restore' })
  expect(await readData(paths())).toMatchObject({ firmware: false, unfinished: 'restore' })
  await removeNote(note)
  expect(await readData(paths())).toEqual({ ...RECORD, generation: 2 })
})

test('an installation on a shared storage that ends is over in the record of the node, too', async () => {
  const paths = () => machinePaths(path.join(folder, 'node'), 'one')
  const home = path.join(folder, 'shared/one')
  await writeNote(noteIn(paths().folder), { id: 'shared', home })
  await writeData(paths(), { ...RECORD, unfinished: 'install' })
  expect(await readData(paths())).toMatchObject({ unfinished: 'install' })
  await writeData(paths(), RECORD)
  expect(await readOwnData(paths())).toEqual(RECORD)
})
