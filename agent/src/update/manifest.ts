import { createHash, verify, X509Certificate } from 'node:crypto'
import { AgentManifest, fileListOf } from '@lodge/shared/agent-update.ts'
import { NotUpdated } from './not-updated.ts'

/**
 * Reads a manifest that the authority of the fleet has signed.
 * @param authority its certificate, known since this machine joined
 * @throws {NotUpdated}
 */
export function signedManifest(
  text: string,
  signature: Uint8Array,
  authority: string,
): AgentManifest {
  const { publicKey } = new X509Certificate(authority)
  if (!verify('sha256', Buffer.from(text), publicKey, signature))
    throw new NotUpdated('The new agent is not signed by the control plane.')
  const parsed = AgentManifest.safeParse(JSON.parse(text))
  const manifest = parsed.data
  if (!manifest || sha256(fileListOf(manifest.files)) !== manifest.build)
    throw new NotUpdated('The list of the new agent cannot be read.')
  if (manifest.architecture !== process.arch)
    throw new NotUpdated(`The new agent is not for ${process.arch}.`)
  return manifest
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
