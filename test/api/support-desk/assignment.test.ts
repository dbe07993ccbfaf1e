import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Caller } from '../../support/caller.ts'
import { type Lodge, startLodge } from '../../support/stack.ts'

let lodge: Lodge
let chief: Caller
let customer: Caller
const members: string[] = []

beforeAll(async () => {
  lodge = await startLodge()
  chief = await lodge.limitedAdmin([
    'support.view',
    'support.reply',
    'support.settings',
    'support.assign',
  ])
  customer = await lodge.customer()
  for (let made = 0; made < 2; made += 1) {
    const member = await lodge.limitedAdmin(['support.view', 'support.reply'])
    members.push(member.id)
  }
})
afterAll(() => lodge?.[Symbol.asyncDispose]())

/** Opens a ticket in a category of a group; the ticket as its agents see it. */
async function opened(categoryId: string) {
  const { id } = await customer.must('POST /api/support/tickets', {
    body: { subject: 'A question', bodyMarkdown: 'How?', categoryId },
  })
  return chief.must('GET /api/support/tickets/{id}', { params: { id } })
}

test.for([
  { assignment: 'round_robin', given: [0, 1, 0, 1] },
  { assignment: 'least_open', given: [0, 1, 1, 0] },
  { assignment: 'manual', given: [null, null] },
] as const)('a group gives its tickets to members: $assignment', async ({ assignment, given }) => {
  const { id: groupId } = await chief.must('POST /api/support/groups', {
    body: { name: `By ${assignment}`, memberIds: members, assignment },
  })
  const { id: categoryId } = await chief.must('POST /api/support/categories', {
    body: { name: `Of ${assignment}`, groupId },
  })
  const turns: (string | null)[] = []
  for (const [index] of given.entries()) {
    const ticket = await opened(categoryId)
    const assigneeId = ticket.staff?.assignee?.id ?? null
    expect(ticket.status).toBe(assigneeId === null ? 'new' : 'open')
    turns.push(assigneeId)
    // The agent with the second one solves it, and then has the fewest.
    if (assignment === 'least_open' && index === 1)
      await chief.must('PATCH /api/support/tickets/{id}', {
        params: { id: ticket.id },
        body: { status: 'solved', version: ticket.version },
      })
  }
  const [first] = turns
  const order = [first, members.find((member) => member !== first)]
  expect(turns).toEqual(given.map((turn) => (turn === null ? null : order[turn])))
})
