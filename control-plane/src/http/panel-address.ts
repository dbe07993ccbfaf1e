import { isIP } from 'node:net'
import os from 'node:os'

/** Names that no stranger's name server can lead here: this machine's own. */
const OWN_NAMES = new Set(['localhost', os.hostname().toLowerCase()])

/**
 * Which addresses are the panel's own, as browsers name them. Where WEB_ORIGIN says it, it is that one.
 * Otherwise it is the one at which the first administrator was made, and every IP address and name of
 * this machine: a page of somebody else can make its own name lead here, but not those.
 */
export class PanelAddress {
  readonly #configured: string | undefined
  readonly #fallback: () => string
  readonly #read: () => Promise<string | null>
  #pinned: string | null = null

  /**
   * @param given.fallback where the panel is while nobody has said
   * @param given.read the address at which the first administrator was made
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

  /** The address at which the first administrator was made, where that decides. */
  get pinned(): string | null {
    return this.#pinned
  }

  async load(): Promise<void> {
    if (this.#configured === undefined) this.#pinned = await this.#read()
  }

  /** What links in mails begin with. */
  url(): string {
    if (this.#configured !== undefined) return this.#configured
    const pinned = this.#pinned
    // Nobody else gets anywhere by a name of this machine alone.
    if (pinned === null || isOwnName(new URL(pinned).hostname)) return this.#fallback()
    return pinned
  }

  /** Origins that a request to this host may come from. */
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
