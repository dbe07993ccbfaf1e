import { button, field, heading, type World } from '../world.ts'

/** Creates the first administrator, at the address that the banner prints for other machines. */
export async function setUp({ admin: { page, email, password }, panel }: World): Promise<void> {
  await page.goto(panel)
  await heading(page, 'Set up Lodge').waitFor()
  await field(page, 'E-mail').fill(email)
  await field(page, 'Password').fill(password)
  await button(page, 'Create administrator').click()
  const next = page.getByRole('link', { name: 'Create first server' })
  await next.and(page.locator(':not([aria-disabled])')).waitFor()
}
