import 'reflect-metadata'
import { createPrivateKey } from 'node:crypto'
import * as x509 from '@peculiar/x509'

// The certificate library is large, so this module is loaded only when a certificate is issued.

const KEY = { name: 'ECDSA', namedCurve: 'P-256' }
const SIGNING = { name: 'ECDSA', hash: 'SHA-256' }
const DAY_MS = 86_400_000

/** Creates an authority: certificate and key in one PEM. */
export async function createAuthority(now: Date): Promise<string> {
  const keys = await crypto.subtle.generateKey(KEY, true, ['sign', 'verify'])
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: 'CN=Lodge fleet authority',
    notBefore: new Date(now.getTime() - DAY_MS),
    notAfter: new Date(now.getTime() + 20 * 365 * DAY_MS),
    keys,
    signingAlgorithm: SIGNING,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(
        x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign,
        true,
      ),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  })
  return `${certificate.toString('pem')}\n${await exportKey(keys.privateKey)}`
}

/**
 * Issues a certificate for `name`, signed by the authority, with its key, both in PEM.
 * @param authorityPem the authority's certificate
 * @param authorityKeyPem the authority's key
 */
export async function createLeaf(
  authorityPem: string,
  authorityKeyPem: string,
  name: string,
  now: Date,
  days: number,
): Promise<{ readonly certificate: string; readonly key: string }> {
  const authority = new x509.X509Certificate(authorityPem)
  const signingKey = await importKey(authorityKeyPem)
  const keys = await crypto.subtle.generateKey(KEY, true, ['sign', 'verify'])
  const certificate = await x509.X509CertificateGenerator.create({
    subject: `CN=${name}`,
    issuer: authority.subject,
    // Allows nodes whose clock is slow to connect.
    notBefore: new Date(now.getTime() - DAY_MS),
    notAfter: new Date(now.getTime() + days * DAY_MS),
    publicKey: keys.publicKey,
    signingKey,
    signingAlgorithm: SIGNING,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
      new x509.SubjectAlternativeNameExtension([
        { type: 'dns', value: name },
        { type: 'dns', value: 'localhost' },
      ]),
      await x509.AuthorityKeyIdentifierExtension.create(authority.publicKey),
    ],
  })
  return { certificate: certificate.toString('pem'), key: await exportKey(keys.privateKey) }
}

async function exportKey(key: CryptoKey): Promise<string> {
  const der = Buffer.from(await crypto.subtle.exportKey('pkcs8', key))
  const plain = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
  return plain.export({ type: 'pkcs8', format: 'pem' }).toString()
}

function importKey(pem: string): Promise<CryptoKey> {
  const der = createPrivateKey(pem).export({ type: 'pkcs8', format: 'der' })
  return crypto.subtle.importKey('pkcs8', new Uint8Array(der), KEY, false, ['sign'])
}
