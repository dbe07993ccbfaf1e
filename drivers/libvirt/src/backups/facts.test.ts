import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readFacts } from './facts.ts'

test('only a backup that lacks its facts counts as damaged, not a fault of the node that reads them', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'lodge-facts-'))
  const place = join(folder, 'machine.json')
  const damaged = { code: 'copy_damaged' }
  await expect(readFacts(folder)).rejects.toMatchObject(damaged)
  await writeFile(place, '{"version": 1, "uu')
  await expect(readFacts(folder)).rejects.toMatchObject(damaged)
  // Of an agent that is newer than this one.
  await writeFile(place, JSON.stringify({ version: 2 }))
  await expect(readFacts(folder)).rejects.toMatchObject({ code: 'unsupported' })
  await rm(place)
  // Nothing is mapped at its beginning.
  await symlink('/proc/self/mem', place)
  await expect(readFacts(folder)).rejects.toMatchObject({ code: 'EIO' })
  await rm(folder, { recursive: true })
})
