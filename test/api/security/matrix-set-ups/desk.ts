import { reportLinkOf } from '../../support/report-link.ts'
import type { SetUps } from './set-up.ts'

export const deskSetUps: SetUps = {
  'POST /api/support/abuse/status': async ({ ground: { lodge } }) => ({
    body: { token: await reportLinkOf(lodge) },
  }),
  'POST /api/support/abuse/additions': async ({ ground: { lodge } }) => ({
    body: { token: await reportLinkOf(lodge), text: 'It goes on.' },
  }),
  'POST /api/support/rules/try': async ({ ground: { lodge } }) => {
    const { id: ticketId } = await (await lodge.customer()).must('POST /api/support/tickets', {
      body: { subject: 'Slow', bodyMarkdown: 'How?' },
    })
    const actions = [{ type: 'add_tags', tags: ['sample'] }]
    return { body: { rule: { name: 'Sample', on: 'ticket.created', when: {}, actions }, ticketId } }
  },
  'POST /api/support/tickets/{id}/split': async ({ ground: { lodge }, params }) => {
    const { rows } = await lodge.database.pool.query<{ id: string }>(
      'select id from support_messages where ticket_id = $1 limit 1',
      [params.id],
    )
    return { body: { messageIds: rows.map(({ id }) => id), subject: 'Another one' } }
  },
  'PATCH /api/support/tickets/{id}/messages/{messageId}': async ({ ground, who, params }) => {
    await ground.lodge.database.pool.query(
      'update support_messages set author_id = $2 where id = $1',
      [params.messageId, who.caller.id],
    )
    return {}
  },
}
