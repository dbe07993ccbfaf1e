import { randomUUID } from 'node:crypto'
import type { Page } from 'playwright-core'
import { endIdleTickets } from '../../../control-plane/src/domains/support/idle/idle.ts'
import type { Caller } from '../../support/caller.ts'
import type { Lodge } from '../../support/stack.ts'

interface Following {
  readonly lodge: Lodge
  readonly admin: Caller
  readonly page: Page
  be(person: Caller): Promise<void>
  follow(to: string, template: string): Promise<void>
}

const SUBJECT = 'The world does not load'

/** Follows the links of the mails about tickets, by the kind of mail. */
export function ticketMails(following: () => Following): Record<string, () => Promise<void>> {
  /** Somebody whom the browser shows, and the ticket that they opened. */
  async function ticket(): Promise<{ customer: Caller; id: string }> {
    const { lodge, be } = following()
    const customer = await lodge.customer()
    const { id } = await customer.must('POST /api/support/tickets', {
      body: { subject: SUBJECT, bodyMarkdown: 'Since the update.' },
    })
    await be(customer)
    return { customer, id }
  }
  async function answer(id: string, status: 'pending' | 'solved'): Promise<void> {
    await following().admin.must('POST /api/support/tickets/{id}/messages', {
      params: { id },
      body: { bodyMarkdown: 'Restore the backup.', status },
    })
  }
  /** Moves a ticket four days into the past, and runs what is due then. */
  async function later(id: string): Promise<void> {
    const { controlPlane, database } = following().lodge
    await database.pool.query(
      `update support_tickets set status_since = status_since - interval '4 days',
         last_agent_at = last_agent_at - interval '4 days', solved_at = solved_at - interval '4 days'
       where id = $1`,
      [id],
    )
    await endIdleTickets.run(controlPlane.services)
  }
  async function leads(customer: Caller, template: string): Promise<void> {
    const { page, follow } = following()
    await follow(customer.email, template)
    await page.getByRole('heading', { level: 1, name: SUBJECT }).waitFor()
  }
  return {
    ticket_created: async () => {
      const { customer } = await ticket()
      await leads(customer, 'ticket_created')
    },
    ticket_reply: async () => {
      const { customer, id } = await ticket()
      await answer(id, 'pending')
      await leads(customer, 'ticket_reply')
      await following().page.getByText('Restore the backup.').waitFor()
    },
    ticket_solved: async () => {
      const { customer, id } = await ticket()
      const { admin } = following()
      const params = { id }
      const { version } = await admin.must('GET /api/support/tickets/{id}', { params })
      const body = { version, status: 'solved' as const }
      await admin.must('PATCH /api/support/tickets/{id}', { params, body })
      await leads(customer, 'ticket_solved')
    },
    abuse_received: async () => {
      const { lodge, page, follow } = following()
      const reporterEmail = `reporter-${randomUUID().slice(0, 8)}@example.com`
      const { reference } = await lodge.anonymous().must('POST /api/support/abuse', {
        body: {
          ...{ type: 'spam', target: '203.0.113.7:25', reporterEmail, evidence: [] },
          description: 'Mails with offers come from there, hundreds of them.',
        },
      })
      await follow(reporterEmail, 'abuse_received')
      await page.getByRole('heading', { level: 1, name: 'Your report' }).waitFor()
      await page.getByText(reference).waitFor()
    },
    ticket_reminder: async () => {
      const { customer, id } = await ticket()
      await answer(id, 'pending')
      await later(id)
      await leads(customer, 'ticket_reminder')
    },
    ticket_rating: async () => {
      const { customer, id } = await ticket()
      await answer(id, 'solved')
      await later(id)
      await leads(customer, 'ticket_rating')
      await following().page.getByRole('button', { name: 'Send rating' }).waitFor()
    },
  }
}
