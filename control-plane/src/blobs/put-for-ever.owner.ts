import { randomBytes } from 'node:crypto'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pino } from 'pino'
import { openDatabase, openPool } from '../db/database.ts'
import { openBlobs } from './blobs.ts'
import { localFolder } from './local-folder.ts'

// Puts blobs into the given folder and waits to be killed.
const [, , url = '', folder = ''] = process.argv
const pool = openPool({ connectionString: url }, { max: 2, log: pino({ level: 'silent' }) })
const blobs = openBlobs({
  db: openDatabase(pool),
  backend: localFolder(folder),
  arriving: path.join(folder, 'arriving'),
  limitBytes: 2 ** 40,
})
for (;;) {
  const pieces = Array.from({ length: 8 }, () => randomBytes(40_000))
  await blobs.put(Readable.from(pieces), { maxBytes: 2 ** 30 })
  process.send?.({ put: true })
}
