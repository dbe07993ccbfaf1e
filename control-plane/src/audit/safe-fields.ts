const SECRET =
  /pass|secret|token|code|key|captcha|totp|challenge|response|command|credential|cookie|content|html|body|document|variables|environment|answers|comment/i
const MAX_TEXT = 200
const MAX_ITEMS = 20

/**
 * The part of a request body that may be kept for years: short scalars by name, two levels
 * of nesting, and short lists. For fields whose names suggest a secret, only their presence is
 * recorded.
 * @param leftOut further names of secret fields
 */
export function safeFields(body: unknown, leftOut: readonly string[] = [], depth = 0): unknown {
  if (body === null || typeof body === 'number' || typeof body === 'boolean') return body
  if (typeof body === 'string')
    return body.length > MAX_TEXT ? `${body.slice(0, MAX_TEXT).toWellFormed()}…` : body
  if (typeof body !== 'object') return undefined
  if (Array.isArray(body)) {
    if (body.length > MAX_ITEMS || depth > 2) return `${body.length} items`
    return body.map((item) => safeFields(item, leftOut, depth + 1))
  }
  if (depth > 2) return '…'
  return Object.fromEntries(
    Object.entries(body)
      .slice(0, 50)
      .map(([name, value]) => [
        name,
        (SECRET.test(name) || leftOut.includes(name)) && typeof value !== 'boolean'
          ? '[left out]'
          : safeFields(value, leftOut, depth + 1),
      ]),
  )
}
