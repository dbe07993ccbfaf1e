import { Resolver } from 'node:dns/promises'

/**
 * Asks for the records of a name, as `node:dns` gives them: lists of texts for `TXT`, addresses for
 * `A` and `AAAA`. Rejects with a `code`, `ENOTFOUND` and `ENODATA` if there are none.
 */
export type NameLookup = (name: string, type: string) => Promise<unknown>

const TIMEOUT_MS = 3000
const TRIES = 2

/**
 * Lookups in the domain name system, of records that are not only addresses. Nothing is connected to
 * what they name.
 * @param servers addresses of resolvers, with their port if it is not 53; those of the machine if empty
 */
export function namesFrom(servers: readonly string[] = []): NameLookup {
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: TRIES, maxTimeout: TIMEOUT_MS })
  if (servers.length > 0) resolver.setServers(servers)
  return (name, type) => resolver.resolve(name, type)
}

interface Bounds {
  readonly mostLookups: number
  /** For all of them together, from the first one on. */
  readonly withinMs: number
}

/**
 * The same lookups, each asked once, until there were too many or they took too long: then every
 * further one rejects with `ETIMEOUT`, as if nobody had answered. An answer that never comes does, too.
 */
export function bounded(lookup: NameLookup, { mostLookups, withinMs }: Bounds): NameLookup {
  const asked = new Map<string, Promise<unknown>>()
  let end: number | undefined
  const ask = async (name: string, type: string): Promise<unknown> => {
    end ??= performance.now() + withinMs
    const leftMs = end - performance.now()
    if (asked.size > mostLookups) throw unanswered('Too many lookups')
    if (leftMs <= 0) throw unanswered('The lookups took too long')
    const { promise, reject } = Promise.withResolvers<never>()
    const timer = setTimeout(() => {
      // A timer may be early by part of a millisecond.
      end = 0
      reject(unanswered('The lookups took too long'))
    }, leftMs)
    try {
      return await Promise.race([lookup(name, type), promise])
    } finally {
      clearTimeout(timer)
    }
  }
  return (name, type) => {
    const key = `${type} ${name.toLowerCase()}`
    let answer = asked.get(key)
    if (answer === undefined) {
      // Its place is taken before it is asked, so that lookups at the same time count, too.
      answer = Promise.resolve().then(() => ask(name, type))
      asked.set(key, answer)
    }
    return answer
  }
}

const unanswered = (why: string): Error => Object.assign(new Error(why), { code: 'ETIMEOUT' })
