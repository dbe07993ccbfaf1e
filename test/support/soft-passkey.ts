import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'

/** The options a browser receives, as far as an authenticator needs them. */
export interface PasskeyOptions {
  readonly challenge: string
}

/** Ways in which a response may be wrong. */
export interface Wrong {
  readonly origin?: string
  readonly rpId?: string
  readonly challenge?: string
  readonly type?: string
  readonly present?: boolean
  readonly verified?: boolean
  readonly counter?: number
  readonly id?: string
  readonly signature?: Buffer
}

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest()

/** An authenticator with one key, in software (WebAuthn level 2, ES256, attestation `none`). */
export class SoftPasskey {
  readonly id = randomBytes(32)
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  readonly #origin: string
  #counter = 0

  constructor(origin: string) {
    this.#origin = origin
  }

  register({ challenge }: PasskeyOptions, wrong: Wrong = {}) {
    const { x = '', y = '' } = this.#keys.publicKey.export({ format: 'jwk' })
    const cose = Buffer.concat([
      Buffer.from('a5010203262001215820', 'hex'),
      Buffer.from(x, 'base64url'),
      Buffer.from('225820', 'hex'),
      Buffer.from(y, 'base64url'),
    ])
    const length = Buffer.alloc(2)
    length.writeUInt16BE(this.id.length)
    const data = Buffer.concat([this.#head(wrong, 0x40), Buffer.alloc(16), length, this.id, cose])
    const attestation = Buffer.concat([
      Buffer.from('a363666d74646e6f6e656761747453746d74a068617574684461746158', 'hex'),
      Buffer.from([data.length]),
      data,
    ])
    return this.#answer(wrong, {
      clientDataJSON: this.#client('webauthn.create', challenge, wrong).toString('base64url'),
      attestationObject: attestation.toString('base64url'),
      transports: ['internal'],
    })
  }

  authenticate({ challenge }: PasskeyOptions, wrong: Wrong = {}) {
    this.#counter++
    const data = this.#head(wrong, 0)
    const client = this.#client('webauthn.get', challenge, wrong)
    const signature =
      wrong.signature ??
      sign('sha256', Buffer.concat([data, sha256(client)]), this.#keys.privateKey)
    return this.#answer(wrong, {
      clientDataJSON: client.toString('base64url'),
      authenticatorData: data.toString('base64url'),
      signature: signature.toString('base64url'),
    })
  }

  #answer<R extends object>(wrong: Wrong, response: R) {
    const id = wrong.id ?? this.id.toString('base64url')
    return { id, rawId: id, type: 'public-key' as const, clientExtensionResults: {}, response }
  }

  #client(type: string, challenge: string, wrong: Wrong): Buffer {
    return Buffer.from(
      JSON.stringify({
        type: wrong.type ?? type,
        challenge: wrong.challenge ?? challenge,
        origin: wrong.origin ?? this.#origin,
        crossOrigin: false,
      }),
    )
  }

  #head(wrong: Wrong, more: number): Buffer {
    const counter = Buffer.alloc(4)
    counter.writeUInt32BE(wrong.counter ?? this.#counter)
    const flags = (wrong.present === false ? 0 : 1) | (wrong.verified === false ? 0 : 4) | more
    return Buffer.concat([
      sha256(wrong.rpId ?? new URL(this.#origin).hostname),
      Buffer.from([flags]),
      counter,
    ])
  }
}
