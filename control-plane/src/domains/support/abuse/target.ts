/** What a report is about, as far as it can be read from what somebody wrote. */
export interface Target {
  /** Host name or address, in lower case. */
  readonly host: string
  readonly port: number | undefined
}

/** The host and the port of an address, a name or a link; undefined for anything else. */
export function targetIn(text: string): Target | undefined {
  const link = /^[a-z][a-z0-9+.-]{0,20}:\/\//i.test(text) ? text : `tcp://${text}`
  // An IPv6 address without brackets has colons of its own.
  const bare = /^[\da-f:]+$/i.test(text) && text.split(':').length > 2 ? `tcp://[${text}]` : link
  let url: URL
  try {
    url = new URL(bare)
  } catch {
    return undefined
  }
  const host = url.hostname
    .toLowerCase()
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
  if (host === '') return undefined
  const standard = url.protocol === 'https:' ? 443 : url.protocol === 'http:' ? 80 : undefined
  return { host, port: url.port === '' ? standard : Number(url.port) }
}
