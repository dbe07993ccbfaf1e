import { PlainRefusal } from '../../../ui/notices/plain-refusal.ts'
import { t } from './words.ts'

/** Why this browser cannot use passkeys on this page; undefined when it can. */
export function whyNoPasskeys(): string | undefined {
  if (!isSecureContext) return t.passkeyHttps
  // A passkey belongs to a domain name (WebAuthn, relying party identifier).
  if (/^[\d.]+$|^\[/.test(location.hostname)) return t.passkeyName
  const works =
    typeof PublicKeyCredential === 'function' &&
    typeof PublicKeyCredential.parseRequestOptionsFromJSON === 'function'
  return works ? undefined : t.passkeyBrowser
}

/** Whether the browser refused for this reason. */
export const isNamed = (error: unknown, name: string): boolean =>
  error instanceof DOMException && error.name === name

type PasskeyAnswer = { readonly id: string; readonly rawId: string; readonly type: 'public-key' }

/** Requests a passkey from the browser with the API's `options`; the result goes back to the API. */
export async function askPasskey(options: { challenge: string }): Promise<PasskeyAnswer> {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options)
  const credential = await navigator.credentials.get({ publicKey }).catch((error) => {
    // Also when this device has none: browsers do not tell the two apart.
    if (isNamed(error, 'NotAllowedError')) throw new PlainRefusal(t.passkeyNotUsed)
    throw error
  })
  if (!(credential instanceof PublicKeyCredential)) throw new Error(t.noPasskey)
  return { ...credential.toJSON(), id: credential.id, rawId: credential.id, type: 'public-key' }
}
