/** What relays and transfers are known by; revocations name some of it. */
export interface Opened {
  readonly nodeId: string
  readonly serverId: string
  /** The person, for limits too. */
  readonly userKey: string
  /** The person's session; what it opened ends with it. */
  readonly sessionKey?: string
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
  /** Spares what was opened with these rights: news of them may come after that. */
  readonly rightsNow?: string
}

/** Whether something matches all given keys. An empty match matches nothing. */
export function isMatched(opened: Opened, match: RelayMatch): boolean {
  const keys = (['userKey', 'sessionKey', 'serverId', 'nodeId'] as const).filter(
    (key) => match[key] !== undefined,
  )
  if (keys.length === 0 || !keys.every((key) => opened[key] === match[key])) return false
  return match.rightsNow === undefined || opened.rights !== match.rightsNow
}
