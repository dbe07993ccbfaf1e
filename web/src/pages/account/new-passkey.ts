import { api } from '../../api.ts'
import { t } from './words.ts'

type NewPasskey = { readonly id: string; readonly rawId: string; readonly type: 'public-key' }

/** Creates a passkey in the browser from the API's `options`; the result goes back to the API. */
async function makePasskey(options: object): Promise<NewPasskey> {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(
    options as PublicKeyCredentialCreationOptionsJSON,
  )
  const credential = await navigator.credentials.create({ publicKey })
  if (!(credential instanceof PublicKeyCredential)) throw new Error(t.noPasskey)
  return { ...credential.toJSON(), id: credential.id, rawId: credential.id, type: 'public-key' }
}

/** Creates a passkey in the browser and registers it. */
export async function addPasskey() {
  const response = await makePasskey(await api('POST /api/auth/passkeys/options'))
  return api('POST /api/auth/passkeys/verify', { body: { response } })
}
