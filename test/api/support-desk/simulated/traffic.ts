import { randomUUID } from 'node:crypto'
import type { TicketPriority, TicketStatus } from '@lodge/shared/support/ticket-words.ts'
import { anyOf, chance, drawn } from '../../../../drivers/contract/src/suite/chance.ts'
import type { Arguments, Caller } from '../../../support/caller.ts'
import { DESK, type Desk, MINUTE_MS } from './desk.ts'

/**
 * How often something that was sent must be stored: `maybe` where the response was lost together with
 * the control plane.
 */
export type Fate = 'once' | 'never' | 'maybe'

export interface Said {
  readonly mark: string
  readonly by: 'agent' | 'customer'
  readonly isNote: boolean
  fate: Fate
  /** Undefined for a mail that opens a ticket. */
  readonly ticketId: string | undefined
}

export interface Known {
  readonly id: string
  readonly customer: Caller
  readonly subject: string
}

type Changing =
  | 'POST /api/support/tickets'
  | 'POST /api/support/tickets/{id}/messages'
  | 'PATCH /api/support/tickets/{id}'
  | 'POST /api/support/tickets/{id}/reopen'
  | 'POST /api/support/tickets/bulk'

const STATUSES: readonly TicketStatus[] = ['open', 'pending', 'on_hold', 'solved', 'closed']
const PRIORITIES: readonly TicketPriority[] = ['low', 'normal', 'high', 'urgent']

/** The actions of people at a desk, and what has to be stored afterwards. */
export class Traffic {
  readonly said: Said[] = []
  readonly tickets: Known[] = []
  /** By endpoint: accepted changes, and those whose response was lost. */
  readonly accepted = new Map<string, number>()
  readonly lost = new Map<string, number>()
  /** Responses that no rule explains. */
  readonly faults: string[] = []
  refused = 0
  /** The number of pairs of agents of whom one came too late. */
  duels = 0
  readonly #desk: Desk
  #count = 0

  constructor(desk: Desk) {
    this.#desk = desk
  }

  /** Opens a ticket, a tenth of them by mail, sent twice by a careful mail server. */
  async open(): Promise<void> {
    const customer = anyOf(this.#desk.customers)
    const subject = `${anyOf(['My disk is full', 'It lags', 'Invoice'])} #${++this.#count}#`
    if (chance() < 0.1) {
      await this.#mail(customer, undefined, { to: [DESK], subject })
      return
    }
    const mark = this.#mark()
    const answer = await this.#call(customer, 'POST /api/support/tickets', {
      body: { subject, bodyMarkdown: mark, priority: anyOf(PRIORITIES) },
    })
    const ticketId = answer.body?.id
    this.#note({ mark, by: 'customer', ticketId }, answer.fate)
    if (ticketId !== undefined) this.tickets.push({ id: ticketId, customer, subject })
  }

  /** Does something with one of the tickets. */
  async work(): Promise<void> {
    const ticket = anyOf(this.tickets)
    if (!ticket) return
    const deeds = [
      () => this.#answer(ticket),
      () => this.#answer(ticket),
      () => this.#reply(ticket),
      () => this.#reply(ticket),
      () => this.#replyByMail(ticket),
      () => this.#storm(ticket),
      () => this.#answer(ticket, 'note'),
      () => this.#change(ticket, { status: anyOf(STATUSES) }),
      () => this.#change(ticket, { priority: anyOf(PRIORITIES) }),
      () => this.#snooze(ticket),
      () => this.#duel(ticket),
      () => this.#merge(ticket),
      () => this.#solveOrReopen(ticket),
      () => this.#assignMany(ticket),
    ]
    await anyOf(deeds)()
  }

  /** Everybody concurrently: only the order decides the ticket's final state. */
  async #storm(ticket: Known): Promise<void> {
    await Promise.all([
      this.#answer(ticket),
      this.#reply(ticket),
      this.#answer(ticket, 'reply', 'on_hold'),
      this.#change(ticket, { status: anyOf(['open', 'pending', 'on_hold'] as const) }),
      this.#reply(ticket),
      this.#assignMany(ticket),
    ])
  }

  async #answer(
    ticket: Known,
    kind: 'reply' | 'note' = 'reply',
    status?: TicketStatus,
  ): Promise<void> {
    const mark = this.#mark()
    const { body, fate } = await this.#call(
      anyOf(this.#desk.agents),
      'POST /api/support/tickets/{id}/messages',
      {
        params: { id: ticket.id },
        body: { kind, bodyMarkdown: mark, ...(status !== undefined && { status }) },
      },
    )
    const ticketId = body?.ticketId ?? ticket.id
    this.#note({ mark, by: 'agent', ticketId, isNote: kind === 'note' }, fate)
  }

  async #reply({ id, customer }: Known): Promise<void> {
    const mark = this.#mark()
    const { body, fate } = await this.#call(customer, 'POST /api/support/tickets/{id}/messages', {
      params: { id },
      body: { bodyMarkdown: mark },
    })
    this.#note({ mark, by: 'customer', ticketId: body?.ticketId ?? id }, fate)
  }

  /** Replies to the newest mail about the ticket, if the desk has sent one. */
  async #replyByMail({ id, customer, subject }: Known): Promise<void> {
    const theirs = this.#desk.sink.mails.filter(({ to }) => to === customer.email)
    const mail = theirs.findLast(({ raw }) => raw.includes(subject))
    const to = mail && /^Reply-To:\s*<?([^\s<>]+@[^\s<>]+)>?/im.exec(mail.raw)?.[1]
    if (to !== undefined) await this.#mail(customer, id, { to: [to], subject: `Re: ${subject}` })
  }

  /** Sends a mail until a control plane accepts it, and then through a second server as well. */
  async #mail(customer: Caller, ticketId: string | undefined, given: object): Promise<void> {
    const mark = this.#mark()
    const mail = {
      ...{ messageId: `<${randomUUID()}@mail.example.org>`, from: customer.email, text: mark },
      ...{ auth: { dmarc: 'pass' }, ...given },
    }
    let result = await this.#deliver(mail)
    for (let tries = 0; !/^[a-z]/.test(result) && tries < 20; tries++) {
      await new Promise((resolve) => setTimeout(resolve, 50))
      result = await this.#deliver(mail)
    }
    const fate = ({ accepted: 'once', held: 'once', ignored: 'never' } as const)[result]
    // The first delivery arrived although its response did not.
    this.#note({ mark, by: 'customer', ticketId }, fate ?? 'maybe')
    if (fate === undefined && result !== 'duplicate') this.faults.push(`a mail was ${result}`)
    if (chance() < 0.3 && fate !== undefined) {
      const again = await this.#deliver(mail)
      if (/^[a-z]/.test(again) && again !== 'duplicate') this.faults.push(`a mail came ${again}`)
    }
  }

  #deliver(mail: object): Promise<string> {
    return this.#desk.deliver(mail).catch(() => '0')
  }

  async #versionOf(id: string): Promise<number> {
    const [row] = await this.#desk.sql<{ version: number }>(
      'select version from support_tickets where id = $1',
      id,
    )
    return row?.version ?? 0
  }

  async #change(
    { id }: Known,
    change: Omit<Arguments<'PATCH /api/support/tickets/{id}'>[0]['body'], 'version'>,
    version?: number,
  ): Promise<number> {
    const { status } = await this.#call(
      anyOf(this.#desk.agents),
      'PATCH /api/support/tickets/{id}',
      {
        params: { id },
        body: { version: version ?? (await this.#versionOf(id)), ...change },
      },
    )
    return status
  }

  async #snooze(ticket: Known): Promise<void> {
    const until = new Date(Date.now() + drawn(2, 20) * MINUTE_MS)
    await this.#change(ticket, { snoozedUntil: until.toISOString() })
  }

  /** Two agents change what both have read: at most one of them succeeds. */
  async #duel(ticket: Known): Promise<void> {
    const version = await this.#versionOf(ticket.id)
    const [one, two] = await Promise.all([
      this.#change(ticket, { subject: `${ticket.subject}.` }, version),
      this.#change(ticket, { subject: `${ticket.subject}!` }, version),
    ])
    if (one === 409 || two === 409) this.duels++
    if (one === 200 && two === 200) this.faults.push(`both changed version ${version}`)
  }

  async #merge(ticket: Known): Promise<void> {
    const other = this.tickets.find(
      ({ id, customer }) => id !== ticket.id && customer.id === ticket.customer.id,
    )
    if (other) await this.#change(ticket, { mergeInto: other.id })
  }

  async #solveOrReopen({ id, customer }: Known): Promise<void> {
    const [row] = await this.#desk.sql<{ status: TicketStatus; version: number }>(
      'select status, public_version as version from support_tickets where id = $1',
      id,
    )
    if (!row) return
    const params = { id }
    if (row.status === 'solved' || row.status === 'closed')
      await this.#call(customer, 'POST /api/support/tickets/{id}/reopen', { params })
    else
      await this.#call(customer, 'PATCH /api/support/tickets/{id}', {
        ...{ params, body: { version: row.version, status: 'solved' } },
      })
  }

  async #assignMany({ id }: Known): Promise<void> {
    const { agents } = this.#desk
    await this.#call(anyOf(agents), 'POST /api/support/tickets/bulk', {
      body: { ids: [...new Set([id, anyOf(this.tickets).id])], assigneeId: anyOf(agents).id },
    })
  }

  #mark(): string {
    return `mark-${++this.#count}-end`
  }

  #note(given: Omit<Said, 'fate' | 'isNote'> & { isNote?: boolean }, fate: Fate): void {
    this.said.push({ isNote: false, ...given, fate })
  }

  async #call<K extends Changing>(by: Caller, endpoint: K, ...given: Arguments<K>) {
    const count = (counts: Map<string, number>) =>
      counts.set(endpoint, (counts.get(endpoint) ?? 0) + 1)
    const answer = await this.#desk
      .as(by)
      .call(endpoint, ...given)
      .catch(() => undefined)
    if (!answer || answer.status >= 500) {
      count(this.lost)
      // A running control plane has no reason for that.
      if (answer?.status === 500) this.faults.push(`${endpoint}: ${JSON.stringify(answer.body)}`)
      return { status: 0, fate: 'maybe' as const, body: undefined }
    }
    if (answer.status >= 300) {
      this.refused++
      if (![409, 429].includes(answer.status))
        this.faults.push(`${endpoint}: ${answer.status} ${JSON.stringify(answer.body)}`)
      return { status: answer.status, fate: 'never' as const, body: undefined }
    }
    count(this.accepted)
    return { status: answer.status, fate: 'once' as const, body: answer.body }
  }
}
