import { expect } from 'vitest'
import type { Machine } from '../machine.ts'
import { until } from '../must.ts'
import { addressOf, heading, npmStart, openServer, type World } from '../world.ts'

/** The shared memory segments of PostgreSQL. */
const sharedMemory = async (machine: Machine): Promise<string[]> =>
  (await machine.shell('ls /dev/shm')).said.split('\n').filter((name) => name !== '')

/** The power fails; after `npm start` the servers that ran are running again, with their data. */
export async function reboot(world: World): Promise<void> {
  const { admin, machine } = world
  const shared = await sharedMemory(machine)
  expect(shared).not.toEqual([])
  await machine.reboot()
  expect(await sharedMemory(machine)).toEqual([])
  await npmStart(world)
  await admin.page.goto(`${world.panel}/servers`)
  await heading(admin.page, 'Servers').waitFor()
  for (const name of ['Under the hill', 'My own place'])
    await admin.page.getByRole('row', { name }).getByText('Running', { exact: true }).waitFor()
  await openServer(admin.page, world.panel, 'Under the hill')
  const place = await addressOf(admin.page, world.panel)
  const visitor = await world.desk.person()
  await until(() => visitor.goto(`http://${place}/`).catch(() => undefined))
  expect(await visitor.locator('body').textContent()).toContain('It works')
  await visitor.close()
}
