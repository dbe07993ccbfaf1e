import { quantile } from '../measure/rounds.ts'
import type { Row } from '../row.ts'
import { insertDesk } from '../stage/desk-rows.ts'
import { insertFleet } from '../stage/fleet-rows.ts'
import { httpBurst, requestBytes } from '../stage/http-load.ts'
import { ourSide } from '../stage/sides.ts'

/** Ranks of words by how often they occur: in half of all messages, in one of a hundred, in few. */
const RANKS = { frequent: [1, 100], usual: [100, 3_000], rare: [3_000, 50_000] } as const

/** A search of the desk and its lists, as agents and a customer see them, among a million messages. */
export const ticketSearch: Row = {
  number: 32,
  name: 'tickets.search',
  seconds: 3_600,
  async run(bench) {
    const messages = bench.long ? 1_000_000 : 100_000
    const database = bench.ending.add(await bench.database.fresh(), (one) => one.drop())
    const { adminCookie, customer } = await insertFleet(database.pool, { nodes: 1 })
    await insertDesk(database.pool, messages)
    bench.say(`${messages} messages`)
    const drawn = async ([from, to]: readonly [number, number]) => {
      const { rows } = await database.pool.query<{ word: string }>(
        `select word from bench_words where n between $1 and $2 order by hashint4(n) limit 200`,
        [from, to],
      )
      return rows.map(({ word }) => word)
    }
    const frequent = await drawn(RANKS.frequent)
    const usual = await drawn(RANKS.usual)
    const rare = await drawn(RANKS.rare)
    const side = await ourSide(bench, database)
    const timed = async (queries: readonly string[], cookie: string) => {
      let at = 0
      const next = () => {
        const query = queries[at++ % queries.length]
        return requestBytes('GET', `/api/support/tickets?${query}`, { cookie })
      }
      await httpBurst(side, next, { connections: 1, seconds: 1 })
      const burst = await httpBurst(side, next, { connections: 1, seconds: bench.long ? 20 : 5 })
      return burst.latenciesMs
    }
    const all = (words: readonly string[]) =>
      words.map((q) => new URLSearchParams({ q, view: 'all' }).toString())
    const own = (words: readonly string[]) =>
      words.map((q) => new URLSearchParams({ q }).toString())
    const kinds: [string, string[], string][] = [
      ['a frequent word', all(frequent), adminCookie],
      ['a usual word', all(usual), adminCookie],
      ['a rare word', all(rare), adminCookie],
      ['two words', all(usual.map((word, at) => `${word} ${frequent[at % 100]}`)), adminCookie],
      ['a misspelt word', all(usual.map((word) => word.replace(/(?<=^...)./, ''))), adminCookie],
      ['the first letters of a word', all(usual.map((word) => word.slice(0, 5))), adminCookie],
      ['among the open tickets', own(usual).map((query) => `${query}&view=open`), adminCookie],
      ['for a customer with many tickets', own(usual), customer.cookie],
      ['a number', all(usual.map((_, at) => `T-${100 + at * 7}`)), adminCookie],
      ['lists', ['open', 'mine', 'solved', 'spam'].map((view) => `view=${view}`), adminCookie],
    ]
    const found = []
    for (const [what, queries, cookie] of kinds) {
      const latencies = await timed(queries, cookie)
      found.push({
        what: `${what}, p95 of ${messages} messages`,
        value: quantile(latencies, 0.95),
        unit: 'ms',
        target: { atMost: 50 },
        detail: { p50: quantile(latencies, 0.5), p99: quantile(latencies, 0.99) },
      })
    }
    return found
  },
}
