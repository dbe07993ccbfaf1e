import { api } from '../../api.ts'

type NewPasskey = { readonly id: string; readonly rawId: string; readonly type: 'public-key' }

/** Has the browser make a passkey; `options` are those of the interface, the answer is for it. */
async function makePasskey(options: object): Promise<NewPasskey> {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(
    options as PublicKeyCredentialCreationOptionsJSON,
  )
  const credential = await navigator.credentials.create({ publicKey })
  if (!(credential instanceof PublicKeyCredential)) throw new Error('No passkey was made')
  return { ...credential.toJSON(), id: credential.id, rawId: credential.id, type: 'public-key' }
}

/** Asks the browser for a new passkey and registers it. */
export async function addPasskey() {
  const response = await makePasskey(await api('POST /api/auth/passkeys/options'))
  return api('POST /api/auth/passkeys/verify', { body: { response } })
}
