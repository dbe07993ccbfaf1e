import { createCipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto'
import type { PushKeys } from '@lodge/shared/notification-channels.ts'

const CURVE = 'prime256v1'
const POINT_BYTES = 65
const AUTH_BYTES = 16
const TAG_BYTES = 16
/** The size that every push service must accept (RFC 8030, 7.2). */
const MAX_BODY_BYTES = 4096
const HEADER_BYTES = 16 + 4 + 1 + POINT_BYTES
/** What one record holds besides its delimiter and its tag. */
export const MAX_PUSH_BYTES = MAX_BODY_BYTES - HEADER_BYTES - TAG_BYTES - 1
/** Ends the last record (RFC 8188, 2). */
const LAST = Buffer.from([2])

/** Why a browser's keys cannot be used; undefined if they can. */
export function complainOfKeys({ p256dh, auth }: PushKeys): string | undefined {
  if (Buffer.from(auth, 'base64url').length !== AUTH_BYTES)
    return `must have an auth of ${AUTH_BYTES} bytes`
  const point = Buffer.from(p256dh, 'base64url')
  const wrong = 'must have the uncompressed point of a P-256 key as p256dh'
  if (point.length !== POINT_BYTES || point[0] !== 4) return wrong
  try {
    const probe = createECDH(CURVE)
    probe.generateKeys()
    probe.computeSecret(point)
    return undefined
  } catch {
    return wrong
  }
}

/**
 * Encrypts a message so that only the browser can read it (RFC 8291, with the content coding
 * `aes128gcm` of RFC 8188); the push service learns only its length.
 * @param plain at most `MAX_PUSH_BYTES` long
 * @param given the salt and the sender's private key; random for each message
 */
export function encryptPush(
  plain: Buffer,
  { p256dh, auth }: PushKeys,
  given: { readonly salt: Buffer; readonly privateKey?: Buffer } = { salt: randomBytes(16) },
): Buffer {
  if (plain.length > MAX_PUSH_BYTES) throw new Error('the message is too long for a push service')
  const receiver = Buffer.from(p256dh, 'base64url')
  const ecdh = createECDH(CURVE)
  if (given.privateKey) ecdh.setPrivateKey(given.privateKey)
  else ecdh.generateKeys()
  const sender = ecdh.getPublicKey()
  const about = Buffer.concat([Buffer.from('WebPush: info\0'), receiver, sender])
  const secret = derive(ecdh.computeSecret(receiver), Buffer.from(auth, 'base64url'), about, 32)
  const key = derive(secret, given.salt, 'Content-Encoding: aes128gcm\0', 16)
  const nonce = derive(secret, given.salt, 'Content-Encoding: nonce\0', 12)
  const cipher = createCipheriv('aes-128-gcm', key, nonce)
  const record = [cipher.update(plain), cipher.update(LAST), cipher.final(), cipher.getAuthTag()]
  const sizes = Buffer.alloc(5)
  sizes.writeUInt32BE(MAX_BODY_BYTES)
  sizes.writeUInt8(sender.length, 4)
  return Buffer.concat([given.salt, sizes, sender, ...record])
}

const derive = (secret: Buffer, salt: Buffer, about: string | Buffer, bytes: number): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, salt, about, bytes))
