import { createDecipheriv, createECDH, createHmac, randomBytes } from 'node:crypto'
import type { PushKeys } from '@lodge/shared/notification-channels.ts'

/** The keys of a browser's subscription, created like in a browser. */
export interface PushBrowser {
  readonly keys: PushKeys
  /** Decrypts a message as the browser does; throws if it is not for this one. */
  read(body: Buffer): string
}

const hmac = (key: Buffer, ...parts: readonly (Buffer | string)[]): Buffer =>
  createHmac('sha256', key)
    .update(Buffer.concat(parts.map((part) => Buffer.from(part))))
    .digest()

/** Implements RFC 8188 and RFC 8291 independently of the code that encrypts. */
export function pushBrowser(given?: { privateKey: string; auth: string }): PushBrowser {
  const ecdh = createECDH('prime256v1')
  if (given) ecdh.setPrivateKey(Buffer.from(given.privateKey, 'base64url'))
  else ecdh.generateKeys()
  const auth = given ? Buffer.from(given.auth, 'base64url') : randomBytes(16)
  const own = ecdh.getPublicKey()
  return {
    keys: { p256dh: own.toString('base64url'), auth: auth.toString('base64url') },
    read(body) {
      const salt = body.subarray(0, 16)
      const recordSize = body.readUInt32BE(16)
      const idLength = body.readUInt8(20)
      const sender = body.subarray(21, 21 + idLength)
      const record = body.subarray(21 + idLength)
      if (record.length > recordSize) throw new Error('more than one record')
      const input = hmac(
        hmac(auth, ecdh.computeSecret(sender)),
        ...['WebPush: info\0', own, sender, Buffer.from([1])],
      )
      const random = hmac(salt, input)
      const key = hmac(random, 'Content-Encoding: aes128gcm\0\x01').subarray(0, 16)
      const nonce = hmac(random, 'Content-Encoding: nonce\0\x01').subarray(0, 12)
      const decipher = createDecipheriv('aes-128-gcm', key, nonce)
      decipher.setAuthTag(record.subarray(-16))
      const padded = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()])
      const end = padded.lastIndexOf(2)
      if (end < 0 || padded.subarray(end + 1).some((byte) => byte !== 0)) throw new Error('no end')
      return padded.toString('utf8', 0, end)
    },
  }
}
