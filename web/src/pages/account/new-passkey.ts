import { deviceOf } from '@lodge/shared/device.ts'
import { api } from '../../api.ts'
import { said } from '../../panel/said.ts'
import { PlainRefusal } from '../../ui/notices/plain-refusal.ts'
import { isNamed } from '../entrance/sign-in/passkey.ts'
import { t } from './words.ts'

type NewPasskey = { readonly id: string; readonly rawId: string; readonly type: 'public-key' }

/** Creates a passkey in the browser from the API's `options`; the result goes back to the API. */
async function makePasskey(options: object): Promise<NewPasskey> {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(
    options as PublicKeyCredentialCreationOptionsJSON,
  )
  const credential = await navigator.credentials.create({ publicKey }).catch((error) => {
    if (isNamed(error, 'NotAllowedError')) throw new PlainRefusal(t.passkeyCancelled)
    if (isNamed(error, 'InvalidStateError')) throw new PlainRefusal(t.passkeyHere)
    throw error
  })
  if (!(credential instanceof PublicKeyCredential)) throw new Error(t.noPasskey)
  return { ...credential.toJSON(), id: credential.id, rawId: credential.id, type: 'public-key' }
}

/** The name of a passkey whose person chooses none. */
export const nameOfThisDevice = (): string => said(deviceOf(navigator.userAgent))

/** Creates a passkey in the browser and registers it. */
export async function addPasskey(name = nameOfThisDevice()) {
  const response = await makePasskey(await api('POST /api/auth/passkeys/options'))
  return api('POST /api/auth/passkeys/verify', { body: { response, name } })
}
