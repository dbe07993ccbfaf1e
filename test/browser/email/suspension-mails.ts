import type { Page } from 'playwright-core'
import type { Caller } from '../../support/caller.ts'
import type { Lodge } from '../../support/stack.ts'

interface Following {
  readonly lodge: Lodge
  readonly admin: Caller
  readonly page: Page
  be(person: Caller): Promise<void>
  follow(to: string, template: string): Promise<void>
}

/** Follows the links of the mails about a suspension, by the kind of mail. */
export function suspensionMails(following: () => Following) {
  /** A suspended customer, whom the browser shows. */
  async function suspendedPerson(): Promise<Caller> {
    const { lodge, admin, be } = following()
    const customer = await lodge.customer()
    await admin.must('POST /api/customers/{id}/suspend', {
      params: { id: customer.id },
      body: { reasonCode: 'abuse' },
    })
    await be(customer)
    return customer
  }
  const heading = (name: string) => following().page.getByRole('heading', { level: 1, name })
  return {
    account_suspended: async () => {
      const { email } = await suspendedPerson()
      await following().follow(email, 'account_suspended')
      await heading('Your account is suspended').waitFor()
    },
    account_unsuspended: async () => {
      const { id, email } = await suspendedPerson()
      const { admin, follow } = following()
      const params = { id }
      await admin.must('DELETE /api/customers/{id}/suspension', { params, query: {} })
      await follow(email, 'account_unsuspended')
      await heading('Servers').waitFor()
    },
    appeal_reply: async () => {
      const customer = await suspendedPerson()
      const { admin, page, follow } = following()
      const message = 'I removed what caused the attack'
      await customer.must('POST /api/suspension/appeal', { body: { message } })
      await admin.must('POST /api/customers/{id}/suspension/reply', {
        params: { id: customer.id },
        body: { message: 'Thank you' },
      })
      await follow(customer.email, 'appeal_reply')
      await page.getByText('Thank you').waitFor()
    },
  }
}
