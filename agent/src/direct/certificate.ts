import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'

/** What a node shows other nodes. They know it by its fingerprint, which the control plane tells them. */
export interface NodeCertificate {
  /** PEM */
  readonly cert: string
  /** PEM */
  readonly key: string
  /** SHA-256 of the certificate (DER), in hexadecimal. */
  readonly fingerprint: string
}

export const fingerprintOf = (certificate: Buffer): string =>
  createHash('sha256').update(certificate).digest('hex')

/**
 * Makes a certificate of the node's own, for as long as its agent runs: the key never leaves the
 * process. Nobody checks who signed it or when it ends, so it names neither an authority nor a date.
 */
export function makeCertificate(): NodeCertificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const name = sequence(set(sequence(oid('550403'), value(0x0c, Buffer.from('lodge-node')))))
  // RFC 5280, 4.1.2.5: a certificate without an end.
  const validity = sequence(
    value(0x17, Buffer.from('000101000000Z')),
    value(0x18, Buffer.from('99991231235959Z')),
  )
  const algorithm = sequence(oid('2a8648ce3d040302'))
  const body = sequence(
    value(0xa0, value(0x02, Buffer.of(2))),
    // Positive, and never with a needless leading zero.
    value(0x02, Buffer.concat([Buffer.of(0x40), randomBytes(15)])),
    algorithm,
    name,
    validity,
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
  )
  const signature = value(0x03, Buffer.concat([Buffer.of(0), sign('sha256', body, privateKey)]))
  const certificate = sequence(body, algorithm, signature)
  const lines = certificate.toString('base64').replaceAll(/.{64}/g, '$&\n').trimEnd()
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    fingerprint: fingerprintOf(certificate),
  }
}

// DER (ITU-T X.690), as far as a certificate needs it: the library that makes those of the authority
// takes 22 MiB and a quarter of a second in every agent.
const sequence = (...parts: readonly Buffer[]) => value(0x30, Buffer.concat(parts))
const set = (...parts: readonly Buffer[]) => value(0x31, Buffer.concat(parts))
const oid = (hex: string) => value(0x06, Buffer.from(hex, 'hex'))

function value(tag: number, content: Buffer): Buffer {
  const { length } = content
  const size =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.of(tag, ...size), content])
}
