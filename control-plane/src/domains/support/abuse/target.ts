/** The target of a report, as far as it can be parsed from the reporter's text. */
export interface Target {
  /** Host name or address, in lower case. */
  readonly host: string
  readonly port: number | undefined
}

/** Host and port of an address, a name or a URL; undefined for anything else. */
export function targetIn(text: string): Target | undefined {
  const link = /^[a-z][a-z0-9+.-]{0,20}:\/\//i.test(text) ? text : `tcp://${text}`
  // An IPv6 address without brackets: its colons separate no port.
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
