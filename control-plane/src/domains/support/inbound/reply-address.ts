import { createHmac, timingSafeEqual } from 'node:crypto'

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567'
/** 130 bits. */
const TOKEN_LENGTH = 26

/** Identifies whose answers an address receives. A new epoch invalidates all earlier addresses. */
interface ReplyPath {
  readonly ticketId: string
  readonly participantId: string
  readonly epoch: number
}

/** A token that only Lodge can compute, in characters that mail servers do not change. */
function tokenOf(key: Buffer, { ticketId, participantId, epoch }: ReplyPath): string {
  const content = `${ticketId}\n${participantId}\n${epoch}`
  const digest = createHmac('sha256', key).update(content).digest()
  let [bits, count, token] = [0, 0, '']
  for (const byte of digest) {
    bits = ((bits << 8) | byte) & 0xfff
    count += 8
    while (count >= 5 && token.length < TOKEN_LENGTH) {
      count -= 5
      token += ALPHABET[(bits >> count) & 31]
    }
  }
  return token
}

interface Mailbox {
  /** The address of the desk, e.g. `support@example.com`. */
  readonly address: string
  readonly key: Buffer
}

/** The address to which one participant answers about one ticket. */
export function replyAddress({ address, key }: Mailbox, number: number, path: ReplyPath): string {
  const at = address.lastIndexOf('@')
  const token = tokenOf(key, path)
  return `${address.slice(0, at)}+${number}.${token}${address.slice(at)}`
}

/** The ticket named in a recipient's address, and the token to verify. */
export interface NamedTicket {
  readonly number: number
  readonly token: string
}

/** Parses a reply address; undefined for any other recipient. Mail servers may change its case. */
export function parseReplyAddress(address: string, recipient: string): NamedTicket | undefined {
  const [local, domain] = splitAddress(address)
  const [givenLocal, givenDomain] = splitAddress(recipient)
  if (givenDomain !== domain || !givenLocal.startsWith(`${local}+`)) return undefined
  const found = /^(\d{1,12})\.([a-z2-7]{26})$/.exec(givenLocal.slice(local.length + 1))
  return found?.[1] && found[2] ? { number: Number(found[1]), token: found[2] } : undefined
}

/** Whether a recipient is this mailbox, with or without a part after a plus. */
export function isOfMailbox(address: string, recipient: string): boolean {
  const [local, domain] = splitAddress(address)
  const [givenLocal, givenDomain] = splitAddress(recipient)
  return givenDomain === domain && (givenLocal === local || givenLocal.startsWith(`${local}+`))
}

function splitAddress(address: string): [local: string, domain: string] {
  const lower = address.trim().toLowerCase()
  const at = lower.lastIndexOf('@')
  return at < 0 ? [lower, ''] : [lower.slice(0, at), lower.slice(at + 1)]
}

/** Whether a token is that of this participant of this ticket. */
export function isTokenOf(key: Buffer, token: string, path: ReplyPath): boolean {
  const [given, right] = [Buffer.from(token), Buffer.from(tokenOf(key, path))]
  return given.length === right.length && timingSafeEqual(given, right)
}
