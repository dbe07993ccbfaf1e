import { createHash, createPublicKey } from 'node:crypto'
import { MIN_RSA_BITS, SSH_KEY_TYPES } from '@lodge/shared/sftp.ts'
import ssh2, { type ParsedKey } from 'ssh2'
import { invalid } from '../../http/input.ts'

export interface PublicKey {
  readonly type: (typeof SSH_KEY_TYPES)[number]
  readonly fingerprint: string
  /** Type and key, without the comment. */
  readonly line: string
}

/** As `ssh-keygen -l` shows it. */
export const fingerprintOf = (blob: Buffer): string =>
  `SHA256:${createHash('sha256').update(blob).digest('base64').replace(/=+$/, '')}`

/** @throws {Problem} validation_failed, with what to do instead */
export function readPublicKey(text: string): PublicKey {
  if (/PRIVATE KEY|PuTTY-User-Key-File/.test(text))
    throw refused(
      'is a private key, which belongs to nobody but you: send the line of the .pub file',
    )
  if (/^sk-/.test(text))
    throw refused('is a key of a security token, which SFTP does not take: use an Ed25519 key')
  if (/[\r\n]/.test(text)) throw refused('must be a single line, as in a file that ends in .pub')
  const key = parsed(text)
  const type = SSH_KEY_TYPES.find((one) => one === key?.type)
  if (!key || !type)
    throw refused(
      'is not a public key of SSH: send the line of a .pub file, such as id_ed25519.pub',
    )
  const bits = createPublicKey(key.getPublicPEM()).asymmetricKeyDetails?.modulusLength
  if (bits !== undefined && bits < MIN_RSA_BITS)
    throw refused(`has ${bits} bits: an RSA key needs ${MIN_RSA_BITS}, and Ed25519 is better still`)
  const blob = key.getPublicSSH()
  return { type, fingerprint: fingerprintOf(blob), line: `${type} ${blob.toString('base64')}` }
}

function parsed(text: string): ParsedKey | undefined {
  const key: ParsedKey | Error | (ParsedKey | Error)[] = ssh2.utils.parseKey(text)
  const [first] = [key].flat()
  return first instanceof Error || first?.isPrivateKey() ? undefined : first
}

/** Whether a signature was made with the private part of a key. */
export function isSignedBy(
  line: string,
  { blob, signature, hashAlgorithm }: { blob: Buffer; signature: Buffer; hashAlgorithm?: string },
): boolean {
  return parsed(line)?.verify(blob, signature, hashAlgorithm) === true
}

const refused = (detail: string) => invalid([{ pointer: '/publicKey', detail }])
