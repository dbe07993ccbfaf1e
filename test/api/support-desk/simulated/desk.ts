import { createHmac, randomUUID } from 'node:crypto'
import type { WriteRule } from '@lodge/shared/support/rules/rule.ts'
import { anyOf } from '../../../../drivers/contract/src/suite/chance.ts'
import { Caller } from '../../../support/caller.ts'
import { SmtpSink } from '../../../support/smtp-sink.ts'
import { type Lodge, startLodge } from '../../../support/stack.ts'
import { until } from '../../../support/until.ts'

export const DESK = 'support@desk.example.com'
export const MINUTE_MS = 60_000

const GOALS = {
  low: { firstResponseMin: 30, nextResponseMin: 25, resolutionMin: 58 },
  normal: { firstResponseMin: 20, nextResponseMin: 15, resolutionMin: 45 },
  high: { firstResponseMin: 14, nextResponseMin: 12, resolutionMin: 35 },
  urgent: { firstResponseMin: 9, nextResponseMin: 8, resolutionMin: 25 },
}
const DAY: [string, string][] = [['00:00', '24:00']]
const WEEK = { mon: DAY, tue: DAY, wed: DAY, thu: DAY, fri: DAY, sat: DAY, sun: DAY }

const always = { all: [], any: [] }
const rule = (name: string, given: Pick<WriteRule, 'on' | 'actions'> & { when?: object }) => ({
  ...{ name, when: always },
  ...given,
})
export const RULES = {
  disk: 'Disks are urgent',
  near: 'Near',
  late: 'Late',
} as const

/**
 * A desk with two control planes, one of which may be stopped, on one database, and its mail server.
 */
export class Desk implements AsyncDisposable {
  readonly sink: SmtpSink
  readonly first: Lodge
  readonly lead: Caller
  readonly agents: Caller[] = []
  readonly customers: Caller[] = []
  #second: Lodge | undefined
  readonly #secret: string

  private constructor(given: { sink: SmtpSink; first: Lodge; lead: Caller; secret: string }) {
    this.sink = given.sink
    this.first = given.first
    this.lead = given.lead
    this.#secret = given.secret
  }

  static async open(people: { agents: number; customers: number }): Promise<Desk> {
    const sink = await new SmtpSink().listen()
    const first = await startLodge()
    const admin = await first.admin()
    await admin.must('PUT /api/settings/mail', { body: { ...sink.settings, password: null } })
    const lead = await first.limitedAdmin([
      ...(['support.view', 'support.reply', 'support.assign', 'support.settings'] as const),
    ])
    const { secret } = await lead.must('POST /api/support/inbound/secret')
    const desk = new Desk({ sink, first, lead, secret })
    desk.#second = await first.beside()
    await desk.#arrange(people)
    return desk
  }

  async #arrange({ agents, customers }: { agents: number; customers: number }): Promise<void> {
    const { lead, first } = this
    await lead.must('PUT /api/support/inbound/settings', {
      body: { enabled: true, address: DESK },
    })
    const { items } = await lead.must('GET /api/support/tiers')
    const id = items.find(({ isDefault }) => isDefault)?.id ?? ''
    await lead.must('PUT /api/support/tiers/{id}', {
      params: { id },
      body: { name: 'Standard', isDefault: true, calendar: 'business', goals: GOALS },
    })
    await this.setTimeZone('Europe/Berlin')
    for (let at = 0; at < agents; at++)
      this.agents.push(
        await first.limitedAdmin(['support.view', 'support.reply', 'support.assign']),
      )
    for (let at = 0; at < customers; at++) this.customers.push(await first.customer())
    for (const body of [
      rule(RULES.disk, {
        on: 'ticket.created',
        when: { all: [{ field: 'subject', op: 'contains', value: 'disk' }], any: [] },
        actions: [
          { type: 'add_tags', tags: ['disk'] },
          { type: 'note', text: 'Look at the disk first' },
        ],
      }),
      rule(RULES.near, { on: 'sla.warning', actions: [{ type: 'add_tags', tags: ['near'] }] }),
      rule(RULES.late, { on: 'sla.breached', actions: [{ type: 'add_tags', tags: ['late'] }] }),
    ])
      await lead.must('POST /api/support/rules', { body: body as never })
  }

  /** The business hours are the same in every time zone: always. */
  async setTimeZone(timeZone: string): Promise<void> {
    const body = { timeZone, week: WEEK, holidays: [] }
    await this.lead.must('PUT /api/support/hours', { body })
  }

  sql<Row extends object>(text: string, ...values: unknown[]): Promise<Row[]> {
    return this.first.database.pool.query<Row>(text, values).then(({ rows }) => rows)
  }

  #plane(): Lodge {
    return anyOf(this.#second ? [this.first, this.#second] : [this.first])
  }

  /** A person's calls to whichever control plane is running. */
  as({ cookie, address, id, email }: Caller): Caller {
    const { controlPlane, origin } = this.#plane()
    const session = { origin, address, ...(cookie !== undefined && { cookie }) }
    return new Caller(controlPlane.app, session).named(id, email)
  }

  /** Sends a request as a bridge does. @returns the result for the mail */
  async deliver(mail: object): Promise<string> {
    const content = Buffer.from(JSON.stringify(mail))
    const id = randomUUID()
    const at = Math.floor(Date.now() / 1000)
    const signature = createHmac('sha256', Buffer.from(this.#secret.slice(6), 'base64'))
      .update(`${id}.${at}.`)
      .update(content)
      .digest('base64')
    const { statusCode, body } = await this.#plane()
      .anonymous()
      .send({
        ...{ method: 'POST', url: '/api/support/inbound', payload: content },
        headers: {
          'content-type': 'application/json',
          'webhook-id': id,
          'webhook-timestamp': String(at),
          'webhook-signature': `v1,${signature}`,
        },
      })
    return statusCode === 200 ? (JSON.parse(body) as { result: string }).result : `${statusCode}`
  }

  /** The second control plane ends while requests are in flight, and another one starts. */
  async replaceSecond(): Promise<void> {
    const second = this.#second
    this.#second = undefined
    await second?.[Symbol.asyncDispose]()
    this.#second = await this.first.beside()
  }

  /** Waits until nothing of the desk is due and no mail waits. */
  async settle(): Promise<void> {
    await until(async () => {
      const [left] = await this.sql<{ due: number; mails: number }>(
        `select (select count(*) from support_watches where due_at <= now())::int
           + (select count(*) from support_tickets where snoozed_until <= now())::int as due,
           (select count(*) from email_messages where state = 'queued')::int as mails`,
      )
      return left?.due === 0 && left.mails === 0
    }, 120_000)
  }

  /** Moves everything that has happened so far this many minutes into the past. */
  async passTime(minutes: number): Promise<void> {
    const columns = await this.sql<{ table: string; columns: string[] }>(
      `select c.table_name as table, array_agg(c.column_name::text) as columns
       from information_schema.columns c join information_schema.tables t using (table_name)
       where c.table_schema = 'public' and t.table_type = 'BASE TABLE' and c.is_generated = 'NEVER'
         and c.table_name like 'support\\_%' and c.data_type = 'timestamp with time zone'
       group by c.table_name order by c.table_name`,
    )
    const client = await this.first.database.pool.connect()
    try {
      await client.query('begin')
      await client.query('lock table support_tickets in access exclusive mode')
      for (const { table, columns: names } of columns) {
        const set = names.map((name) => `${name} = ${name} - $1 * interval '1 minute'`)
        await client.query(`update ${table} set ${set.join(', ')}`, [minutes])
      }
      await client.query('truncate rate_limits')
      await client.query('commit')
    } finally {
      client.release()
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#second?.[Symbol.asyncDispose]()
    await this.first[Symbol.asyncDispose]()
    await this.sink[Symbol.asyncDispose]()
  }
}
