import { createHash, X509Certificate } from 'node:crypto'
import { makeNetwork, networkMissing } from '../../real/support/network.ts'
import { startNginx } from '../../support/nginx.ts'
import { selfSigned } from '../../support/self-signed.ts'

/**
 * The three ways to reach a panel. `localhost` and HTTPS are secure contexts, plain HTTP at an
 * address is not (no passkeys, no Clipboard API, no locks). All lead to the same control plane at
 * the same time.
 */
export interface EntryPoint {
  readonly name: string
  readonly origin: string
  /** Chromium's flags for this entry point. */
  readonly flags: readonly string[]
  readonly isSecureContext: boolean
}

export const ENTRY_POINTS = ['localhost', 'plain HTTP by an address', 'TLS behind nginx'] as const
export type EntryPointName = (typeof ENTRY_POINTS)[number]

/** The name in the certificate; Chromium's flags resolve it. */
const TLS_NAME = 'panel.test'

/** Why the entry points cannot be created on this machine, or null. */
export const entryPointsMissing = networkMissing

/** Creates an interface with its own address, and a real nginx with a certificate before the panel. */
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

/** SHA-256 of the public key, by which Chromium's flags name a trusted certificate. */
function keyHash(certificate: string): string {
  const key = new X509Certificate(certificate).publicKey.export({ type: 'spki', format: 'der' })
  return createHash('sha256').update(key).digest('base64')
}
