import { join } from 'node:path'
import { BinList } from '@lodge/shared/deleted-files.ts'
import { expect, test } from 'vitest'
import { Journal } from '../journal/journal.ts'
import { createLog } from '../log.ts'
import { Bins } from './bins.ts'
import { FileFixture, SERVER } from './testing/file-fixture.ts'

const MIB = 1024 * 1024

test('bins are swept when it is time, after a restart too, and when a server fills its disk', async () => {
  const files = await FileFixture.open()
  files.facts = { limitBytes: 100 * MIB, usedBytes: 0 }
  const journal = new Journal({
    file: join(files.folder, 'journal.db'),
    nowMs: Date.now,
    setAside: () => {},
  })
  const clock = { now: Date.now(), nowMs: () => clock.now, after: () => () => {} }
  let connections = 0
  const make = () =>
    new Bins({
      ...{ journal, clock, log: createLog('silent') },
      filesOf: () => ({ open: () => files.opened(), onRelease: () => {} }),
      connect(serverId) {
        connections += 1
        return files.helpers.connect(serverId)
      },
    })
  const first = make()
  files.binChanged = (state) => first.changed(SERVER, state)
  await first.sweepDue()
  expect(connections).toBe(0)
  const remove = async (path: string) => {
    await files.put(path, Buffer.alloc(MIB, path))
    const body = { paths: [path], by: null, days: 7, otherwise: 'refuse' }
    await files.ask('POST', '/v1/bin', { body: JSON.stringify(body) })
  }
  const inBin = async () =>
    BinList.parse((await files.ask('GET', '/v1/bin')).json).items.map(({ path }) => path)
  await remove('/one')
  await expect.poll(() => journal.setting('bins')).toContain(SERVER)
  await first.sweepDue()
  expect([connections, await inBin()]).toEqual([0, ['/one']])
  const second = make()
  files.binChanged = (state) => second.changed(SERVER, state)
  clock.now += 8 * 86_400_000
  await second.sweepDue()
  expect(connections).toBe(1)
  clock.now = Date.now()
  // The server itself wrote until hardly anything was left.
  files.facts = { limitBytes: 100 * MIB, usedBytes: 96 * MIB }
  await files.killHelper()
  await second.sweepDue()
  expect([connections, await inBin()]).toEqual([2, []])
  await expect.poll(() => journal.setting('bins')).toBe('{}')
  await second.sweepDue()
  expect(connections).toBe(2)
  await files.close()
  journal.close()
})
