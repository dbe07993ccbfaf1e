/**
 * Seals a text so that only the owner of the private key can read it, not even the sender
 * (libsodium's `crypto_box_seal`).
 * @param publicKeyBase64 X25519, 32 bytes
 * @returns base64 in lines of 76 characters (RFC 2045, 6.8)
 */
export async function seal(text: string, publicKeyBase64: string): Promise<string> {
  // Loaded with the first report: nothing else needs its WebAssembly.
  const { default: sodium } = await import('libsodium-wrappers')
  await sodium.ready
  const sealed = sodium.crypto_box_seal(text, Buffer.from(publicKeyBase64, 'base64'))
  return (
    Buffer.from(sealed)
      .toString('base64')
      .match(/.{1,76}/g) ?? []
  ).join('\n')
}
