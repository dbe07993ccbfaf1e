import { createHash, createPrivateKey, sign, X509Certificate } from 'node:crypto'
import { link, mkdir, open, readFile, rename, unlink } from 'node:fs/promises'
import path from 'node:path'
import { unlessGone } from '@lodge/shared/local/files.ts'

/** The common name in every control plane's certificate, whatever its address. */
export const FLEET_NAME = 'lodge'

const DAY_MS = 86_400_000

/** Certificate chain and key in PEM, ready for a TLS server. */
export interface Leaf {
  readonly cert: string
  readonly key: string
  /** Public key pin, `sha256//…`, in curl's format. */
  readonly publicKeyPin: string
  readonly renewAt: Date
}

export interface Authority {
  /** The authority's certificate, PEM. */
  readonly certificate: string
  /** SHA-256 of the authority's certificate (DER), 64 hex digits; a joining agent pins it. */
  readonly fingerprint: string
  /** Signs what agents must know to come from this installation. */
  sign(text: string): Buffer
  /**
   * Issues and stores a certificate for the fleet name. Its chain includes the authority, so its
   * fingerprint suffices to trust it.
   */
  issue(now: Date, days: number): Promise<Leaf>
  /**
   * The stored certificate if its renewal is not due, else a new one. Reuse matters because a join
   * command pins the key and works only as long as the key stays.
   */
  leaf(now: Date, days: number): Promise<Leaf>
}

/**
 * Opens this installation's private certificate authority, or creates it at the first start.
 * Control planes that share a folder agree on one: the first to place its file wins.
 * @param folder created with mode 0700; holds `authority.pem` and `leaf.pem` (certificate and key,
 * mode 0600)
 */
export async function openAuthority(folder: string): Promise<Authority> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const file = path.join(folder, 'authority.pem')
  const leafFile = path.join(folder, 'leaf.pem')
  const stored = (await read(file)) ?? (await place(file, await create()))
  const [authorityPem, keyPem] = split(stored, file)
  const authority = new X509Certificate(authorityPem)
  const key = createPrivateKey(keyPem)

  async function issue(now: Date, days: number): Promise<Leaf> {
    const { createLeaf } = await import('./certificates.ts')
    const { certificate, key } = await createLeaf(authorityPem, keyPem, FLEET_NAME, now, days)
    await rename(await draft(leafFile, `${certificate}\n${key}`), leafFile)
    return leafOf(certificate, key)
  }

  function leafOf(certificatePem: string, key: string): Leaf {
    const certificate = new X509Certificate(certificatePem)
    const [from, to] = [certificate.validFromDate.getTime(), certificate.validToDate.getTime()]
    return {
      cert: `${certificatePem}\n${authorityPem}`,
      key: key.trim(),
      publicKeyPin: pinOf(certificate),
      // `notBefore` is a day before the certificate was issued.
      renewAt: new Date(from + DAY_MS + ((to - from - DAY_MS) * 2) / 3),
    }
  }

  /** The stored certificate, unless it is damaged or from another authority. */
  function kept(text: string): Leaf | undefined {
    try {
      const [certificatePem, key] = split(text, leafFile)
      const certificate = new X509Certificate(certificatePem)
      const ours = certificate.verify(authority.publicKey)
      return ours && certificate.checkPrivateKey(createPrivateKey(key))
        ? leafOf(certificatePem, key)
        : undefined
    } catch {
      return undefined
    }
  }

  return {
    certificate: authorityPem,
    fingerprint: createHash('sha256').update(authority.raw).digest('hex'),
    sign: (text) => sign('sha256', Buffer.from(text), key),
    issue,
    async leaf(now, days) {
      const text = await read(leafFile)
      const known = text === undefined ? undefined : kept(text)
      if (known && now < known.renewAt) return known
      return issue(now, days)
    },
  }
}

async function create(): Promise<string> {
  const { createAuthority } = await import('./certificates.ts')
  return createAuthority(new Date())
}

function pinOf({ publicKey }: X509Certificate): string {
  const info = publicKey.export({ type: 'spki', format: 'der' })
  return `sha256//${createHash('sha256').update(info).digest('base64')}`
}

const read = (file: string): Promise<string | undefined> => readFile(file, 'utf8').catch(unlessGone)

/** Writes a temporary file next to the target. */
async function draft(file: string, content: string): Promise<string> {
  const name = `${file}.${crypto.randomUUID()}`
  const handle = await open(name, 'wx', 0o600)
  try {
    await handle.writeFile(content)
    await handle.sync()
  } finally {
    await handle.close()
  }
  return name
}

/** Places the file atomically, or returns the one another control plane placed first. */
async function place(file: string, content: string): Promise<string> {
  const ours = await draft(file, content)
  try {
    // `link` is atomic and fails if the name is taken, so nobody overwrites an existing authority.
    await link(ours, file)
    return content
  } catch (error) {
    const other = await read(file)
    if (other === undefined) throw error
    return other
  } finally {
    await unlink(ours)
  }
}

function split(stored: string, file: string): [certificate: string, key: string] {
  const certificate = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/.exec(stored)?.[0]
  const key = /-----BEGIN PRIVATE KEY-----[^-]+-----END PRIVATE KEY-----/.exec(stored)?.[0]
  if (!certificate || !key) throw new Error(`${file} does not hold a certificate and its key`)
  return [certificate, key]
}
