import { declare } from './declare.ts'

/** What every endpoint may answer. */
export const http = declare({
  problems: {
    validation_failed: { status: 400, title: 'Some input needs correction' },
    malformed_json: { status: 400, title: 'The body is not valid JSON' },
    empty_body: { status: 400, title: 'A body is required' },
    json_too_deep: { status: 400, title: 'The JSON is nested too deeply' },
    invalid_cursor: { status: 400, title: 'The cursor is not valid' },
    confirmation_required: { status: 400, title: 'A confirmation is required' },
    authentication_required: { status: 401, title: 'Sign in first' },
    forbidden: { status: 403, title: 'Not allowed' },
    permission_required: { status: 403, title: 'You lack a permission' },
    insufficient_scope: { status: 403, title: 'The token lacks the scope' },
    token_not_allowed: { status: 403, title: 'Not available to API tokens' },
    origin_mismatch: { status: 403, title: 'The request comes from another site' },
    not_found: { status: 404, title: 'Not found' },
    method_not_allowed: { status: 405, title: 'This method is not allowed here' },
    conflict: { status: 409, title: 'This conflicts with the current state' },
    invalid_state: { status: 409, title: 'Not possible in the current state' },
    in_use: { status: 409, title: 'It is still in use' },
    duplicate: { status: 409, title: 'It already exists' },
    idempotency_mismatch: {
      status: 409,
      title: 'The idempotency key was used for another request',
    },
    idempotency_pending: {
      status: 409,
      title: 'The first request with this key is not answered yet',
    },
    payload_too_large: { status: 413, title: 'The body is too large' },
    unsupported_media_type: { status: 415, title: 'This content type is not accepted' },
    websocket_required: { status: 426, title: 'Only a WebSocket may be opened here' },
    rate_limited: { status: 429, title: 'Too many requests' },
    internal_error: { status: 500, title: 'Something went wrong on our side' },
    storage_full: { status: 507, title: 'The disk is full' },
    database_unavailable: { status: 503, title: 'The database is not available' },
  },
})
