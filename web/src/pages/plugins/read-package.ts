const MAX_BYTES = 20 * 1024 * 1024

/** A file in base64; undefined if it is too large for a package. */
export async function readPackage(file: File): Promise<string | undefined> {
  if (file.size > MAX_BYTES) return undefined
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const reader = new FileReader()
  reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,/, ''))
  reader.onerror = () => reject(reader.error ?? new Error('unreadable'))
  reader.readAsDataURL(file)
  return promise
}
