import { isIP } from 'node:net'
import os from 'node:os'

/** This machine's own names, which no outside DNS server can point here. */
const OWN_NAMES = new Set(['localhost', os.hostname().toLowerCase()])

/**
 * The panel's own addresses as browsers use them: WEB_ORIGIN if set. Otherwise the address at which
 * the first administrator was created, plus every IP address and name of this machine. This defeats
 * DNS rebinding: another site can point its own name at this machine, but none of these.
 */
export class PanelAddress {
  readonly #configured: string | undefined
  readonly #fallback: () => string
  readonly #read: () => Promise<string | null>
  #pinned: string | null = null

  /**
   * @param given.fallback the panel's address while none is known
   * @param given.read the address at which the first administrator was created
   */
  constructor(given: {
    readonly configured: string | undefined
    readonly fallback: () => string
    readonly read: () => Promise<string | null>
  }) {
    this.#configured = given.configured
    this.#fallback = given.fallback
    this.#read = given.read
  }

  /** The address at which the first administrator was created, if it is used. */
  get pinned(): string | null {
    return this.#pinned
  }

  async load(): Promise<void> {
    if (this.#configured === undefined) this.#pinned = await this.#read()
  }

  /** Base of links in mails. */
  url(): string {
    if (this.#configured !== undefined) return this.#configured
    const pinned = this.#pinned
    // A name of this machine only works on this machine, so it is no use in a link.
    if (pinned === null || isOwnName(new URL(pinned).hostname)) return this.#fallback()
    return pinned
  }

  /** Origins allowed for a request to this host. */
  origins(host: string | undefined): readonly string[] {
    if (this.#configured !== undefined) return [this.#configured]
    const asked = [`http://${host}`, `https://${host}`]
    const [plain = ''] = asked
    if (host === undefined || !URL.canParse(plain)) return []
    const { hostname } = new URL(plain)
    const isKnown = this.#pinned === null || isIP(bare(hostname)) !== 0 || isOwnName(hostname)
    if (isKnown) return asked
    return asked.filter((origin) => origin === this.#pinned)
  }
}

const bare = (hostname: string): string => hostname.replace(/^\[|\]$/g, '')

const isOwnName = (hostname: string): boolean =>
  OWN_NAMES.has(hostname.toLowerCase()) || /^(127\.|\[::1\]$)/.test(hostname)
