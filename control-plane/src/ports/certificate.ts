import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { errorCode } from '@lodge/shared/error-code.ts'
import type { Logger } from 'pino'

const LOOK_EVERY_MS = 5_000

export interface CertificateFiles {
  /** PEM, with the chain. */
  readonly certificate: string
  /** PEM; may be the same file. */
  readonly key: string
}

export interface Certificate {
  /** PEM, with the chain. */
  readonly cert: string
  /** PEM. */
  readonly key: string
  readonly validFrom: Date
  readonly validTo: Date
}

export interface KeptCertificate {
  /** Undefined while there is none. */
  current(): Certificate | undefined
  /** Checks the files now. */
  look(): Promise<void>
  stop(): void
}

/** @throws if a file cannot be read, is not PEM, or the key does not match the certificate */
export async function readCertificate(files: CertificateFiles): Promise<Certificate> {
  const [cert, key] = await Promise.all([
    readFile(files.certificate, 'utf8'),
    readFile(files.key, 'utf8'),
  ])
  const leaf = new X509Certificate(cert)
  if (!leaf.checkPrivateKey(createPrivateKey(key)))
    throw new Error(`the key in ${files.key} does not belong to the certificate`)
  return { cert, key, validFrom: leaf.validFromDate, validTo: leaf.validToDate }
}

/**
 * Loads a certificate from two files and reloads it when they change. If they cannot be read, that
 * is logged and the previous certificate stays in use.
 * @param changed called with each new one, including the first
 */
export async function keepCertificate(
  files: CertificateFiles,
  changed: (certificate: Certificate) => void,
  log: Logger,
): Promise<KeptCertificate> {
  let current: Certificate | undefined
  let seen = ''

  async function look(): Promise<void> {
    const now = `${await mark(files.certificate)} ${await mark(files.key)}`
    if (now === seen) return
    seen = now
    try {
      current = await readCertificate(files)
      changed(current)
    } catch (error) {
      if (errorCode(error) === 'ENOENT' && !current) return
      log.error({ err: error, file: files.certificate }, 'the TLS certificate cannot be used')
    }
  }

  await look()
  const timer = setInterval(() => void look().catch(() => undefined), LOOK_EVERY_MS)
  timer.unref()
  return { current: () => current, look, stop: () => clearInterval(timer) }
}

/** Changes when a file or the target of a link is replaced. */
async function mark(file: string): Promise<string> {
  const found = await stat(file, { bigint: true }).catch(() => undefined)
  return found ? `${found.ino}:${found.size}:${found.mtimeNs}` : ''
}
