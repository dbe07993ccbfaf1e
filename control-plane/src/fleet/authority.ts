import 'reflect-metadata'
import { createHash, createPrivateKey, X509Certificate } from 'node:crypto'
import { link, mkdir, open, readFile, unlink } from 'node:fs/promises'
import path from 'node:path'
import * as x509 from '@peculiar/x509'

/** The one name every control plane's certificate carries, wherever it is reached. */
export const FLEET_NAME = 'lodge'

const KEY = { name: 'ECDSA', namedCurve: 'P-256' }
const SIGNING = { name: 'ECDSA', hash: 'SHA-256' }
const DAY_MS = 86_400_000

/** Certificate chain and key in PEM, ready for a TLS server. */
export interface Leaf {
  readonly cert: string
  readonly key: string
  /** `sha256//…` of its public key, as curl pins it. */
  readonly publicKeyPin: string
  readonly renewAt: Date
}

export interface Authority {
  /** The certificate of the authority, PEM. */
  readonly certificate: string
  /** SHA-256 of the authority's certificate (DER), 64 hex digits: what a joining agent pins. */
  readonly fingerprint: string
  /** Makes a certificate for the fleet's name; its chain includes the authority so that a fingerprint suffices to trust it. */
  issue(now: Date, days: number): Promise<Leaf>
}

/**
 * Opens the private certificate authority of this installation, or makes it at the first start.
 * Control planes that share a folder agree on one: the first to place its file wins.
 * @param folder made with mode 0700; holds `authority.pem` (certificate and key, mode 0600)
 */
export async function openAuthority(folder: string): Promise<Authority> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const file = path.join(folder, 'authority.pem')
  const stored = (await read(file)) ?? (await place(file, await create(new Date())))
  const [certificatePem, keyPem] = split(stored, file)
  const certificate = new x509.X509Certificate(certificatePem)
  const key = await importKey(keyPem)
  return {
    certificate: certificatePem,
    fingerprint: createHash('sha256').update(new X509Certificate(certificatePem).raw).digest('hex'),
    issue: (now, days) => issue(certificate, certificatePem, key, now, days),
  }
}

async function create(now: Date): Promise<string> {
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

async function issue(
  authority: x509.X509Certificate,
  authorityPem: string,
  signingKey: CryptoKey,
  now: Date,
  days: number,
): Promise<Leaf> {
  const keys = await crypto.subtle.generateKey(KEY, true, ['sign', 'verify'])
  const notAfter = new Date(now.getTime() + days * DAY_MS)
  const certificate = await x509.X509CertificateGenerator.create({
    subject: `CN=${FLEET_NAME}`,
    issuer: authority.subject,
    // Nodes whose clock is somewhat behind must be able to connect.
    notBefore: new Date(now.getTime() - DAY_MS),
    notAfter,
    publicKey: keys.publicKey,
    signingKey,
    signingAlgorithm: SIGNING,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
      new x509.SubjectAlternativeNameExtension([
        { type: 'dns', value: FLEET_NAME },
        { type: 'dns', value: 'localhost' },
      ]),
      await x509.AuthorityKeyIdentifierExtension.create(authority.publicKey),
    ],
  })
  return {
    cert: `${certificate.toString('pem')}\n${authorityPem}`,
    key: await exportKey(keys.privateKey),
    publicKeyPin: await pinOf(keys.publicKey),
    renewAt: new Date(now.getTime() + (days * DAY_MS * 2) / 3),
  }
}

async function pinOf(key: CryptoKey): Promise<string> {
  const info = Buffer.from(await crypto.subtle.exportKey('spki', key))
  return `sha256//${createHash('sha256').update(info).digest('base64')}`
}

async function read(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}

/** Puts the file in its place as a whole, or takes the one that another control plane put there first. */
async function place(file: string, content: string): Promise<string> {
  const draft = `${file}.${crypto.randomUUID()}`
  const handle = await open(draft, 'wx', 0o600)
  try {
    await handle.writeFile(content)
    await handle.sync()
  } finally {
    await handle.close()
  }
  try {
    // A link is made as a whole and fails when the name is taken.
    await link(draft, file)
    return content
  } catch (error) {
    const other = await read(file)
    if (other === undefined) throw error
    return other
  } finally {
    await unlink(draft)
  }
}

function split(stored: string, file: string): [certificate: string, key: string] {
  const certificate = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/.exec(stored)?.[0]
  const key = /-----BEGIN PRIVATE KEY-----[^-]+-----END PRIVATE KEY-----/.exec(stored)?.[0]
  if (!certificate || !key) throw new Error(`${file} does not hold a certificate and its key`)
  return [certificate, key]
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
