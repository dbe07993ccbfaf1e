import { randomUUID } from 'node:crypto'
import type { Page } from 'playwright-core'
import type { Caller } from '../../support/caller.ts'
import { type Lodge, PASSWORD } from '../../support/stack.ts'
import { until } from '../../support/until.ts'

interface Following {
  readonly lodge: Lodge
  readonly admin: Caller
  readonly page: Page
  follow(to: string, template: string): Promise<void>
  signIn(email: string): Promise<void>
}

async function openSignUp(admin: Caller, mode: 'open' | 'approval'): Promise<void> {
  const { captcha, terms } = await admin.must('GET /api/settings/signup')
  const { provider, siteKey } = captcha
  await admin.must('PUT /api/settings/signup', {
    body: { mode, captcha: { provider, siteKey }, terms },
  })
}

async function signUp(
  lodge: Lodge,
  email = `new-${randomUUID().slice(0, 8)}@example.com`,
  password = PASSWORD,
): Promise<string> {
  await lodge.anonymous().must('POST /api/auth/register', { body: { email, password } })
  return email
}

/** Follows the links of the mails about sign-ups, by the kind of mail. */
export function signUpMails(following: () => Following) {
  const button = (name: string) => following().page.getByRole('button', { name })
  const heading = (name: string) =>
    following().page.getByRole('heading', { level: 1, name, exact: true })
  return {
    verify_email: async () => {
      const { lodge, admin, page, follow, signIn } = following()
      await openSignUp(admin, 'open')
      const email = await signUp(lodge)
      await follow(email, 'verify_email')
      const used = page.url()
      await button('Confirm address').click()
      await heading('Address confirmed').waitFor()
      await page.goto('about:blank')
      await page.goto(used)
      await button('Confirm address').click()
      await page.getByText('This link no longer works').waitFor()
      await page.getByRole('link', { name: 'Sign in' }).click()
      await signIn(email)
      await heading('Servers').waitFor()
      // Signed up with twice, perhaps by a stranger: the link asks for the password.
      const twice = await signUp(lodge)
      await signUp(lodge, twice, 'the password of a stranger')
      await until(async () => {
        const { rowCount } = await lodge.database.pool.query('select from signup_requests')
        return rowCount === 0
      })
      await follow(twice, 'verify_email')
      await button('Confirm address').click()
      await heading('Choose your password').waitFor()
      await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
      await button('Confirm address and set password').click()
      await heading('Address confirmed').waitFor()
      await page.getByRole('link', { name: 'Sign in' }).click()
      await signIn(twice)
      await heading('Servers').waitFor()
    },
    signup_approved: async () => {
      const { lodge, admin, follow, signIn } = following()
      await openSignUp(admin, 'approval')
      const email = await signUp(lodge)
      await follow(email, 'verify_email')
      await button('Confirm address').click()
      await heading('Address confirmed').waitFor()
      const { items } = await admin.must('GET /api/signup/pending')
      const id = items.find((item) => item.email === email)?.id ?? ''
      await admin.must('POST /api/customers/{id}/approve', { params: { id } })
      await follow(email, 'signup_approved')
      await signIn(email)
      await heading('Servers').waitFor()
    },
  }
}
