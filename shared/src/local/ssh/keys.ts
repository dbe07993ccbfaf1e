import { createHash } from 'node:crypto'
import ssh2, { type ParsedKey } from 'ssh2'

/** As `ssh-keygen -l` shows it. */
export const fingerprintOf = (blob: Buffer): string =>
  `SHA256:${createHash('sha256').update(blob).digest('base64').replace(/=+$/, '')}`

/** @returns undefined unless it is a public key */
export function parsePublicKey(text: string): ParsedKey | undefined {
  const key: ParsedKey | Error | (ParsedKey | Error)[] = ssh2.utils.parseKey(text)
  const [first] = [key].flat()
  return first instanceof Error || first?.isPrivateKey() ? undefined : first
}

/** Whether a signature was made with the private part of a key. */
export function isSignedBy(
  line: string,
  { blob, signature, hashAlgorithm }: { blob: Buffer; signature: Buffer; hashAlgorithm?: string },
): boolean {
  return parsePublicKey(line)?.verify(blob, signature, hashAlgorithm) === true
}

/** In the order in which clients are offered them. */
const HOST_KEYS = {
  'ssh-ed25519': () => ssh2.utils.generateKeyPairSync('ed25519'),
  'ecdsa-sha2-nistp256': () => ssh2.utils.generateKeyPairSync('ecdsa', { bits: 256 }),
} as const
export const HOST_KEY_TYPES = Object.keys(HOST_KEYS) as (keyof typeof HOST_KEYS)[]

/** A key that an SSH server proves itself with: the private part, and its fingerprint. */
export function makeHostKey(type: keyof typeof HOST_KEYS): {
  readonly privateKey: string
  readonly fingerprint: string
} {
  const privateKey = HOST_KEYS[type]().private
  return { privateKey, fingerprint: hostKeyFingerprint(privateKey) }
}

/** @throws {Error} if it is no private key */
export function hostKeyFingerprint(privateKey: string): string {
  const key = ssh2.utils.parseKey(privateKey)
  if (key instanceof Error) throw key
  return fingerprintOf(key.getPublicSSH())
}
