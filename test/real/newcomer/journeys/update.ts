import { expect } from 'vitest'
import { CLONE, heading, npmStart, type World } from '../world.ts'

/** Replaces an earlier version by this one; every account still exists. */
export async function update(world: World): Promise<void> {
  const { admin, machine } = world
  await world.npm.interrupt()
  const { code, said } = await machine.shell('git checkout --quiet -', CLONE)
  expect(code, said).toBe(0)
  await npmStart(world)
  await admin.page.goto(`${world.panel}/admin`)
  await heading(admin.page, 'Overview').waitFor()
}
