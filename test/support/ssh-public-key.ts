import { generateKeyPairSync } from 'node:crypto'

const part = (bytes: Buffer): Buffer => {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(bytes.byteLength)
  return Buffer.concat([length, bytes])
}

/** A new public SSH key, as in a file that ends in `.pub`. */
export function sshPublicKey(): string {
  const { x = '' } = generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' })
  const type = 'ssh-ed25519'
  const blob = Buffer.concat([part(Buffer.from(type)), part(Buffer.from(x, 'base64url'))])
  return `${type} ${blob.toString('base64')} sample`
}
