import type { Call } from './call.ts'
import { withoutSecrets } from './secrets.ts'

/** The scope of an API token that reaches an endpoint, by the endpoint's key. */
export type TokenScopes = Readonly<Partial<Record<string, string>>>

/** Tokens with the scope `suspend` reach the actions of a server for these two only. */
const BY_SUSPEND_TOKENS: readonly unknown[] = ['suspend', 'unsuspend']

/** The scope that allows a token to make this call; undefined if only a session may. */
export function scopeOf({ key, body }: Call, scopes: TokenScopes): string | undefined {
  const scope = scopes[key]
  if (scope !== 'suspend') return scope
  const { action } = (body ?? {}) as { readonly action?: unknown }
  return BY_SUSPEND_TOKENS.includes(action) ? scope : undefined
}

/** Quotes a text for a POSIX shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/**
 * The call as a shell command. It authenticates with the variable `LODGE_TOKEN`, or with
 * `LODGE_SESSION` where no token may make the call; secrets in the body are placeholders.
 */
export function curlOf(call: Call, origin: string, scopes: TokenScopes): string {
  const [method = 'GET'] = call.key.split(' ')
  const byToken = scopeOf(call, scopes) !== undefined
  return [
    `curl -X ${method} ${quoted(origin + call.url)}`,
    ...(byToken
      ? ['-H "Authorization: Bearer $LODGE_TOKEN"']
      : ['-b "panel_session=$LODGE_SESSION"', `-H ${quoted(`Origin: ${origin}`)}`]),
    ...(call.body === undefined
      ? []
      : [
          `-H 'Content-Type: application/json'`,
          `-d ${quoted(JSON.stringify(withoutSecrets(call.body)))}`,
        ]),
  ].join(' \\\n  ')
}
