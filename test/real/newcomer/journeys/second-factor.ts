import { codeOf } from '../code-of.ts'
import { button, field, heading, signIn, type World } from '../world.ts'

/** Sets up an authenticator, which the next sign-in requires. */
export async function secondFactor({ admin, panel }: World): Promise<void> {
  const { page } = admin
  await page.goto(`${panel}/account/security`)
  await button(page, 'Set up').first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('img', { name: /QR code/ }).waitFor()
  admin.secret = (await dialog.getByRole('code').textContent()) ?? ''
  await dialog.getByLabel('Code', { exact: true }).fill(await codeOf(admin.secret, -30))
  await dialog.getByRole('button', { name: 'Confirm authenticator' }).click()
  await page.getByRole('dialog', { name: /recovery codes/ }).waitFor()
  await button(page, 'I saved them').click()

  await page.context().clearCookies()
  await signIn(panel, admin)
  await heading(page, 'Confirm that it’s you').waitFor()
  await field(page, 'Code').fill(await codeOf(admin.secret))
  await button(page, 'Confirm').click()
  await page.getByRole('navigation', { name: 'Main' }).waitFor()
}
