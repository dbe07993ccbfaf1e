import 'reflect-metadata'
import { createHash, createPrivateKey, sign } from 'node:crypto'
import { isIP } from 'node:net'
import * as x509 from '@peculiar/x509'

const KEY = { name: 'ECDSA', namedCurve: 'P-256' }
const SIGNING = { name: 'ECDSA', hash: 'SHA-256' }

export interface TestAuthority {
  readonly certificate: string
  readonly fingerprint: string
  /** Certificate chain and key of a server, in PEM. */
  readonly leaf: { readonly cert: string; readonly key: string }
  /** Signs what nodes of this fleet take from its control plane alone. */
  readonly sign: (text: string) => Uint8Array
}

/** Creates a certificate authority with one certificate for a host name or address. */
export async function testAuthority(host = 'lodge'): Promise<TestAuthority> {
  const keys = await crypto.subtle.generateKey(KEY, true, ['sign', 'verify'])
  const now = Date.now()
  const valid = { notBefore: new Date(now - 86_400_000), notAfter: new Date(now + 86_400_000) }
  const authority = await x509.X509CertificateGenerator.createSelfSigned({
    name: 'CN=Test authority',
    ...valid,
    keys,
    signingAlgorithm: SIGNING,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign, true),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  })
  const own = await crypto.subtle.generateKey(KEY, true, ['sign', 'verify'])
  const leaf = await x509.X509CertificateGenerator.create({
    subject: `CN=${host}`,
    issuer: authority.subject,
    ...valid,
    publicKey: own.publicKey,
    signingKey: keys.privateKey,
    signingAlgorithm: SIGNING,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.SubjectAlternativeNameExtension([{ type: isIP(host) ? 'ip' : 'dns', value: host }]),
      await x509.AuthorityKeyIdentifierExtension.create(keys.publicKey),
    ],
  })
  const certificate = authority.toString('pem')
  const key = await pemOf(keys.privateKey)
  return {
    certificate,
    fingerprint: createHash('sha256').update(Buffer.from(authority.rawData)).digest('hex'),
    leaf: {
      cert: `${leaf.toString('pem')}\n${certificate}`,
      key: await pemOf(own.privateKey),
    },
    sign: (text) => sign('sha256', Buffer.from(text), createPrivateKey(key)),
  }
}

async function pemOf(key: CryptoKey): Promise<string> {
  const pkcs8 = Buffer.from(await crypto.subtle.exportKey('pkcs8', key)).toString('base64')
  return `-----BEGIN PRIVATE KEY-----\n${pkcs8}\n-----END PRIVATE KEY-----\n`
}
