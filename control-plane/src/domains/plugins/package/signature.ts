import { createHash, createPublicKey, verify } from 'node:crypto'
import type { PluginSignature } from '@lodge/shared/plugins/plugin.ts'
import { z } from 'zod'
import { Problem } from '../../../problem.ts'
import type { Files } from './tar.ts'

/** The file of a package with the signature of all its other files. */
export const SIGNATURE_FILE = 'lodge-plugin.sig.json'

const Signature = z.strictObject({
  /** Ed25519 public key: its 32 bytes in base64. */
  key: z.base64().length(44),
  signature: z.base64().length(88),
})

/** The text that a publisher signs: every file but the signature, with its hash, ordered by path. */
export function signedText(files: Files): string {
  const lines = [...files]
    .filter(([name]) => name !== SIGNATURE_FILE)
    .map(([name, content]) => `${createHash('sha512').update(content).digest('hex')}  ${name}`)
  return `lodge-plugin 1\n${lines.toSorted().join('\n')}\n`
}

/** A hash that identifies a package, however it was packed. */
export const fingerprintOf = (files: Files): string =>
  createHash('sha256').update(signedText(files)).digest('hex')

/** Whether this key signed the text. @param key Ed25519 public key in base64 */
export function isSignedBy(key: string, text: string | Buffer, signature: string): boolean {
  try {
    const jwk = { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(key, 'base64').toString('base64url') }
    const publicKey = createPublicKey({ key: jwk, format: 'jwk' })
    return verify(null, Buffer.from(text), publicKey, Buffer.from(signature, 'base64'))
  } catch {
    return false
  }
}

/**
 * The signer of a package.
 * @param trusted public keys that the operator trusts
 * @throws {Problem} plugin_untrusted if it was changed after it was signed
 */
export function whoSigned(
  files: Files,
  trusted: readonly string[],
): { readonly signature: PluginSignature; readonly signedBy: string | null } {
  const file = files.get(SIGNATURE_FILE)
  if (!file) return { signature: 'unsigned', signedBy: null }
  const parsed = Signature.safeParse(json(file))
  if (!parsed.success || !isSignedBy(parsed.data.key, signedText(files), parsed.data.signature))
    throw new Problem(
      'plugin_untrusted',
      'The package was changed after it was signed: get it from its publisher again',
    )
  const { key } = parsed.data
  return { signature: trusted.includes(key) ? 'verified' : 'unknown', signedBy: key }
}

function json(content: Buffer): unknown {
  try {
    return JSON.parse(content.toString('utf8'))
  } catch {
    return undefined
  }
}
