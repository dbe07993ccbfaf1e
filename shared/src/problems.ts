/** Every problem of the API: its status and its title. Each has a page in docs/problems/. */
export const PROBLEMS = {
  validation_failed: { status: 400, title: 'Some of the input is not valid' },
  malformed_json: { status: 400, title: 'The body is not valid JSON' },
  empty_body: { status: 400, title: 'A body is required' },
  json_too_deep: { status: 400, title: 'The JSON is nested too deeply' },
  invalid_cursor: { status: 400, title: 'The cursor is not valid' },
  confirmation_required: { status: 400, title: 'A confirmation is required' },
  invalid_token: { status: 400, title: 'The token is unknown, used or expired' },
  captcha_failed: { status: 400, title: 'The captcha was not solved' },
  invalid_template: { status: 400, title: 'The template document is not valid' },
  authentication_required: { status: 401, title: 'Sign in first' },
  invalid_credentials: { status: 401, title: 'E-mail or password is wrong' },
  second_factor_required: { status: 401, title: 'A second factor is required' },
  invalid_second_factor: { status: 401, title: 'The second factor is wrong' },
  challenge_expired: { status: 401, title: 'The sign-in took too long' },
  token_invalid: { status: 401, title: 'The API token is not valid' },
  node_credential_invalid: { status: 401, title: 'The node credential is not valid' },
  forbidden: { status: 403, title: 'Not allowed' },
  permission_required: { status: 403, title: 'A permission is missing' },
  insufficient_scope: { status: 403, title: 'The token lacks the scope' },
  token_not_allowed: { status: 403, title: 'Not available to API tokens' },
  viewing_only: { status: 403, title: 'Changes are off while you view as a customer' },
  origin_mismatch: { status: 403, title: 'The request comes from another site' },
  second_factor_setup_required: { status: 403, title: 'Set up a second factor first' },
  reauthentication_required: { status: 403, title: 'Confirm your identity' },
  ip_not_allowed: { status: 403, title: 'Administrators may not work from this address' },
  capability_denied: { status: 403, title: 'Not allowed for this account' },
  not_allowed_by_limits: { status: 403, title: 'Not available to this account' },
  grant_required: { status: 403, title: 'A plan is required' },
  account_unverified: { status: 403, title: 'The e-mail address is not confirmed' },
  account_pending: { status: 403, title: 'The account awaits approval' },
  account_suspended: { status: 403, title: 'The account is suspended' },
  not_found: { status: 404, title: 'Not found' },
  method_not_allowed: { status: 405, title: 'This method is not allowed here' },
  conflict: { status: 409, title: 'This contradicts the present state' },
  already_bootstrapped: { status: 409, title: 'The first administrator exists already' },
  invalid_state: { status: 409, title: 'Not possible in the present state' },
  job_in_progress: { status: 409, title: 'Another job is under way' },
  limit_exceeded: { status: 409, title: 'This would exceed a limit' },
  in_use: { status: 409, title: 'It is still in use' },
  duplicate: { status: 409, title: 'It exists already' },
  idempotency_mismatch: { status: 409, title: 'The idempotency key was used for another request' },
  node_not_empty: { status: 409, title: 'The node still has servers' },
  no_capacity: { status: 409, title: 'No node has room for this' },
  port_unavailable: { status: 409, title: 'The port is not available' },
  unsupported_on_node: { status: 409, title: 'The node cannot do this' },
  hold_active: { status: 409, title: 'The server is held' },
  payload_too_large: { status: 413, title: 'The body is too large' },
  unsupported_media_type: { status: 415, title: 'This content type is not accepted' },
  second_factor_locked: { status: 429, title: 'The second step is locked for a while' },
  sign_in_guarded: { status: 429, title: 'Too many wrong passwords for this account' },
  rate_limited: { status: 429, title: 'Too many requests' },
  internal_error: { status: 500, title: 'Something went wrong on our side' },
  node_protocol_error: { status: 502, title: 'The node did not answer as it should' },
  node_timeout: { status: 504, title: 'The node did not answer in time' },
  node_unavailable: { status: 503, title: 'The node is not connected' },
  driver_unavailable: { status: 503, title: 'The node cannot reach its container engine' },
  storage_full: { status: 507, title: 'The disk is full' },
  database_unavailable: { status: 503, title: 'The database is not available' },
} as const satisfies Record<string, { status: number; title: string }>

export type ProblemCode = keyof typeof PROBLEMS

/** Body of every problem (RFC 9457, application/problem+json). */
export interface ProblemDocument {
  readonly type: string
  readonly title: string
  readonly status: number
  readonly code: ProblemCode
  readonly detail: string
  readonly instance: string
  readonly errors?: readonly { readonly pointer: string; readonly detail: string }[]
  readonly [field: string]: unknown
}
