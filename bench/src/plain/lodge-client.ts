import pg from 'pg'
import type { LodgeClient as Ours, Statement } from '../../../control-plane/src/db/lodge-client.ts'
import { statementNames } from '../../../control-plane/src/db/named-statements.ts'

export type { Statement }

const nameOf = statementNames()
type Query = (config: unknown, ...rest: unknown[]) => Promise<pg.QueryResult>

/** pg in pipeline mode: every statement is sent at once, and every caller waits for its own. */
export class LodgeClient extends pg.Client implements Pick<Ours, 'later' | 'notify'> {
  constructor(config?: pg.ClientConfig) {
    super({ ...config, pipeline: true } as pg.ClientConfig)
    const plain = this.query.bind(this) as Query
    // Names are another module's; without them this comparison would measure both.
    this.query = ((config: unknown, ...rest: unknown[]) =>
      plain(named(config, rest[0]), ...rest)) as typeof this.query
  }

  async later({ text, values, explain }: Statement): Promise<void> {
    await this.query(text, [...values]).catch((fault: unknown) => {
      throw explain?.(fault) ?? fault
    })
  }

  async notify(channel: string, payload: string): Promise<void> {
    await this.query('select pg_notify($1, $2)', [channel, payload])
  }
}

function named(config: unknown, values: unknown): unknown {
  const given = typeof config === 'string' ? { text: config } : config
  if (typeof given !== 'object' || given === null || !('text' in given)) return config
  if (('name' in given && given.name) || typeof given.text !== 'string') return config
  const all = 'values' in given && given.values ? given.values : values
  const name = Array.isArray(all) ? nameOf(given.text, all.length) : undefined
  return name === undefined ? config : { ...given, name }
}
