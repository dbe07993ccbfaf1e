import { button, field, heading, type World } from '../world.ts'

/** A customer shares a server by mail with somebody without an account, who accepts. */
export async function share({ customer, friend, panel, desk }: World): Promise<void> {
  const { page } = customer
  await page.goto(`${panel}/servers`)
  await page.getByRole('link', { name: 'My own place' }).first().click()
  await heading(page, 'My own place').waitFor()
  await page.getByRole('link', { name: 'Sharing' }).click()
  await button(page, 'Invite somebody').first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('E-mail').fill(friend.email)
  await dialog.getByRole('switch', { name: /^Also invite somebody without an account/ }).check()
  await dialog.getByText('Viewer', { exact: true }).click()
  await dialog.getByRole('button', { name: 'Send invitation' }).click()

  await friend.page.goto(await desk.linkMailedTo(friend.email, /shares My own place with you$/))
  await field(friend.page, 'Password').fill(friend.password)
  await button(friend.page, 'Create account and accept').click()
  await heading(friend.page, 'My own place').waitFor()
}
