import { expect } from 'vitest'
import { makeServer, type World } from '../world.ts'

/** A website from its template; a visitor opens it. */
export async function containerServer({ admin, panel, desk }: World): Promise<void> {
  await admin.page.goto(`${panel}/setup/server`)
  await makeServer(admin.page, /Static website/, 'Under the hill')
  const { hostname } = new URL(panel)
  const shown = admin.page.getByText(new RegExp(`^${hostname}:\\d+$`)).first()
  const visitor = await desk.person()
  await visitor.goto(`http://${await shown.textContent()}/`)
  expect(await visitor.locator('body').textContent()).toContain('It works')
  await visitor.close()
}
