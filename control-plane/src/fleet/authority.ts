import { createHash, createPrivateKey, X509Certificate } from 'node:crypto'
import { link, mkdir, open, readFile, rename, unlink } from 'node:fs/promises'
import path from 'node:path'

/** The one name every control plane's certificate carries, wherever it is reached. */
export const FLEET_NAME = 'lodge'

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
  /** Makes a certificate for the fleet's name and keeps it; its chain includes the authority so that a fingerprint suffices to trust it. */
  issue(now: Date, days: number): Promise<Leaf>
  /**
   * The certificate of the last start if it does not have to be renewed yet, else a new one: a join line
   * pins its key and is good for as long as that stays.
   */
  leaf(now: Date, days: number): Promise<Leaf>
}

/**
 * Opens the private certificate authority of this installation, or makes it at the first start.
 * Control planes that share a folder agree on one: the first to place its file wins.
 * @param folder made with mode 0700; holds `authority.pem` and `leaf.pem` (certificate and key, mode 0600)
 */
export async function openAuthority(folder: string): Promise<Authority> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const file = path.join(folder, 'authority.pem')
  const leafFile = path.join(folder, 'leaf.pem')
  const stored = (await read(file)) ?? (await place(file, await create()))
  const [authorityPem, keyPem] = split(stored, file)
  const authority = new X509Certificate(authorityPem)
  createPrivateKey(keyPem)

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
      // It begins a day before it was made.
      renewAt: new Date(from + DAY_MS + ((to - from - DAY_MS) * 2) / 3),
    }
  }

  /** The one that is kept, unless it is damaged or of another authority. */
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

async function read(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}

/** Writes a file beside the one that it is to become. */
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

/** Puts the file in its place as a whole, or takes the one that another control plane put there first. */
async function place(file: string, content: string): Promise<string> {
  const ours = await draft(file, content)
  try {
    // A link is made as a whole and fails when the name is taken.
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
