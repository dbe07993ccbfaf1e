import { createPublicKey } from 'node:crypto'
import { fingerprintOf, parsePublicKey } from '@lodge/shared/local/ssh/keys.ts'
import { MIN_RSA_BITS, SSH_KEY_TYPES } from '@lodge/shared/sftp.ts'
import { invalid } from '../../http/input.ts'

export interface PublicKey {
  readonly type: (typeof SSH_KEY_TYPES)[number]
  readonly fingerprint: string
  /** Type and key, without the comment. */
  readonly line: string
}

/** @throws {Problem} validation_failed, saying what to do instead */
export function readPublicKey(text: string): PublicKey {
  if (/PRIVATE KEY|PuTTY-User-Key-File/.test(text))
    throw refused(
      'is a private key, which belongs to nobody but you: send the line of the .pub file',
    )
  if (/^sk-/.test(text))
    throw refused('is a key of a security token, which SFTP does not take: use an Ed25519 key')
  if (/[\r\n]/.test(text)) throw refused('must be a single line, as in a file that ends in .pub')
  const key = parsePublicKey(text)
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

const refused = (detail: string) => invalid([{ pointer: '/publicKey', detail }])
