/** Whether this browser can use passkeys on this page (they need a secure origin). */
export const passkeysWork = (): boolean =>
  typeof PublicKeyCredential === 'function' &&
  typeof PublicKeyCredential.parseRequestOptionsFromJSON === 'function'

type PasskeyAnswer = { readonly id: string; readonly rawId: string; readonly type: 'public-key' }

/** Asks the browser for a passkey; `options` are those of the interface, the answer is for it. */
export async function askPasskey(options: { challenge: string }): Promise<PasskeyAnswer> {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options)
  const credential = await navigator.credentials.get({ publicKey })
  if (!(credential instanceof PublicKeyCredential)) throw new Error('No passkey was chosen')
  return { ...credential.toJSON(), id: credential.id, rawId: credential.id, type: 'public-key' }
}
