import { createCipheriv, randomBytes } from 'node:crypto'

/** The keys of restic's format: AES-256 in counter mode, authenticated by Poly1305-AES. */
export interface ResticKey {
  readonly encrypt: Buffer
  readonly mac: { readonly k: Buffer; readonly r: Buffer }
}

const BLOCK_BYTES = 16
const PRIME = (1n << 130n) - 5n

/** Of 64 random bytes, or derived from a password. */
export function resticKey(bytes: Buffer): ResticKey {
  const r = Buffer.from(bytes.subarray(48, 64))
  for (const index of [3, 7, 11, 15]) r.writeUInt8(r.readUInt8(index) & 0x0f, index)
  for (const index of [4, 8, 12]) r.writeUInt8(r.readUInt8(index) & 0xfc, index)
  return { encrypt: bytes.subarray(0, 32), mac: { k: bytes.subarray(32, 48), r } }
}

/** Only for the few bytes of a key or a configuration: files are encrypted by restic itself. */
export function sealed(key: ResticKey, plain: Buffer): Buffer {
  const nonce = randomBytes(BLOCK_BYTES)
  const cipher = createCipheriv('aes-256-ctr', key.encrypt, nonce)
  const text = Buffer.concat([cipher.update(plain), cipher.final()])
  return Buffer.concat([nonce, text, poly1305Aes(key.mac, nonce, text)])
}

export function poly1305Aes({ k, r }: ResticKey['mac'], nonce: Buffer, text: Buffer): Buffer {
  const multiplier = littleEndian(r)
  let sum = 0n
  for (let at = 0; at < text.length; at += BLOCK_BYTES) {
    const block = text.subarray(at, at + BLOCK_BYTES)
    const value = littleEndian(block) + (1n << BigInt(8 * block.length))
    sum = ((sum + value) * multiplier) % PRIME
  }
  const cipher = createCipheriv('aes-128-ecb', k, null).setAutoPadding(false)
  const tag = BigInt.asUintN(128, sum + littleEndian(cipher.update(nonce)))
  return Buffer.from(tag.toString(16).padStart(2 * BLOCK_BYTES, '0'), 'hex').reverse()
}

const littleEndian = (bytes: Buffer): bigint =>
  BigInt(`0x${Buffer.from(bytes).reverse().toString('hex')}`)
