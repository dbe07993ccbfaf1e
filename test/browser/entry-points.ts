import { createHash, X509Certificate } from 'node:crypto'
import { startNginx } from '../nginx.ts'
import { makeNetwork, networkMissing } from '../real/network.ts'
import { selfSigned } from '../self-signed.ts'

/**
 * The three ways in which people reach a panel. They differ in what a browser allows: `localhost` and
 * HTTPS are secure contexts, plain HTTP by an address is none (no passkeys, no Clipboard API, no locks).
 * All lead to the same control plane at the same time.
 */
export interface EntryPoint {
  readonly name: string
  readonly origin: string
  /** What Chromium needs to come in here. */
  readonly flags: readonly string[]
  readonly isSecureContext: boolean
}

export const ENTRY_POINTS = ['localhost', 'plain HTTP by an address', 'TLS behind nginx'] as const
export type EntryPointName = (typeof ENTRY_POINTS)[number]

/** The name in the certificate; Chromium is told where it is. */
const TLS_NAME = 'panel.test'

/** Why the doors cannot be made on this machine, or null. */
export const entryPointsMissing = networkMissing

/** Makes an interface with an address of its own, and a real nginx with a certificate before the panel. */
export async function openEntryPoints(
  panelPort: number,
): Promise<AsyncDisposable & { readonly of: Readonly<Record<EntryPointName, EntryPoint>> }> {
  await using opened = new AsyncDisposableStack()
  const network = await makeNetwork()
  opened.defer(() => network.remove())
  const tls = await selfSigned(TLS_NAME)
  const nginx = opened.use(await startNginx({ upstream: panelPort, tls }))
  const entry = (
    name: EntryPointName,
    origin: string,
    flags: readonly string[] = [],
  ): EntryPoint => ({
    name,
    origin,
    flags,
    isSecureContext: name !== 'plain HTTP by an address',
  })
  const kept = opened.move()
  return {
    of: {
      localhost: entry('localhost', `http://localhost:${panelPort}`),
      'plain HTTP by an address': entry(
        'plain HTTP by an address',
        `http://${network.hostAddress}:${panelPort}`,
      ),
      'TLS behind nginx': entry('TLS behind nginx', `https://${TLS_NAME}`, [
        `--host-resolver-rules=MAP ${TLS_NAME}:443 127.0.0.1:${nginx.port}`,
        `--ignore-certificate-errors-spki-list=${keyHash(tls.certificate)}`,
      ]),
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}

/** SHA-256 of the public key, as Chromium names a certificate that it is to trust. */
function keyHash(certificate: string): string {
  const key = new X509Certificate(certificate).publicKey.export({ type: 'spki', format: 'der' })
  return createHash('sha256').update(key).digest('base64')
}
