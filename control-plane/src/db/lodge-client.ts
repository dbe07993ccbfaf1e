import pg from 'pg'
import { databaseFault } from './fault.ts'
import { statementNames } from './named-statements.ts'

/** A statement with its values; its result rows are discarded. */
export interface Statement {
  readonly text: string
  readonly values: readonly unknown[]
  /** Maps a database error to one the caller can act on. */
  readonly explain?: ((fault: unknown) => Error | undefined) | undefined
}

const nothing = { rows: [], fields: [], rowCount: 0, command: '', oid: 0 }
const ABORTED = '25P02'
type NameOf = ReturnType<typeof statementNames>
type Query = (config: unknown, ...rest: unknown[]) => Promise<pg.QueryResult>

/**
 * A connection that names repeated statements and saves round trips: BEGIN is sent with the
 * transaction's first statement, and statements deferred with `later` are sent with the next
 * statement or the commit. Order is preserved, and a deferred statement that fails, fails the
 * transaction.
 */
export class LodgeClient extends pg.Client {
  readonly #plain: Query
  readonly #nameOf: NameOf
  #inTransaction = false
  #gathering = false
  #held: Statement[] = []
  readonly #notices = new Map<string, readonly [channel: string, payload: string]>()
  /** Why a deferred statement failed, if one did. */
  #failure: Promise<unknown> | undefined

  /** @param nameOf shared by the connections of a pool */
  constructor(config?: pg.ClientConfig, nameOf: NameOf = statementNames()) {
    super({ ...config, pipeline: true } as pg.ClientConfig)
    this.#nameOf = nameOf
    const plain = this.query.bind(this) as Query
    this.#plain = (config, ...rest) => {
      this.#gather()
      return plain(config, ...rest)
    }
    // `query` has a dozen overloads; forward the arguments unchanged.
    this.query = ((config: unknown, ...rest: unknown[]) =>
      this.#ask(config, rest)) as typeof this.query
  }

  /** Defers a statement to the next round trip; outside a transaction, sends it at once. */
  async later(statement: Statement): Promise<void> {
    if (this.#inTransaction) this.#held.push(statement)
    else await this.query(statement.text, [...statement.values])
  }

  /** Notifies listeners when the transaction commits; duplicates are sent once. */
  async notify(channel: string, payload: string): Promise<void> {
    if (this.#inTransaction) this.#notices.set(`${channel} ${payload}`, [channel, payload])
    else await this.query('select pg_notify($1, $2)', [channel, payload])
  }

  #ask(config: unknown, rest: readonly unknown[]): unknown {
    const text = textOf(config)
    if (text === 'begin') return this.#begin()
    if (text === 'commit') return this.#commit()
    if (text === 'rollback') return this.#rollback()
    const given = named(config, rest[0], this.#nameOf)
    if (this.#held.length === 0) return this.#plain(given, ...rest)
    return this.#together(() => this.#plain(given, ...rest))
  }

  async #begin(): Promise<pg.QueryResult> {
    this.#forget()
    this.#inTransaction = true
    this.#held.push({ text: 'begin', values: [] })
    return nothing
  }

  async #commit(): Promise<pg.QueryResult> {
    const unused = this.#held.length === 1 && this.#held[0]?.text === 'begin'
    if (unused && this.#notices.size === 0) return this.#drop()
    if (this.#notices.size > 0) this.#held.push(noticesOf([...this.#notices.values()]))
    try {
      const result = await this.#together(() => this.#plain('commit'))
      const failure = await this.#failure
      if (failure) throw failure
      return result
    } finally {
      this.#forget()
    }
  }

  #rollback(): Promise<pg.QueryResult> {
    if (this.#held[0]?.text === 'begin') return this.#drop()
    this.#forget()
    return this.#plain('rollback')
  }

  /** Ends a transaction of which nothing was sent yet. */
  async #drop(): Promise<pg.QueryResult> {
    this.#forget()
    return nothing
  }

  #forget(): void {
    this.#inTransaction = false
    this.#held = []
    this.#notices.clear()
    this.#failure = undefined
  }

  /** Statements issued in the same tick are written in one packet. */
  #gather(): void {
    if (this.#gathering) return
    this.#gathering = true
    const { stream } = (this as unknown as { connection: { stream: Corkable } }).connection
    stream.cork()
    queueMicrotask(() => {
      this.#gathering = false
      stream.uncork()
    })
  }

  /** Sends the deferred statements, then `last`. */
  async #together(last: () => Promise<pg.QueryResult>): Promise<pg.QueryResult> {
    const held = this.#held
    this.#held = []
    const sent = held.map(({ text, values, explain }) =>
      this.#plain(named({ text }, values, this.#nameOf), [...values]).catch((fault: unknown) => {
        throw explain?.(fault) ?? fault
      }),
    )
    const asked = last()
    const earlier = this.#failure
    this.#failure = Promise.allSettled(sent).then(async (results) => {
      const failed = results.find((result) => result.status === 'rejected')
      return (await earlier) ?? failed?.reason
    })
    try {
      return await asked
    } catch (error) {
      // PostgreSQL only reports that the transaction is aborted; report the original error instead.
      if (databaseFault(error)?.code === ABORTED) throw (await this.#failure) ?? error
      throw error
    }
  }
}

interface Corkable {
  cork(): void
  uncork(): void
}

const noticesOf = (notices: readonly (readonly [string, string])[]): Statement => ({
  text: 'select pg_notify(channel, payload) from unnest($1::text[], $2::text[]) as notice(channel, payload)',
  values: [notices.map(([channel]) => channel), notices.map(([, payload]) => payload)],
})

function textOf(config: unknown): string | undefined {
  if (typeof config === 'string') return config
  if (typeof config === 'object' && config !== null && 'text' in config)
    return typeof config.text === 'string' ? config.text : undefined
  return undefined
}

function named(config: unknown, values: unknown, nameOf: NameOf): unknown {
  if (typeof config !== 'object' || config === null || !('text' in config)) return config
  if (('name' in config && config.name) || typeof config.text !== 'string') return config
  const given = 'values' in config && config.values ? config.values : values
  const name = Array.isArray(given) ? nameOf(config.text, given.length) : undefined
  return name === undefined ? config : { ...config, name }
}
