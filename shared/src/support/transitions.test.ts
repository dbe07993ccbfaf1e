import { describe, expect, test } from 'vitest'
import { TICKET_STATUSES, type TicketStatus } from './ticket-words.ts'
import {
  AGENT_MOVES,
  afterAgentReply,
  afterAssignment,
  afterCustomerReply,
  mayRate,
  mayReopen,
} from './transitions.ts'

const NOW = new Date('2026-11-26T12:00:00Z')
const daysAgo = (days: number) => new Date(NOW.getTime() - days * 86_400_000)
const DESK = { reopenDays: 7 }

const at = (status: TicketStatus, days = 0) => ({
  status,
  solvedAt: status === 'solved' || status === 'closed' ? daysAgo(days) : null,
  closedAt: status === 'closed' ? daysAgo(days) : null,
})

/** The whole table, by what a ticket is: what each event makes of it; null where it is refused. */
const TABLE = {
  new: { reply: 'new', answer: 'pending', assign: 'open', agent: 'open pending on_hold solved' },
  open: { reply: 'open', answer: 'pending', assign: 'open', agent: 'pending on_hold solved' },
  pending: { reply: 'open', answer: 'pending', assign: 'pending', agent: 'open on_hold solved' },
  on_hold: { reply: 'open', answer: 'pending', assign: 'on_hold', agent: 'open pending solved' },
  solved: { reply: 'open', answer: 'solved', assign: 'solved', agent: 'open closed' },
  closed: { reply: 'follow_up', answer: null, assign: null, agent: 'open' },
} as const

describe.each(TICKET_STATUSES)('a ticket that is %s', (status) => {
  const row = TABLE[status]

  test('moves as the table says', () => {
    expect(afterCustomerReply(at(status), DESK, NOW)).toBe(row.reply)
    expect(afterAgentReply(status)).toBe(row.answer)
    expect(afterAssignment(status)).toBe(row.assign)
    expect(AGENT_MOVES[status].join(' ')).toBe(row.agent)
  })

  test('becomes by an answer what the agent may set, and nothing else', () => {
    for (const chosen of TICKET_STATUSES) {
      const possible =
        status !== 'closed' && (chosen === status || AGENT_MOVES[status].includes(chosen))
      expect(afterAgentReply(status, chosen), chosen).toBe(possible ? chosen : null)
    }
  })

  test('is opened again by its customer for some days after its end, and by agents always', () => {
    const isOver = status === 'solved' || status === 'closed'
    for (const [days, agent, may] of [
      [7, false, isOver],
      [7.001, false, false],
      [7.001, true, isOver],
    ] as const)
      expect(mayReopen(at(status, days), agent, DESK, NOW)).toBe(may)
    expect(mayRate(at(status, 14), NOW)).toBe(isOver)
    expect(mayRate(at(status, 14.001), NOW)).toBe(false)
  })
})

test('a reply opens a solved ticket again for some days, and another ticket after them', () => {
  expect(afterCustomerReply(at('solved', 7), DESK, NOW)).toBe('open')
  expect(afterCustomerReply(at('solved', 7.001), DESK, NOW)).toBe('follow_up')
})
