const SECRET = /password|secret|token|code|response|challenge|credential|privatekey/i

/** Replaces secrets, e.g. a typed password by `<password>`, at any depth. */
export function withoutSecrets(value: unknown, name = ''): unknown {
  if (value === null || value === undefined || typeof value === 'boolean') return value
  if (Array.isArray(value)) return value.map((item) => withoutSecrets(item, name))
  if (SECRET.test(name)) return `<${name}>`
  if (typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, withoutSecrets(inner, key)]),
  )
}
