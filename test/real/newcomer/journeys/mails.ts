import { button, field, heading, signIn, type World } from '../world.ts'

/**
 * A forgotten password, and a change of address that is reverted, each through the link of its mail.
 */
export async function mails({ customer, panel, desk }: World): Promise<void> {
  const { page, email } = customer
  await page.context().clearCookies()
  await page.goto(`${panel}/login`)
  await page.getByRole('link', { name: 'Forgot your password?' }).click()
  await heading(page, 'Forgot your password?').waitFor()
  await field(page, 'E-mail').fill(email)
  await button(page, 'Send link').click()
  await page.goto(await desk.linkMailedTo(email, /^Choose a new password$/))
  customer.password = 'a bright morning at the sea'
  await field(page, 'Password').fill(customer.password)
  await button(page, 'Set password').click()
  await heading(page, 'Servers').waitFor()

  await page.goto(`${panel}/account`)
  customer.email = 'new-customer@example.com'
  await field(page, 'New e-mail').fill(customer.email)
  await field(page, 'Your password').fill(customer.password)
  await button(page, 'Change address').click()
  await page.goto(await desk.linkMailedTo(customer.email, /^Confirm your new address$/))
  await button(page, 'Use this address').click()
  await heading(page, 'Address changed').waitFor()
  await page.context().clearCookies()
  await signIn(panel, customer)
  await heading(page, 'Servers').waitFor()

  await page.goto(await desk.linkMailedTo(email, /^Your address was changed$/))
  customer.email = email
  customer.password = 'a late walk in the woods'
  await field(page, 'New password').fill(customer.password)
  await button(page, 'Restore address').click()
  await heading(page, 'Sign in to Lodge').waitFor()
  await signIn(panel, customer)
  await heading(page, 'Servers').waitFor()
}
