import { button, field, heading, type World } from '../world.ts'

/** Sets up mail and invites a customer, who follows the link in the mail and signs in. */
export async function customer({ admin, customer: invited, panel, desk }: World): Promise<void> {
  const { page } = admin
  await page.goto(`${panel}/admin/settings/mail`)
  await field(page, 'Host').fill(desk.address)
  await field(page, 'Port').fill('25')
  await page.getByText('None', { exact: true }).click()
  await field(page, 'Address').fill('lodge@example.com')
  await button(page, 'Save settings').click()
  await page.getByText('Settings saved').first().waitFor()

  await page.goto(`${panel}/admin/customers/new`)
  await field(page, 'E-mail').fill(invited.email)
  await button(page, 'Create customer').click()
  await invited.page.goto(await desk.linkMailedTo(invited.email, /^Your account at/))
  await field(invited.page, 'Password').fill(invited.password)
  await button(invited.page, 'Set password').click()
  await heading(invited.page, 'Servers').waitFor()
}
