/** What relays and transfers are known by; revocations name some of it. */
export interface Opened {
  readonly nodeId: string
  readonly serverId: string
  /** The person, for limits too. */
  readonly userKey: string
  /** The person's session; what it opened ends with it. */
  readonly sessionKey?: string
  /** The standing of the person's session when it was opened (`standingMark`). */
  readonly standing?: string
  /**
   * The rights that the person was granted when it was opened, as text that only equal rights share.
   * Absent where the rights are nobody's grant.
   */
  readonly rights?: string
}

export interface RelayMatch {
  readonly userKey?: string
  readonly sessionKey?: string
  readonly serverId?: string
  readonly nodeId?: string
  /**
   * Spares what was opened with this standing, or with these rights: news of a change arrives after it,
   * and what was opened in between was judged by the present ones.
   */
  readonly standingNow?: string
  /** Null spares what was opened without a grant. */
  readonly rightsNow?: string | null
}

/** Whether something matches all given keys and is not spared. An empty match matches nothing. */
export function isMatched(opened: Opened, match: RelayMatch): boolean {
  const { standingNow, rightsNow } = match
  const keys = (['userKey', 'sessionKey', 'serverId', 'nodeId'] as const).filter(
    (key) => match[key] !== undefined,
  )
  if (keys.length === 0 || !keys.every((key) => opened[key] === match[key])) return false
  if (standingNow !== undefined && opened.standing === standingNow) return false
  return rightsNow === undefined || (opened.rights ?? null) !== rightsNow
}
